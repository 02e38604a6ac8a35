"""What readers are asked to do in tests: functions of a module, as a reader process imports them."""

import os
import re
import time


class Odd(Exception):
    """Cannot cross to another process: it takes two arguments and keeps one."""

    def __init__(self, first: str, second: str):
        super().__init__(first)


def double(number: int) -> int:
    return 2 * number


def pid() -> int:
    return os.getpid()


def sleep(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()


def never() -> object:
    """A pattern that does not end."""
    return re.match(r"(a|aa)+$", "a" * 200 + "b")


def die() -> None:
    os._exit(3)


def divide() -> float:
    return 1 / 0


def oddly() -> None:
    raise Odd("one", "two")


def hoard() -> int:
    """Takes more memory than any page needs."""
    return len(bytearray(4 * 1024**3))
