# Every target sets up what it needs in .venv, once: a stamp per lock says that it is installed.
PYTHON ?= python3
BIN := .venv/bin
LIVE := .venv-live/bin
PEER := .venv-peer/bin
UV := uv==0.13.9
COMPILE := $(BIN)/uv pip compile -q --universal --python-version 3.11 --no-annotate --no-emit-index-url --custom-compile-command 'make lock'
OF_PROJECT := pyproject.toml --no-emit-package dragon-rag-bench
HOME_DIR ?= .dragon
DATA ?= ../shared/data

.PHONY: demo test slow check browser web live models peer up bench lock clean
.DELETE_ON_ERROR:

demo: .venv/base
	$(BIN)/dragon demo --home $(HOME_DIR)

test: .venv/dev
	$(BIN)/python -m pytest -q -m "not slow" -n auto --dist loadscope

slow: .venv/dev
	$(BIN)/python -m pytest -q -m slow -n auto --dist loadscope --durations=5

check: .venv/dev
	@failed=; for tool in "ruff check -q" "ruff format --check -q" pyright lint-imports "dg check defs" "pytest -q dragon_pipeline_tests/test_house.py"; do \
	  echo "== $$tool"; $(BIN)/$$tool || failed="$$failed, $$tool"; done; \
	  [ -z "$$failed" ] || { echo "check failed: $${failed#, }" >&2; exit 1; }

browser: .venv/browser
	command -v chromium >/dev/null || (apt-get update -q && apt-get install -y -q --no-install-recommends chromium)
	$(BIN)/python -m pytest -q dragon_pipeline_tests/browser

web:
	@echo "web: nothing was tested. There is no portal yet; it and its suite come with issue 9."

# A real vLLM with SmolLM2 on this machine's processors, in an environment of its own; its log is build/live/vllm.log.
live: .venv/dev .venv-live/model
	$(BIN)/python dragon_pipeline_tests/live/serving.py $(BIN)/python -m pytest -q --durations=5 dragon_pipeline_tests/live

# Embedders and grammar classifiers that need torch, in the environment of `live`.
models: .venv-live/ready
	HF_HUB_OFFLINE=1 $(LIVE)/python -m pytest -q dragon_pipeline_tests/adapters/embeddings dragon_pipeline_tests/adapters/grammar -k "sentence_transformers or grammar"

# The published client rag-bench 0.2.17, unmodified, in an environment of its own, against a release on a local hub.
peer: .venv/dev .venv-peer/ready
	$(BIN)/python -m pytest -q --durations=5 dragon_pipeline_tests/peer

up: .venv/base
	$(BIN)/dragon up --home $(HOME_DIR)

bench: .venv/dev
	$(BIN)/python benchmarks/stories.py $(DATA)
	$(BIN)/python benchmarks/urls.py $(DATA)
	$(BIN)/python benchmarks/extraction.py $(DATA)/html
	$(BIN)/python benchmarks/ledger.py
	$(BIN)/python benchmarks/crawling.py

# Locks hold versions only, no host names. torch and CUDA stay out of `models` (requirements/README.md); `serve` stands alone (docs/adr/0014).
lock: .venv/uv
	$(COMPILE) $(OF_PROJECT) -o requirements/base.txt
	for extra in aws postgres qdrant wikidata portal leaderboard dev browser models; do \
	  $(COMPILE) $(OF_PROJECT) --extra $$extra -c requirements/base.txt -o requirements/$$extra.txt || exit 1; done
	sed -i -E '/^(torch|triton|nvidia-|cuda-)/d' requirements/models.txt
	echo vllm | $(COMPILE) - -o requirements/serve.txt
	$(COMPILE) requirements/live.in --excludes requirements/live.leave-out -o requirements/live.txt
	$(COMPILE) requirements/peer.in -o requirements/peer.txt

clean:
	rm -rf .venv .venv-live .venv-peer build dist *.egg-info rag_bench/*.egg-info

.venv/uv:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' || \
	  { echo "needs Python 3.11 to 3.13, $(PYTHON) is $$($(PYTHON) --version 2>&1); say another one: make PYTHON=python3.11 …" >&2; exit 1; }
	$(PYTHON) -m venv .venv && $(BIN)/pip install -q --disable-pip-version-check '$(UV)' && touch $@

.venv/base .venv/dev .venv/browser: .venv/%: requirements/%.txt pyproject.toml rag_bench/pyproject.toml | .venv/uv
	$(BIN)/uv pip install -q --python $(BIN)/python -r $<
	$(BIN)/uv pip install -q --python $(BIN)/python --no-deps -e rag_bench -e . && touch $@

.venv-live/ready: requirements/live.txt | .venv/uv
	rm -rf .venv-live && $(PYTHON) -m venv .venv-live
	$(LIVE)/pip install -qq --disable-pip-version-check torch==2.13.0
	$(BIN)/uv pip install -q --python $(LIVE)/python --no-deps -r $< && touch $@

.venv-live/model: .venv-live/ready dragon_pipeline_tests/live/smollm2.py
	HF_HUB_OFFLINE=1 TQDM_DISABLE=1 $(LIVE)/python dragon_pipeline_tests/live/smollm2.py $@

.venv-peer/ready: requirements/peer.txt | .venv/uv
	rm -rf .venv-peer && $(PYTHON) -m venv .venv-peer
	$(BIN)/uv pip install -q --python $(PEER)/python -r $< && touch $@
