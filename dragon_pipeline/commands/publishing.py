"""`dragon release yank/open/sandbox`: what a person decides to publish, or to take back."""

from dataclasses import replace

from rich.console import Console

from dragon_pipeline.commands.release import known
from dragon_pipeline.core.errors import BadInput, NothingToPublish, PublicationFailed
from dragon_pipeline.core.records import ARTICLES
from dragon_pipeline.core.release import ids
from dragon_pipeline.core.release import sandbox as sandboxes
from dragon_pipeline.core.release.building import build_release
from dragon_pipeline.core.release.opening import OPENED, open_versions
from dragon_pipeline.core.release.publication import publish
from dragon_pipeline.core.release.verification import release_faults, said_privately, verify
from dragon_pipeline.core.release.withdrawal import withdraw
from dragon_pipeline.defs.engines import hub, provenance, release_files
from dragon_pipeline.defs.io_manager import batches
from dragon_pipeline.defs.resources import home, settings, tables
from dragon_pipeline.defs.tables import Tables


def yank(version: str, because: str) -> None:
    """Raises BadInput when the reason, which everybody will read, says something of the private half."""
    known(version)
    if faults := said_privately(hub(), version, because):
        raise BadInput(f"--because stands on public cards and must not say what is private: {'; '.join(faults)}")
    told = withdraw(hub(), version, because)
    Console().print(f"{version} is withdrawn: {told[version]}", markup=False, highlight=False, soft_wrap=True)


def open_up(versions: list[str], even_newest: bool) -> None:
    done = open_versions(hub(), versions, even_newest)
    where = " and ".join(OPENED.values())
    Console().print(f"{', '.join(done)}: open to everybody in {where}", markup=False, highlight=False, soft_wrap=True)


def sandbox(day: str | None) -> None:
    """Publishes a day as a version of the sandbox.

    Raises:
        BadInput: the day has a version that is not open, or may get one, or was not run.
        NothingToPublish: it has too few questions.
    """
    store = Tables(tables())
    day = day or _newest(store)
    sandboxes.refuse_closed(hub(), day)
    if day not in store.days("accepted"):
        raise BadInput(f"{day} was not run: there are no accepted questions of that day in {tables()}")
    accepted, verdicts = (store.read(name, [day]).drop("day") for name in ("accepted", "verdicts"))
    window = [name for name in store.days("articles") if name <= day][-settings().window_days :]
    articles = batches(ARTICLES, {name: store.path("articles", name) for name in window})
    key, made_by = ids.sandbox_key(home().release_key()), replace(provenance(), sandbox=True)
    release = build_release(accepted, articles, verdicts, day, settings(), key, made_by, release_files())
    if faults := release_faults(release, accepted, articles, release_files()):
        raise PublicationFailed("the sandbox is not published: " + "; ".join(faults[:5]))
    view = sandboxes.SandboxHub(hub())
    told = publish(release, None, day, view, release_files(), settings().release.model_copy(update={"publish_past": True}))
    version = told["version"][0]
    if version is None:
        raise NothingToPublish(told["reason"][0])
    if faults := verify(view, version):
        raise PublicationFailed(f"sandbox {version}: " + "; ".join(faults[:5]))
    Console().print(f"sandbox {version}: {day}, {told['outcome'][0]}, open to everybody", markup=False, highlight=False)


def _newest(store: Tables) -> str:
    """The newest day that was run and may be a sandbox."""
    for day in reversed(store.days("accepted")):
        try:
            sandboxes.refuse_closed(hub(), day)
        except BadInput:
            continue
        return day
    raise BadInput(
        "no day of this home may be a sandbox: each has a version that is not open, or may get one. Open one first "
        "(dragon release open VERSION)"
    )
