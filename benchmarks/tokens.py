"""Counts tokens for model_cost.py: reads a JSON list of texts a line, writes the list of their counts.

    python benchmarks/tokens.py TOKENIZER

A program of its own, so that it may run in another environment than the pipeline's: it needs the tokenizer's package alone.
TOKENIZER is one of

    bytes                 UTF-8 bytes: what the pipeline takes where a server does not count
    tekken                Mistral's vocabulary of 131,072 tokens, from the package mistral-common
    llama3:FILE           tokenizer.model of Llama 3 to 3.3 (ranks in tiktoken's format), package tiktoken
    qwen:FILE             qwen.tiktoken of Qwen to Qwen 2.5, package tiktoken
    FILE                  any tokenizer.json, package tokenizers
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path

Count = Callable[[str], int]
PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}{digits}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
DIGITS = {"llama3": "{1,3}", "qwen": ""}


def main() -> None:
    count = counter(sys.argv[1] if len(sys.argv) > 1 else "bytes")
    for texts in map(json.loads, sys.stdin):
        sys.stdout.write(json.dumps([count(text) for text in texts]) + "\n")
        sys.stdout.flush()


def counter(name: str) -> Count:
    if name == "bytes":
        return lambda text: len(text.encode())
    if name == "tekken":
        return _tekken()
    kind, _, file = name.partition(":")
    return _ranks(file, DIGITS[kind]) if kind in DIGITS else _json(name)


def _tekken() -> Count:
    import mistral_common  # pyright: ignore[reportMissingImports]
    from mistral_common.tokens.tokenizers.tekken import Tekkenizer  # pyright: ignore[reportMissingImports]

    newest = max((Path(mistral_common.__file__ or "").parent / "data").glob("tekken_*.json"))
    vocabulary = Tekkenizer.from_file(newest)
    return lambda text: len(vocabulary.encode(text, bos=False, eos=False))


def _ranks(file: str, digits: str) -> Count:
    import tiktoken  # pyright: ignore[reportMissingImports]
    from tiktoken.load import load_tiktoken_bpe  # pyright: ignore[reportMissingImports]

    ranks = load_tiktoken_bpe(str(Path(file).absolute()))
    encoding = tiktoken.Encoding("ranks", pat_str=PATTERN.format(digits=digits), mergeable_ranks=ranks, special_tokens={})
    return lambda text: len(encoding.encode_ordinary(text))


def _json(file: str) -> Count:
    from tokenizers import Tokenizer  # pyright: ignore[reportMissingImports]

    vocabulary = Tokenizer.from_file(file)
    return lambda text: len(vocabulary.encode(text, add_special_tokens=False).ids)


if __name__ == "__main__":
    main()
