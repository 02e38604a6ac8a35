"""Check digits of numbers that have them: a number that fails is none of these."""

import re


def is_card(number: str) -> bool:
    """By Luhn's formula (ISO/IEC 7812-1)."""
    digits = [int(digit) for digit in re.sub(r"\D", "", number)]
    doubled = [digit * 2 - 9 * (digit > 4) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def is_iban(number: str) -> bool:
    """By ISO 13616: letters as two digits, the country and its check digits last, 1 modulo 97."""
    bare = number.replace(" ", "")
    return int("".join(str(int(character, 36)) for character in bare[4:] + bare[:4])) % 97 == 1
