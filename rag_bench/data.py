"""The published client's place for datasets, kept for its scripts: assign the repository ids, then `get_datasets()`.

Each dataset is `{"train": rows}`. New code calls `rag_bench.load`.
"""

from rag_bench.choosing import LATEST
from rag_bench.fetched import Fetched
from rag_bench.hubs import HuggingFaceHub
from rag_bench.installation import require_single_client
from rag_bench.releases import Release, home, load_from
from rag_bench.rows import Rows

PUBLIC_TEXTS_REPO_ID = "dragon/public_texts"
PUBLIC_QUESTIONS_REPO_ID = "dragon/public_questions"
HIST_TEXTS_REPO_ID = "dragon/hist_public_texts"
HIST_QUESTIONS_REPO_ID = "dragon/hist_public_questions"

Split = dict[str, Rows]


def get_texts() -> Split:
    """`id, text, title, url, published_at` of the newest version."""
    return get_datasets()[0]


def get_questions() -> Split:
    """`id, question` of the newest version."""
    return get_datasets()[1]


def get_datasets(is_hist: bool = False) -> tuple[Split, Split, str]:
    """Public texts, public questions and their version: the newest that both have.

    Args:
        is_hist: from the repositories named `HIST_…`.

    Raises:
        NotOnHub: the hub does not hold it.
        Unreachable: the hub gives no answer, and no version was fetched before.
    """
    release = _newest(is_hist)
    return {"train": release.texts}, {"train": release.questions}, release.version


def _newest(is_hist: bool) -> Release:
    require_single_client()
    texts, questions = (
        (HIST_TEXTS_REPO_ID, HIST_QUESTIONS_REPO_ID) if is_hist else (PUBLIC_TEXTS_REPO_ID, PUBLIC_QUESTIONS_REPO_ID)
    )
    hub = HuggingFaceHub(texts.partition("/")[0])
    roles = {"public_texts": (texts,), "public_questions": (questions,)}
    return load_from(hub, LATEST, roles, Fetched(home() / "fetched.json"))
