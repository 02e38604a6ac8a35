"""Which encoding a page is really in."""

from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, read_bom, resolve_encoding

GUESSES = ("utf-8", "cp1251")


def decode(body: bytes, content_type: str | None) -> str:
    """The page's text. The header is believed unless it gives mojibake; then the byte order mark's, the page's own
    declaration's and the usual Russian encodings' turn comes."""
    header = http_content_type_encoding(content_type or None)
    mark, _ = read_bom(body)
    declared = html_body_declared_encoding(body)
    encodings = [known for name in (mark, header, declared, *GUESSES) if name and (known := resolve_encoding(name))]
    readings = (body.decode(encoding, errors="replace") for encoding in encodings)
    text = next((reading for reading in readings if not is_mojibake(reading)), None)
    if text is None:
        text = body.decode(resolve_encoding(mark or declared or header or GUESSES[0]) or GUESSES[0], errors="replace")
    return text.removeprefix("\ufeff")


def is_mojibake(text: str) -> bool:
    """Whether the text was decoded wrongly, for pages in Russian.

    Right Russian is mostly small Cyrillic letters. UTF-8 read as windows-1251 is half capitals (`Рџ`), windows-1251 read
    as KOI8-R swaps the case, either read as Latin-1 has no Cyrillic, what is no UTF-8 leaves replacement characters, and
    UTF-8 read as KOI8-R draws boxes (`п÷`, `я─`).
    """
    letters = [character for character in text if character > "\x7f" and character.isalpha()]
    small = sum("а" <= character <= "ё" for character in letters)
    boxes = sum("─" <= character <= "▟" for character in text)
    return "\ufffd" in text or 2 * small < len(letters) or 4 * boxes > len(letters)
