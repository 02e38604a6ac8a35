import csv
import io
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rag_bench
from dragon_pipeline_tests.rag_bench.releasing import TABLES
from rag_bench.errors import UnknownMeasure
from rag_bench.tables import ResultTable

GOOD = {one: {"found_ids": [one], "model_answer": TABLES["private_qa"][one]["answer"]} for one in range(3)}
WORSE = {**GOOD, 2: {"found_ids": [0], "model_answer": "Омск"}}
HOSTILE = "a_b & 50% {x}\\^~#$"


def evaluate(run):
    return rag_bench.evaluate(run, TABLES["private_qa"], TABLES["private_texts"], ["hit@5", "exact"])


@pytest.fixture
def scores():
    return {"хуже": evaluate(WORSE), "лучше": evaluate(GOOD)}


def test_scores_print_by_type(scores):
    names = scores["хуже"].measures
    assert str(rag_bench.score_table(scores["хуже"])).splitlines() == [
        "measure    conditional  simple     all",
        f"{names[0]:<9}       0.0000  1.0000  0.6667",
        f"{names[1]:<9}       0.0000  1.0000  0.6667",
        "questions            1       2       3",
    ]


def test_systems_print_the_best_first(scores):
    table = rag_bench.system_table(scores)
    assert [row[0] for row in table.rows] == ["лучше", "хуже"] and table.rows[0][1:] == (1.0, 1.0)
    assert rag_bench.system_table(scores, "conditional").rows[1][1:] == (0.0, 0.0)
    assert str(rag_bench.system_table({})) == "system"


def test_a_measure_that_was_not_computed_is_said(scores):
    with pytest.raises(UnknownMeasure, match=r"MRR@5 was not computed; there are Hit@5, Exact"):
        rag_bench.system_table(scores, by="mrr@5")
    with pytest.raises(KeyError, match=r"MRR@5 was not computed; there are Hit@5, Exact"):
        scores["хуже"].mean("MRR@5")


def test_a_notebook_shows_what_print_shows(scores):
    table = rag_bench.score_table(scores["хуже"])
    assert repr(table) == str(table)
    assert repr(scores["хуже"]) == "Scores(3 questions, 0 unanswered: Hit@5 0.6667, Exact 0.6667)"


def test_what_a_system_has_no_value_for_is_a_dash_and_stands_last(scores):
    one = rag_bench.evaluate(GOOD, TABLES["private_qa"], TABLES["private_texts"], ["exact"])
    table = rag_bench.system_table({"без": one, **scores}, by=str(scores["хуже"].measures[0]))
    assert table.rows[-1][0] == "без" and str(table).splitlines()[-1].split()[1:] == ["1.0000", "–"]


def test_pairs_of_systems_print_with_their_intervals(scores):
    told = str(rag_bench.comparison_table(rag_bench.compare_all(scores, "exact"))).splitlines()
    assert told[0].endswith(", 3 questions") and told[1].split() == [
        "better",
        "worse",
        "difference",
        "low",
        "high",
        "p",
        "p",
        "(Holm)",
    ]
    assert told[2].split()[:3] == ["лучше", "хуже", "0.3333"] and len(told) == 3


def test_csv_and_json_keep_every_digit(tmp_path):
    table = ResultTable(("система", "m"), (("первая, «да»", 1 / 3), ("вторая", None)), "Итог")
    assert list(csv.reader(io.StringIO(table.to_csv(tmp_path / "t.csv")))) == [
        ["система", "m"],
        ["первая, «да»", repr(1 / 3)],
        ["вторая", ""],
    ]
    assert (tmp_path / "t.csv").read_text("utf-8").count("\n") == 3
    told = json.loads(table.to_json(tmp_path / "t.json"))
    assert told == {"title": "Итог", "rows": [{"система": "первая, «да»", "m": 1 / 3}, {"система": "вторая", "m": None}]}
    assert json.loads((tmp_path / "t.json").read_bytes()) == told


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@x", "\tx"])
def test_a_name_that_a_spreadsheet_would_compute_is_text(name):
    assert list(csv.reader(io.StringIO(ResultTable(("s", "m"), ((name, -1.5),)).to_csv())))[1] == [f"'{name}", "-1.5"]


def test_latex_escapes_what_it_would_read_as_commands(tmp_path):
    told = ResultTable(("system", "Hit@5"), ((HOSTILE, 0.5),)).to_latex(tmp_path / "t.tex")
    assert told == (
        "\\begin{tabular}{lr}\n\\toprule\nsystem & Hit@5 \\\\\n\\midrule\n"
        "a\\_b \\& 50\\% \\{x\\}\\textbackslash{}\\textasciicircum{}\\textasciitilde{}\\#\\$ & 0.5000 \\\\\n"
        "\\bottomrule\n\\end{tabular}\n"
    )
    assert (tmp_path / "t.tex").read_text("utf-8") == told


def test_a_name_moves_no_cursor_and_breaks_no_line():
    told = str(ResultTable(("s", "m"), (("\x1b[2Jимя\nстрока", 0.5),)))
    assert "\x1b" not in told and len(told.splitlines()) == 2


CELLS = st.one_of(st.text(), st.integers(), st.none(), st.floats(allow_nan=False, allow_infinity=False))


@given(st.lists(st.tuples(st.text(min_size=1), CELLS), max_size=5))
def test_what_is_exported_is_what_was_in_the_table(rows):
    table = ResultTable(("a", "b"), tuple(rows))
    assert [tuple(row.values()) for row in json.loads(table.to_json())["rows"]] == rows
    read = list(csv.reader(io.StringIO(table.to_csv(), newline="")))[1:]
    plain = [tuple("" if cell is None else str(cell) for cell in row) for row in rows]
    assert [tuple(cell.removeprefix("'") for cell in row) for row in read] == [
        tuple(cell.removeprefix("'") for cell in row) for row in plain
    ]
    assert str(table).count("\n") == len(rows)


@given(st.text())
def test_no_name_escapes_from_a_cell_of_latex(name):
    lines = ResultTable(("a", "b"), ((name, 1.0),)).to_latex().split("\n")
    cell, end = lines[4].rsplit(" & ", 1)
    assert end == r"1.0000 \\" and len(lines) == 8
    bare = re.sub(r"\\(?:[&%$#_{}]|text\w+\{\})", "", cell)
    assert not set(bare) & set("&%$#_{}~^\\")
