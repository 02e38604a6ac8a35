import pytest

from dragon_pipeline.core.questions.completeness import Window
from dragon_pipeline.core.questions.shapes import sets


@pytest.fixture
def complete(window, lemmas):
    """Whether the only set of the facts is complete over these further texts."""

    def ask(facts, *texts: str, articles=None) -> bool:
        made = window(facts, {f"t{n}": text for n, text in enumerate(texts)}, articles=articles)
        graph = made.graph()
        (shape,) = sets(graph, (2, 10)).shapes(graph)
        return Window(made.articles, lemmas).complete(shape)

    return ask


@pytest.fixture
def bought(fact):
    return [fact("Полярис", "купить", tail) for tail in ("Маяк", "Лад")]


def test_a_set_is_complete_when_no_text_adds_to_it(complete, bought):
    assert complete(bought)
    assert complete(bought, "Погода сегодня хорошая.", "Вектор купить завод Новый Свет.")


def test_a_sentence_with_the_same_end_and_relation_and_another_name_makes_it_incomplete(complete, bought):
    assert not complete(bought, "В марте Полярис купить завод «Новый Свет».")


@pytest.mark.parametrize(
    "text",
    [
        "В марте Полярис купить завод «Маяк».",
        "В марте Полярис продать завод «Новый Свет».",
        "В марте Полярис хотел. А купить завод «Новый Свет» смог Вектор.",
        "В марте Полярис купить новый трактор.",
    ],
)
def test_the_answers_themselves_another_relation_or_no_name_add_nothing(complete, bought, text):
    assert complete(bought, text)


def test_the_evidence_itself_is_no_further_answer(complete, fact):
    sentence = "В Твери Полярис купить Маяк и Лад у Олега Дымова."
    assert complete([fact("Полярис", "купить", tail, sentence=sentence) for tail in ("Маяк", "Лад")])


def test_a_reprint_of_the_evidence_is_no_further_answer(complete, fact):
    sentence = "В Твери Полярис купить Маяк и Лад у Олега Дымова."
    facts = [fact("Полярис", "купить", tail, sentence=sentence) for tail in ("Маяк", "Лад")]
    assert complete(facts, f"Пишут соседи. {sentence} Так и было.")


def test_a_text_that_was_replaced_does_not_count(complete, bought, article):
    page = "https://vestnik.example/page"
    old = {**article("t0", page, "2024-03-14", 1), "text": "В марте Полярис купить завод «Новый Свет»."}
    new = {**article("t1", page, version=2), "text": "В марте Полярис ничего не покупал."}
    own = {**article("a1"), "text": "Полярис купить Маяк. Полярис купить Лад."}
    assert complete(bought, articles=[own, old, new])
    assert not complete(bought, articles=[own, old])


def test_texts_without_sentences_are_read(complete, bought):
    assert complete(bought, "", "\n\n", "…")


def test_only_sentences_that_may_add_an_answer_are_lemmatised(window, bought, lemmas):
    """Lemmas are the dear part: of a month, those of all texts take minutes."""
    read = []

    def counting(text: str) -> list[str]:
        read.append(text)
        return lemmas(text)

    texts = {"t1": "Погода хорошая. Вчера в Твери Олег Дымов пел. Вчера Поляриса не было у Олег Дымов. Полярис спит."}
    made = window(bought, texts)
    graph = made.graph()
    (shape,) = sets(graph, (2, 10)).shapes(graph)
    assert Window(made.articles, counting).complete(shape)
    assert [text for text in read if text in texts["t1"] and len(text) > 20] == ["Вчера Поляриса не было у Олег Дымов."]


@pytest.mark.parametrize("name", ["Ёлка", "Лад", "Ян"])
def test_a_short_name_and_one_with_yo_are_found_in_any_case(window, fact, name):
    """The first letters are what a sentence is looked for by; the stand-in for a lemmatiser knows one case besides."""
    facts = [fact(name, "купить", tail) for tail in ("Маяк", "Лес")]
    folded = name.lower().replace("ё", "е")

    def lemmas(text: str) -> list[str]:
        words = [word.strip(".«»").lower().replace("ё", "е") for word in text.split()]
        return [folded if word == folded[:-1] + "ы" else word for word in words]

    other = folded[:-1] + "ы"
    made = window(facts, {"t1": f"Вчера {other.capitalize()} купить завод «Новый Свет»."})
    graph = made.graph()
    (shape,) = sets(graph, (2, 10)).shapes(graph)
    assert not Window(made.articles, lemmas).complete(shape)
