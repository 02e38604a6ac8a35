"""Text from outside, as it may be shown: nothing in it moves a cursor, breaks a line or hides what follows."""


def printable(text: object) -> str:
    """One line; a sign that does not print is a space."""
    return "".join(sign if sign.isprintable() else " " for sign in str(text))
