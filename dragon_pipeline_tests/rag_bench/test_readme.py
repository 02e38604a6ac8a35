"""Every code block of the client's README is run: against a Hub, a model server and a portal on loopback."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import rag_bench
from dragon_pipeline_tests.adapters.llm.model_server import ModelServer
from dragon_pipeline_tests.rag_bench.portal_server import Said, serving
from dragon_pipeline_tests.rag_bench.releasing import upload

README = Path(rag_bench.__file__).with_name("README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
TWENTY = next(code for kind, code in BLOCKS if kind == "python" and "Baseline(" in code)


def test_every_block_is_python_or_shell():
    assert {kind for kind, _ in BLOCKS} == {"python", "sh"}


def test_the_baseline_has_twenty_lines():
    assert len([line for line in TWENTY.splitlines() if line]) <= 20


@pytest.mark.slow
def test_the_readme_runs_from_top_to_bottom(local_hub, tmp_path):
    upload(local_hub, "1.4.0")
    upload(local_hub, "1.0.0", prefix="sandbox_")
    (tmp_path / "config.json").write_text('{"name": "from the command line"}')
    model = ModelServer("openai", answer=lambda body: "Псков")
    environment = {**os.environ, **local_hub.env, "RAG_BENCH_TOKEN": "тайна", "PYTHONWARNINGS": "error::UserWarning"}
    try:
        with serving(Said(body={"id": 1}), Said(body={"id": 2}), Said(body={"id": 3})) as portal:

            def run(command: list[str]) -> str:
                done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
                assert done.returncode == 0, done.stderr
                assert "тайна" not in done.stdout + done.stderr
                return done.stdout

            def local(code: str) -> str:
                return code.replace("http://localhost:8000/v1", model.url).replace("portal.example", portal.address)

            told = run([sys.executable, "-c", local("\n".join(code for kind, code in BLOCKS if kind == "python"))])
            lines = [
                line for kind, code in BLOCKS if kind == "sh" for line in code.splitlines() if line.startswith("rag-bench")
            ]
            said = [run([sys.executable, "-m", "rag_bench.cli", *shlex.split(local(line))[1:]]) for line in lines]
    finally:
        model.stop()
    assert "3 of 3 questions of version 1.0.0 answered, 0 faults" in told and "submission 1 of version 1.4.0" in told
    assert "\\begin{tabular}" in told and told.splitlines()[-1] == "2"
    assert (
        said[0].startswith("sandbox 1.0.0 of 2026-03-01: 3 questions, 3 texts, with gold")
        and "submission 3 of version 1.4.0" in said[-1]
    )
    assert all(
        (tmp_path / name).stat().st_size > 100 for name in ("bm25.csv", "by_type.png", "radar.png", "results.receipt.json")
    )
    assert [asked.fields["version"] for asked in portal.asked] == ["1.4.0"] * 3
