import csv
import io

from dragon_pipeline.adapters.annotation.cells import unguard
from dragon_pipeline.adapters.annotation.sheet import COLUMNS, LONGEST_CELL, write_sheet
from dragon_pipeline.core.evaluation.annotations import Article, Item
from dragon_pipeline.core.screening.judge import ANSWER_CRITERIA, CRITERIA
from dragon_pipeline.languages.ru.annotation import guide

ITEMS = [
    Item(
        "q1", '=HYPERLINK("https://evil.example")', "@SUM(1)", (Article("Заголовок", "https://a.example", '-1 °C;\n"мороз"'),)
    ),
    Item(
        "q2", "Кто пришёл?", "Лев", (Article("Раз", "https://b.example", "Текст"), Article("Два", "https://c.example", "Ещё"))
    ),
]


def read(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def test_there_is_a_row_for_each_question_and_criterion_to_fill_in():
    rows = read(write_sheet(ITEMS, guide()))
    assert list(rows[0]) == list(COLUMNS)
    assert sorted((row["qa_id"], row["criterion"]) for row in rows) == sorted((q, c) for q in ("q1", "q2") for c in CRITERIA)
    assert {(row["annotator"], row["value"]) for row in rows} == {("", "")}


def test_no_answer_stands_before_all_questions_are_judged():
    rows = read(write_sheet(ITEMS, guide()))
    answered = [bool(row["answer"]) for row in rows]
    assert answered == sorted(answered)
    assert {row["criterion"] for row in rows if row["answer"]} == ANSWER_CRITERIA


def test_no_cell_is_a_formula_and_every_text_comes_back():
    rows = read(write_sheet(ITEMS, guide()))
    assert not [cell for row in rows for cell in row.values() if cell.startswith(("=", "+", "-", "@"))]
    first = next(row for row in rows if row["qa_id"] == "q1" and row["answer"])
    assert unguard(first["question"]) == ITEMS[0].question
    assert unguard(first["answer"]) == ITEMS[0].answer
    assert first["articles"] == '[1] Заголовок\nhttps://a.example\n-1 °C;\n"мороз"'


def test_the_articles_stand_once_in_either_part_and_other_rows_point_up():
    rows = read(write_sheet(ITEMS, guide()))
    for item in ("q1", "q2"):
        for with_answer in (False, True):
            cells = [row["articles"] for row in rows if row["qa_id"] == item and bool(row["answer"]) == with_answer]
            assert cells[0].startswith("[1] ")
            assert set(cells[1:]) == {"↑"}


def test_a_cell_is_no_longer_than_a_spreadsheet_takes():
    item = Item("q1", "Кто?", "Лев", (Article("Длинная", "https://a.example", "о" * 100_000),))
    cell = read(write_sheet([item], guide()))[0]["articles"]
    assert LONGEST_CELL < len(cell) < 32_767
    assert cell.endswith("…]")
