"""Plots of scores by question type. They need the extra `plots`, and no screen."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rag_bench.installation import require
from rag_bench.scores import ALL, Scores

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FONT: dict[Any, Any] = {"font.family": "DejaVu Sans"}
"""comes with matplotlib and has Cyrillic letters"""
INCHES = (8.0, 4.5)


def by_type(scores: Mapping[str, Scores], measure: str, path: str | Path | None = None) -> "Figure":
    """Grouped bars: a group for each question type and one for all, a bar for each system.

    Args:
        scores: name of the system → its scores on one release.
        path: file to write; its ending says what (.png, .svg, .pdf).

    Raises:
        MissingExtra: matplotlib is not installed.
        ValueError: there is nothing to show.
    """
    types = _types(scores)
    require("matplotlib", "plots")
    from matplotlib import rc_context

    with rc_context(FONT):
        figure, axes = _figure()
        width = 0.8 / len(scores)
        for place, (name, one) in enumerate(scores.items()):
            places = [group + (place - (len(scores) - 1) / 2) * width for group in range(len(types))]
            axes.bar(places, [_mean(one, measure, type) for type in types], width, label=_as_text(name))
        axes.set_xticks(range(len(types)), [_as_text(type) for type in types])
        _finish(figure, axes, measure, path)
    return figure


def radar(scores: Mapping[str, Scores], measure: str, path: str | Path | None = None) -> "Figure":
    """A polygon for each system, with a corner for each question type; arguments as `by_type`."""
    types = [type for type in _types(scores) if type != ALL]
    require("matplotlib", "plots")
    from matplotlib import rc_context

    with rc_context(FONT):
        figure, axes = _figure(projection="polar")
        corners = [2 * 3.141592653589793 * place / len(types) for place in range(len(types))]
        for name, one in scores.items():
            values = [_mean(one, measure, type) for type in types]
            axes.plot([*corners, corners[0]], [*values, values[0]], marker="o", label=_as_text(name))
            axes.fill(corners, values, alpha=0.1)
        axes.set_xticks(corners, [_as_text(type) for type in types])
        _finish(figure, axes, measure, path)
    return figure


def _types(scores: Mapping[str, Scores]) -> list[str]:
    types = list(dict.fromkeys(type for one in scores.values() for type in one.types if type != ALL))
    if not types:
        raise ValueError("there are no scores to show")
    return [*types, ALL]


def _mean(scores: Scores, measure: str, type: str) -> float:
    return scores.mean(measure, type) if type in scores.types else 0.0


def _figure(**how: Any) -> tuple["Figure", Any]:
    """Not by pyplot: it keeps figures, and wants to know about screens."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=INCHES, layout="constrained")
    return figure, figure.add_subplot(**how)


def _finish(figure: "Figure", axes: Any, measure: str, path: str | Path | None) -> None:
    axes.set_ylim(0, 1)
    axes.set_title(_as_text(measure))
    figure.legend(loc="outside right upper")
    if path is not None:
        figure.savefig(path, dpi=150)


def _as_text(name: str) -> str:
    """Names come from strangers: a `$` begins no formula, and a leading `_` hides nothing."""
    return "\u200a" * name.startswith("_") + name.replace("$", r"\$")
