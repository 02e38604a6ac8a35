"""Tables on the terminal; plain columns when the output is no terminal."""

from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text


def print_table(console: Console, columns: Sequence[str], rows: Iterable[Sequence[object]], title: str | None = None) -> None:
    if console.is_terminal:
        table = Table(*columns, title=title, title_justify="left", box=box.SIMPLE_HEAD)
        for row in rows:
            table.add_row(*(Text(plain(cell)) for cell in row))
        console.print(table)
        return
    lines = [tuple(columns), *(tuple(map(plain, row)) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    told = [title or "", *("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)]
    console.print(*told, sep="\n", soft_wrap=True, markup=False)


def plain(cell: object) -> str:
    """Without what moves a cursor, colours, links or turns the direction: cells hold words of pages and servers."""
    return "".join(character if character.isprintable() or character == "\n" else " " for character in str(cell))
