"""Cells of CSV that a spreadsheet must not run as formulas."""

import re

FORMULA = re.compile(r"['\s]*[=+\-@＝＋－＠]|'*[\t\r\n]")
"""How a cell begins that some spreadsheet may take for a formula; apostrophes before it count, so that
`guard` can be undone."""


def guard(cell: str) -> str:
    """The cell, with an apostrophe before it when it begins as a formula may: spreadsheets then show it as text."""
    return f"'{cell}" if FORMULA.match(cell) else cell


def unguard(cell: str) -> str:
    """What `guard` was given, for every text."""
    return cell[1:] if cell.startswith("'") and FORMULA.match(cell[1:]) else cell
