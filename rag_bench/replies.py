"""What a system replies to one question, held against what it must be: a stranger's code may return and raise anything."""

import operator
import traceback
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rag_bench.errors import BadRun, RagBenchError
from rag_bench.releases import Release
from rag_bench.runs import Answer, check_run

if TYPE_CHECKING:
    from rag_bench.systems import System

_OURS = Path(__file__).parent


def require_system(system: Any) -> None:
    """Refuses what cannot be asked anything, before the first question.

    Raises:
        RagBenchError: it is a class, or lacks a method.
    """
    if isinstance(system, type):
        raise RagBenchError(f"{system.__name__} is a class; give a system that is made of it: {system.__name__}(…)")
    for name, takes in (("retrieve", "question, k"), ("answer", "question, passages")):
        if not callable(getattr(system, name, None)):
            raise RagBenchError(f"a system has a method {name}({takes}), and {type(system).__name__} has none")


def reply(system: "System", release: Release, public_id: int, question: str, k: int) -> Answer:
    """Asks a system one question.

    Raises:
        RagBenchError: what it returns is no answer.
        BaseException: whatever the system raises.
    """
    found = [_found(entry) for entry in islice(_several(system.retrieve(question, k)), k)]
    text_ids = list(dict.fromkeys(text_id for text_id, _ in found))
    try:
        texts = dict(zip(text_ids, release.passages(text_ids), strict=True))
    except KeyError as unknown:
        raise RagBenchError(f"retrieve returned text {unknown}, which release {release.version} does not have") from None
    shown = dict.fromkeys((text_id, texts[text_id] if passage is None else passage) for text_id, passage in found)
    answer = system.answer(question, [passage for _, passage in shown])
    if not isinstance(answer, str):
        raise RagBenchError(f'answer returned {_shown(answer)}; it must return a string, "" when there is no answer')
    try:
        return check_run({public_id: {"found_ids": text_ids, "model_answer": answer}})[public_id]
    except BadRun as error:
        raise RagBenchError(error.faults[0].partition(": ")[2]) from None


def reason(error: BaseException) -> str:
    """Why there is no answer: what we say, or what the system raised and the line of it that did."""
    if isinstance(error, RagBenchError):
        return str(error)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).parent != _OURS]
    own = [frame for frame in frames if frame.filename == frames[0].filename]  # not the depths of a library that it calls
    place = f" ({Path(own[-1].filename).name}, line {own[-1].lineno})" if own else ""
    return f"{type(error).__name__}: {error}{place}"


def _several(found: Any) -> Any:
    try:
        return iter(found)
    except TypeError:
        raise RagBenchError(f"retrieve returned {_shown(found)}; it must return a list of ids of texts") from None


def _found(entry: Any) -> tuple[int, str | None]:
    """An id, or the id and passage of a pair."""
    text_id: Any = entry
    passage: Any = None
    if isinstance(entry, tuple | list) and len(entry) == 2:
        text_id, passage = entry
    if isinstance(text_id, bool | str) or not isinstance(passage, str | None):
        raise RagBenchError(f"retrieve returned {entry!r:.80}; it must return ids of texts, or pairs of an id and a passage")
    try:
        return operator.index(text_id), passage  # also what numpy gives
    except TypeError:
        raise RagBenchError(f"retrieve returned {_shown(text_id)}; ids are whole numbers") from None


def _shown(value: Any) -> str:
    return "None" if value is None else f"{value!r:.80}, of type {type(value).__name__}"
