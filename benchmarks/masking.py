"""How much personal data is masked, and how much else: on the written cases, by kind, and how fast.

    PYTHONPATH=. python benchmarks/masking.py [--wrong] [--news NEWS.jsonl.gz]

A span counts as found when exactly its characters are. `--news` also masks real articles and prints every masked span with
what stands around it, for people to read. Articles per second of the processor are the median of five rounds.
"""

import argparse
import gzip
import json
import statistics
import sys
import time
from pathlib import Path

from dragon_pipeline.core.corpus.masking import find, mask
from dragon_pipeline_tests.core.corpus.masking_cases import Score, cases, score

ROUNDS, AROUND = 5, 60
say = sys.stdout.write


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wrong", action="store_true", help="print what was missed or masked wrongly")
    parser.add_argument("--news", type=Path, help="JSONL of articles with title, lead and text")
    told = parser.parse_args()
    for part in ("seen", "held_out"):
        scores = score(cases(part))
        say(f"{part}: {len(cases(part))} cases\n")
        for kind, one in sorted(scores.items()):
            say(f"  {kind:<9} {_line(one)}\n")
            for text in one.wrong if told.wrong else ():
                say(f"      {text}\n")
    if told.news:
        _read_news(told.news)


def _line(one: Score) -> str:
    return f"precision {one.precision:.3f}  recall {one.recall:.3f}  right {one.right} of {one.wanted}, masked {one.masked}"


def _read_news(path: Path) -> None:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        texts = ["\n".join(row.get(name) or "" for name in ("title", "lead", "text")) for row in map(json.loads, lines)]
    rates = []
    for _ in range(ROUNDS):
        began = time.process_time()
        for text in texts:
            mask(text)
        rates.append(len(texts) / (time.process_time() - began))
    found = [(text, span) for text in texts for span in find(text)]
    for text, span in found:
        before, after = text[max(0, span.start - AROUND) : span.start], text[span.stop : span.stop + AROUND // 2]
        say(f"{span.kind}\t{before}⟦{text[span.start : span.stop]}⟧{after}".replace("\n", " ") + "\n")
    say(f"{len(found)} spans in {sum(bool(find(text)) for text in texts)} of {len(texts)} articles; ")
    say(f"{statistics.median(rates):.0f} articles/s\n")


if __name__ == "__main__":
    main()
