"""The flow is loaded from the settings of a home, so these tests give it one of their own before anything imports it."""

import os
import tempfile
from pathlib import Path

for name in [name for name in os.environ if name.startswith("DRAGON_")]:
    del os.environ[name]
os.environ["DRAGON_HOME"] = str(Path(tempfile.gettempdir()) / "dragon-tests-without-a-home")
