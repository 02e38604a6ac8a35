"""`dragon demo`: the bundled newsroom's days, end to end."""

from datetime import timedelta
from importlib.resources import files

from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.defs.resources import home
from dragon_pipeline.demo import DAYS, FIRST_DAY
from dragon_pipeline.home import write_atomically


def prepare() -> None:
    """Makes the home a demo home.

    Raises:
        BadInput: it is the home of something else.
    """
    told = files("dragon_pipeline.demo").joinpath("dragon.yaml").read_bytes()
    path = home().settings_file
    if path.exists() and b"gateway: demo" not in path.read_bytes():
        raise BadInput(f"{home().root}: not a demo home ({path.name} has other settings); give another folder with --home")
    if not path.exists():
        home().root.mkdir(parents=True, exist_ok=True)
        write_atomically(path, told)


def demo(days: int) -> None:
    """Runs the newsroom's first days; see `dragon run`."""
    if not 1 <= days <= DAYS:
        raise BadInput(f"--days {days}: the newsroom has {DAYS} days")
    from dragon_pipeline.commands.days import run

    run(FIRST_DAY, FIRST_DAY + timedelta(days=days - 1))
