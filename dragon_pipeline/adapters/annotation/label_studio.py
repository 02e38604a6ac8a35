"""A Label Studio project: the labeling interface as XML, and the tasks as JSON (labelstud.io/guide/tasks, /tags)."""

import json
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from dragon_pipeline.adapters.annotation.sheet import whole
from dragon_pipeline.core.evaluation.annotations import Criterion, Guide, Item

STYLE = ".htx-text { white-space: pre-wrap; }"
"""keeps the paragraphs of the articles"""


def labeling_config(guide: Guide) -> str:
    """What goes into Settings → Labeling Interface → Code.

    Articles stand to the left. To the right stand the question and the criteria that need no answer; each next one appears when
    the one before is chosen, and the answer with its criteria when all of those are. `Text` shows its value as it is, never as
    HTML.
    """
    root = Element("View", style="display: flex; gap: 2em; align-items: flex-start")
    SubElement(root, "Style").text = STYLE
    left = SubElement(root, "View", style="flex: 1; max-height: 90vh; overflow-y: auto")
    _shown(left, guide.articles, "articles")
    right = SubElement(root, "View", style="flex: 1; max-height: 90vh; overflow-y: auto")
    _shown(right, guide.question, "question")
    place = right
    for criterion in guide.criteria:
        if not criterion.with_answer:
            _asked(place, criterion, guide, "question")
            place = SubElement(place, "View", visibleWhen="choice-selected", whenTagName=criterion.name)
    _shown(place, guide.answer, "answer")
    for criterion in guide.criteria:
        if criterion.with_answer:
            _asked(place, criterion, guide, "answer")
    indent(root)
    return tostring(root, encoding="unicode") + "\n"


def tasks(items: Sequence[Item]) -> str:
    """What Import takes: a JSON list of tasks."""
    told = [
        {
            "data": {
                "qa_id": item.qa_id,
                "question": item.question,
                "answer": item.answer,
                "articles": "\n\n".join(whole(number, article) for number, article in enumerate(item.articles, 1)),
            }
        }
        for item in items
    ]
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"


def _shown(place: Element, title: str, name: str) -> None:
    SubElement(place, "Header", value=title, size="4")
    SubElement(place, "Text", name=name, value=f"${name}", valueType="text", selectionEnabled="false")


def _asked(place: Element, criterion: Criterion, guide: Guide, about: str) -> None:
    SubElement(place, "Header", value=criterion.title, size="5")
    SubElement(place, "Header", value=criterion.asks, size="6", style="font: inherit; margin: 0")
    choices = SubElement(
        place,
        "Choices",
        name=criterion.name,
        toName=about,
        choice="single-radio",
        showInline="true",
        required="true",
        requiredMessage=guide.required,
    )
    for value in (guide.good, guide.not_good):
        SubElement(choices, "Choice", value=value)
