import io

import pytest
from rich.console import Console

from dragon_pipeline.commands.printing import print_table


@pytest.mark.parametrize("terminal", [True, False])
def test_what_a_page_says_moves_nothing_on_the_terminal(terminal):
    out = io.StringIO()
    cell = "\x1b[2J\x1b]8;;https://other.example\x07мост\x9b31m \u202eзадом\u200b [red]вперёд[/red]"
    print_table(Console(file=out, force_terminal=terminal, no_color=True, width=200), ("title",), [(cell,)])
    told = out.getvalue()
    assert "[red]вперёд[/red]" in told and "мост" in told
    assert not set("\x07\x9b\u202e\u200b") & set(told)
    assert "\x1b[2J" not in told and "\x1b]8" not in told
