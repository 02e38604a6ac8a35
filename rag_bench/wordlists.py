"""The word lists beside this package: one entry a line, `#` begins a remark."""

from importlib.resources import files


def entries(name: str) -> list[list[str]]:
    """The words of each line of a list."""
    lines = files("rag_bench").joinpath(name).read_text("utf-8").splitlines()
    return [line.split() for line in lines if line and not line.startswith("#")]
