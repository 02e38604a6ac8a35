import pytest

from dragon_pipeline.languages.ru.parsing import parse, sentences

TEXT = (
    "Мэр Казани открыл завод\nКомпания «Полярис» открыла завод в Казани. Об этом сообщил А. В. Громов.\n\n"
    "Завод выпустит 2139 машин."
)


@pytest.fixture(scope="module")
def parsed():
    return parse(TEXT)


def test_every_offset_counts_characters_of_the_text(parsed):
    for sentence in parsed.sentences:
        assert sentence.text == TEXT[sentence.start : sentence.stop]
        assert all(TEXT[token.start : token.stop] == token.text for token in sentence.tokens)
        assert all(TEXT[name.start : name.stop] == name.text for name in sentence.names)


def test_a_line_ends_a_sentence(parsed):
    """A headline is not the start of the next paragraph."""
    assert [sentence.text for sentence in parsed.sentences] == [
        "Мэр Казани открыл завод",
        "Компания «Полярис» открыла завод в Казани.",
        "Об этом сообщил А. В. Громов.",
        "Завод выпустит 2139 машин.",
    ]


@pytest.mark.parametrize("text", [TEXT, "\n\n" + TEXT + " \n", "Одно", "", " \n\t", "а.\n\nб. В"])
def test_sentences_alone_are_those_of_parsing(text: str):
    assert sentences(text) == [(sentence.start, sentence.stop) for sentence in parse(text).sentences]


def test_names_lie_inside_their_sentence_and_hold_their_head(parsed):
    names = list(parsed.names())
    assert {"Казани"} <= {name.text for _, name in names}
    for sentence, name in names:
        assert sentence.name_at(name.head) is name
        assert name.first <= name.head <= name.last


def test_children_and_heads_agree(parsed):
    for sentence in parsed.sentences:
        for token in sentence.tokens:
            assert token.head != token.i
            assert all(sentence.tokens[child].head == token.i for child in sentence.children[token.i])
            assert token.i in sentence.subtree(token.i)


def test_a_branch_can_be_left_out_of_a_subtree(parsed):
    sentence = parsed.sentences[1]
    (root,) = [token.i for token in sentence.tokens if token.rel == "root"]
    child = sentence.children[root][0]
    assert sorted([*sentence.subtree(root, frozenset({child})), *sentence.subtree(child)]) == sentence.subtree(root)


@pytest.mark.parametrize("text", ["", "\n\n", " ", "…", "«»", "\n—\n"])
def test_texts_without_words_are_parsed(text):
    assert not list(parse(text).names())


def test_the_same_text_is_parsed_to_the_same(parsed):
    parse.cache_clear()
    assert parse(TEXT) == parsed
