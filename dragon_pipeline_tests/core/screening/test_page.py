import re

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import html

from dragon_pipeline.core.records import ARTICLES, FACTS, QA, SUBGRAPHS, TRIPLETS, VERDICTS
from dragon_pipeline.core.screening.funnel import Corpus, Screened, build_funnel
from dragon_pipeline.core.screening.page import LONG, render_page, shown, web
from dragon_pipeline.core.screening.selection import select

HOSTILE = (
    "</bdi><script>alert(1)</script><img src=x onerror=alert(2)>"
    "\" onmouseover=\"alert(3)' style='color:red \u202eabc\u2066 {{ 7*7 }}"
)
"""What an article or a model may say."""


def row(table, **values):
    blank = {pl.String(): "", pl.Int64(): 0, pl.Float64(): 0.0, pl.Boolean(): False, pl.List(pl.String()): []}
    return {name: None if column.null else blank[column.dtype] for name, column in table.columns.items()} | values


def page_of(text="Тула", url="https://gazeta.example/1", order=lambda frame: frame, per_type=1):
    """The page of a day whose four questions, three of them written and one accepted, all say the text."""
    facts = FACTS.frame(
        [row(FACTS, fact_id="f", triplet_id="t", article_id="a", novelty="novel", sentence=f"Завод стоит в {text}.", url=url,
             outlet=f"gazeta {text}", head=text, relation=f"стоять {text}", tail=text)]
    )  # fmt: skip
    corpus = Corpus(
        ARTICLES.frame([row(ARTICLES, article_id="a", outlet=f"gazeta {text}")]),
        TRIPLETS.frame([row(TRIPLETS, triplet_id="t", article_id="a", status="kept")]),
        facts,
    )
    values = {"type": "simple", "fact_ids": ["f"], "subgraph": "[]", "given": [text]}
    subgraphs = SUBGRAPHS.frame([row(SUBGRAPHS, qa_id=id, **values) for id in "abcd"])
    written = {"question": f"Что стоит в {text}?", "answer": text, "answers": [text], "writer": text}
    questions = [row(QA, qa_id=id, **values, **written) for id in "abc"]
    qa = QA.frame([*questions, row(QA, qa_id="d", **values, answers=[text], reason=f"refused: {text}", raw=text)])
    verdicts = VERDICTS.frame(
        [
            row(VERDICTS, qa_id=id, order=0, screen="closed_book", outcome=outcome, reason=reason, evidence=text, score=0.5)
            for id, outcome, reason in (("a", "passed", None), ("b", "failed", f"answered: {text}"), ("c", "passed", None))
        ]
        + [row(VERDICTS, qa_id=id, order=1, screen=f"judge_{text}", outcome="not_run", reason=f"no: {text}") for id in "abc"]
    )
    chosen = select(qa, verdicts, per_type, [])
    screened = Screened(*map(order, (subgraphs, qa, verdicts, chosen.accepted, chosen.rejected)))
    return render_page("2025-09-01", order(build_funnel(corpus, screened, per_type)), corpus, screened, order(facts))


@pytest.fixture(scope="module")
def plain():
    return html.fromstring(page_of())


def test_what_a_text_says_stays_text():
    found = html.fromstring(page_of(HOSTILE))
    tags = {element.tag for element in found.iter() if isinstance(element.tag, str)}
    assert tags == {element.tag for element in html.fromstring(page_of()).iter() if isinstance(element.tag, str)}
    assert not tags & {"script", "img", "iframe", "object", "link", "form"}
    assert {name for element in found.iter() for name in element.attrib if name.startswith("on")} == set()
    assert "<script>alert(1)</script>" in found.text_content() and "{{ 7*7 }}" in found.text_content()


def test_signs_that_turn_the_direction_of_writing_are_shown_by_their_number():
    text = page_of(HOSTILE).decode()
    assert "\u202e" not in text and "\u2066" not in text
    assert "⟨U+202E⟩abc⟨U+2066⟩" in text


@settings(max_examples=40, deadline=None)
@given(st.text(min_size=1, max_size=40))
def test_no_text_changes_the_page_around_it(text):
    def outline(page):
        return [(e.tag, sorted(e.attrib)) for e in html.fromstring(page).iter() if isinstance(e.tag, str)]

    assert outline(page_of(text)) == outline(page_of("Тула"))


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "data:text/html,x", "https://a.example/ x", '"><b>', "", "https://a\nb"]
)
def test_only_addresses_of_the_web_are_links(url):
    assert web(url) is None
    assert html.fromstring(page_of(url=url)).xpath("//a") == []


def test_a_link_leads_to_the_article_and_tells_it_nothing(plain):
    (target,) = {link.get("href") for link in plain.xpath("//a")}
    assert target == "https://gazeta.example/1"
    assert all(link.get("rel") == "noopener noreferrer" for link in plain.xpath("//a"))


def test_the_page_needs_nothing_from_outside():
    text = page_of().decode()
    assert not re.search(r"\b(src|srcset|poster|action|background)\s*=|url\(|@import", text)
    assert "default-src 'none'" in text


def test_equal_tables_in_any_order_of_rows_give_equal_bytes():
    assert page_of(per_type=2) == page_of(order=lambda frame: frame.sample(fraction=1, shuffle=True, seed=5), per_type=2)


def test_it_says_what_was_accepted_and_why_the_rest_was_not(plain):
    assert [card.get("class") for card in plain.xpath("//article")] == ["card"] * 4
    said = [" ".join(node.text_content().split()) for node in plain.xpath("//p[@class='because']")]
    assert said == ["rejected refused: Тула", "rejected answered: Тула", "rejected rank: worth 0.480 behind 1 taken"]
    assert all("Завод стоит в Тула." in card.text_content() for card in plain.xpath("//article"))
    totals = {one.findtext("dt"): one.findtext("dd") for one in plain.xpath("//dl/div")}
    assert totals == {"articles": "1", "facts to ask about": "1", "questions drawn": "4", "written": "3", "accepted": "1"}


def test_it_shows_a_screen_that_did_not_run_as_such(plain):
    (row,) = plain.xpath("//table[@class='funnel']//tr[th[starts-with(text(), 'judge_')]]")
    assert "not run" in row.text_content() and row.xpath(".//*[name()='svg']") == []


def test_it_counts_by_outlet_and_by_entity(plain):
    rows = [
        [" ".join(cell.text_content().split()) for cell in row]
        for row in plain.xpath("//section[last()]//tr | //section[6]//tr")
    ]
    assert ["gazeta Тула", "1", "1", "3", "1"] in rows
    assert ["Тула", "1", "1", "1", "0"] in rows


def test_a_long_text_is_cut():
    assert len(shown("д" * 5000)) == LONG


def test_a_day_of_nothing_has_a_page():
    corpus = Corpus(ARTICLES.empty(), TRIPLETS.empty(), FACTS.empty())
    chosen = select(QA.empty(), VERDICTS.empty(), 3, ["grammar"])
    screened = Screened(SUBGRAPHS.empty(), QA.empty(), VERDICTS.empty(), chosen.accepted, chosen.rejected)
    page = render_page("2025-09-01", build_funnel(corpus, screened, 3), corpus, screened, FACTS.empty()).decode()
    assert page.count("<p>None.</p>") == 2
    assert "0 of 3: none drawn" in page
