"""The CSV that annotators fill in: one row for each question and criterion."""

import csv
import io
from collections.abc import Iterator, Sequence

from dragon_pipeline.adapters.annotation.cells import guard
from dragon_pipeline.core.evaluation.annotations import Article, Criterion, Guide, Item

COLUMNS = ("qa_id", "criterion", "annotator", "value", "asks", "question", "answer", "articles")
LONGEST_CELL = 32_000
"""Characters; a spreadsheet's cell holds 32,767 at most, and more would spill over and break the file."""
CUT = "[…]"
ABOVE = "↑"


def write_sheet(items: Sequence[Item], guide: Guide) -> bytes:
    """UTF-8 with a mark, as spreadsheets want it.

    First every question with the criteria that need no answer, then, with the answers, the others: who goes from top to bottom
    has judged all questions before the first answer is seen. The articles stand in a question's first row of either part, and
    the rows below point up to it: in each row they would make a file that no spreadsheet opens.
    """
    text = io.StringIO(newline="")
    sheet = csv.writer(text)
    sheet.writerow(COLUMNS)
    for with_answer in (False, True):
        asked = [criterion for criterion in guide.criteria if criterion.with_answer == with_answer]
        for item in items:
            sheet.writerows(_rows(item, asked))
    return text.getvalue().encode("utf-8-sig")


def _rows(item: Item, criteria: Sequence[Criterion]) -> Iterator[list[str]]:
    articles = _fit("\n\n".join(whole(number, article) for number, article in enumerate(item.articles, 1)))
    for criterion in criteria:
        answer = item.answer if criterion.with_answer else ""
        asks = f"{criterion.title}. {criterion.asks}"
        yield [guard(cell) for cell in (item.qa_id, criterion.name, "", "", asks, _fit(item.question), _fit(answer), articles)]
        articles = ABOVE


def whole(number: int, article: Article) -> str:
    """An article as annotators read it: number, headline, address, text."""
    return f"[{number}] {article.title}\n{article.url}\n{article.text}"


def _fit(text: str) -> str:
    return text if len(text) <= LONGEST_CELL else f"{text[:LONGEST_CELL]}\n{CUT}"
