"""`dragon evaluate`: measures of a run against a release in the home's hub."""

from pathlib import Path

from rich.console import Console

from dragon_pipeline.commands.printing import print_table
from dragon_pipeline.commands.release import known
from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.release.tables import read_table
from dragon_pipeline.defs.engines import hub
from rag_bench.errors import RagBenchError
from rag_bench.evaluation import evaluate as score
from rag_bench.profiles import find_profile
from rag_bench.runs import read_run


def evaluate(results: Path, version: str | None, profile: str) -> None:
    """Prints the profile's measures by question type.

    Raises:
        BadInput: the file is no run, or there is no such version or profile.
    """
    held = known(version)
    qa, texts = (read_table(hub(), dataset, held) for dataset in ("private_qa", "private_texts"))
    try:
        chosen = find_profile(profile)
        scores = score(read_run(results), (qa, texts), chosen)
    except RagBenchError as error:
        raise BadInput(str(error)) from None
    console = Console(soft_wrap=True, highlight=False)
    rows = [
        (type, scores.count(type), *(f"{value:.4f}" for value in values.values())) for type, values in scores.table().items()
    ]
    print_table(console, ("type", "questions", *chosen.measures), rows, f"{results} on version {held}")
    console.print(f"\nunanswered: {scores.unanswered}; unknown questions: {len(scores.unknown_questions)}; "
                  f"unknown texts: {len(scores.unknown_texts)}")  # fmt: skip
    if chosen.not_available:
        console.print(f"not available without a judge model: {', '.join(chosen.not_available)}")
