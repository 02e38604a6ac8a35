"""`python -m dragon_pipeline_tests.local_hub [PORT]`: a Hub to try things on by hand, empty and gone with the process."""

import sys

from dragon_pipeline_tests.local_hub.server import LocalHub

hub = LocalHub(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
print("\n".join(f"export {name}={value}" for name, value in hub.env.items()), flush=True)  # noqa: T201
hub.serve()
