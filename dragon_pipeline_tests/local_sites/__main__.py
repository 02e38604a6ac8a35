"""`python -m dragon_pipeline_tests.local_sites FOLDER…`: fixture sites to look at by hand, or to crawl with `dragon run`."""

import sys
from pathlib import Path

from dragon_pipeline_tests.local_sites.fixtures import read_site
from dragon_pipeline_tests.local_sites.server import LocalSites

sites = LocalSites([read_site(Path(folder)) for folder in sys.argv[1:]])
print(f"curl --proxy {sites.address} --cacert {sites.ca_file} ADDRESS", flush=True)  # noqa: T201
print(f"newsroom: {{gateway: {sites.address}, ca_file: {sites.ca_file}, gateway_shows_days: true}}", flush=True)  # noqa: T201
sites.serve()
