"""What takes which case: governance.yaml, for the rules of grammar."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml


@cache
def governance() -> dict[str, Any]:
    """Lists and maps of words by name."""
    return yaml.safe_load(Path(__file__).with_name("governance.yaml").read_text(encoding="utf-8"))
