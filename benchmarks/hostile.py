"""Whether long hostile texts are read in linear time.

    PYTHONPATH=. python benchmarks/hostile.py

Each stretch is repeated to 5,000 and to 20,000 characters, the longest answer that is taken. Answers are scored by
every measure, looked at for oddities and cut as the published client does; names are folded;
articles are masked. Four times the length should take about four times as long, 16 times is quadratic.
Seconds of the processor, the least of three.
"""

import sys
import time
from collections.abc import Callable

from dragon_pipeline.core.corpus.masking import mask
from dragon_pipeline.core.knowledge.names import fold
from dragon_pipeline_tests.rag_bench.test_answering import HOSTILE, score_hostile

MASKED = [
    *(
        "1 ",
        "8 ",
        "+7",
        "@",
        "a@a.",
        "a.",
        "собака ",
        "тел. 12-34-56, ",
        "тел. ",
        "карта 4276 ",
        "кв. 1, ",
        "ул. Мира, ",
        "д. 5 ",
    ),
    *(
        "Аа ",
        "проживает ",
        "г. Ухта, ул. Мира, д. 5, ",
        "8 (495) 123-45-67",
        "AA11",
        "vk.com/",
        "(8",
        "12-34-56",
        "паспорт 4508 ",
    ),
    *("тел. 8 916 123 45 67 8 916 123 45 67 ", ", 4276945807302158 4276945807302158", ", 8 (495) 123-45-67 8 (495) 123-45-67"),
]
SHORT, LONG, ROUNDS = 5_000, 20_000, 3
say = sys.stdout.write


def seconds(act: Callable[[str], object], stretch: str, length: int) -> float:
    took = []
    for turn in range(ROUNDS):
        text = f"{turn}{(stretch * length)[: length - 1]}"  # each another one, so that nothing was read before
        began = time.process_time()
        act(text)
        took.append(time.process_time() - began)
    return min(took)


def main() -> None:
    for what, act, stretches in (
        ("answer", score_hostile, HOSTILE),
        ("name", fold, ["1 ", "a1", "ё-", "щ."]),
        ("article", mask, MASKED),
    ):
        for stretch in stretches:
            short, long = seconds(act, stretch, SHORT), seconds(act, stretch, LONG)
            say(
                f"{what} of {stretch!a:<14} {short * 1000:8.1f} ms {long * 1000:8.1f} ms {long / max(short, 1e-6):6.1f} times\n"
            )


if __name__ == "__main__":
    main()
