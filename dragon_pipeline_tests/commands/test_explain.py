"""How `dragon explain` shows what a verdict rests on."""

import json

import pytest

from dragon_pipeline.commands.explain import evidence_lines, read_evidence


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (None, []),
        ("no JSON, but a sentence", ["no JSON, but a sentence"]),
        (
            json.dumps([{"model": "m0", "reply": "Не знаю.", "knew": False}, {"model": "m1", "reply": "Тула", "knew": True}]),
            ["model: m0, reply: Не знаю., knew: no", "model: m1, reply: Тула, knew: yes"],
        ),
        (
            json.dumps({"article_id": "a1", "sentences": ["Одно.", "Другое."]}),
            ["article_id: a1, sentences: Одно. / Другое."],
        ),
        (json.dumps([{"model": "m", "reply": "timeout"}]), ["model: m, reply: timeout"]),
    ],
)
def test_each_reply_is_a_line(text, lines):
    assert evidence_lines(read_evidence(text)) == lines


def test_a_reply_cannot_move_the_cursor_or_open_a_line():
    (shown,) = evidence_lines(read_evidence(json.dumps([{"reply": "Тула\n\x1b[2JСтёрто"}])))
    assert "\n" not in shown and "\x1b" not in shown
