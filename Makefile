# Every target needs Python ≥ 3.11 and make, nothing else; each creates and updates .venv first.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt

.DEFAULT_GOAL := help
.PHONY: help demo test slow heavy coverage kill soak fuzz random-graphs torch anndata core lint docs pictures dist
.PHONY: bench bench-engine bench-million bench-sweep bench-peers asv constraints clean

help:            ## this list
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/^([a-z-]+):[^#]*## /  make \1\t/' | expand -t 22

demo: $(VENV)/.demo  ## the main job, end to end, on the embedded graph
	@$(BIN)/python examples/demo.py

test: $(VENV)/.test  ## all tests but the slow ones
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n auto -m "not slow and not heavy"

SLOW ?= slow and not heavy
slow: $(VENV)/.test  ## the slow tests
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n auto -m "$(SLOW)"

heavy: $(VENV)/.test  ## the tests that need a quiet machine: they measure memory and kill processes
	$(BIN)/python -m pytest -m heavy

RUNS    ?= 100

kill: $(VENV)/.test  ## commands killed at random moments leave whole files or none; RUNS=100 of them, half an hour
	$(BIN)/python tools/kill.py --runs $(RUNS)

soak: MINUTES ?= 60
soak: $(VENV)/.test  ## mixed work and dying Dask workers for MINUTES=60: no leak, no orphan, no file left
	$(BIN)/python tools/soak.py --minutes $(MINUTES)

torch: $(VENV)/.test  ## the tests that need PyTorch, with a CPU build of torch
	$(PIP) torch==2.13.0 torch_geometric==2.8.1
	$(BIN)/python -m pytest tests -k torch

anndata:         ## the test that needs anndata, in an environment of its own (it asks for an older pandas)
	test -x $(VENV)/anndata/bin/python || $(PYTHON) -m venv $(VENV)/anndata
	$(VENV)/anndata/bin/pip install --quiet --disable-pip-version-check anndata hypothesis pytest --editable '.[fast]'
	$(VENV)/anndata/bin/python -m pytest tests/results/test_embedding_files.py -k anndata

CORE_TESTS := tests/theory tests/presets tests/linalg tests/doctor tests/graph/formats \
    tests/graph/test_round_trips.py tests/graph/test_without_pyarrow.py $(addprefix tests/execution/test_, \
    agreement.py independence.py without_numba.py)
# series of thousands of terms in tiny blocks, which take minutes without compiled code and show nothing that others do not
CORE_LEFT_OUT := not SignedWalk and not cycle

core:            ## the package without extras, in an environment of its own: no numba, no pyarrow, the same numbers
	test -x $(VENV)/core/bin/python || $(PYTHON) -m venv $(VENV)/core
	$(VENV)/core/bin/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable . \
	    $$($(PYTHON) tools/group.py core)
	$(VENV)/core/bin/python tools/absent.py numba pyarrow
	OPENBLAS_NUM_THREADS=1 $(VENV)/core/bin/python -m pytest -n auto -m "not slow and not heavy" -k "$(CORE_LEFT_OUT)" \
	    $(CORE_TESTS)

fuzz: MINUTES ?= 1
fuzz: $(VENV)/.test  ## every reader on damaged files, guided by coverage: MINUTES=10 for each (1 if not given), two at a time
	$(PIP) atheris || echo "atheris is not to be had here: damages are drawn at random"
	$(BIN)/python tools/fuzz.py $(READERS) --minutes $(MINUTES) --jobs 2

GRAPHS ?= 10000
random-graphs: $(VENV)/.test  ## GRAPHS=10000 random small graphs × every component; half an hour
	OPENBLAS_NUM_THREADS=1 $(BIN)/python tools/random_graphs.py --graphs $(GRAPHS)

lint: $(VENV)/.lint  ## ruff, mypy strict, import-linter layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

DATA := $(or $(PHUSION_DATA),$(abspath $(wildcard ../shared/data)))
docs: $(VENV)/.docs  ## the documentation, warnings are errors; opens at docs/_build/index.html
	$(if $(DATA),PHUSION_DATA=$(DATA)) $(BIN)/sphinx-build -W --keep-going -q -b html docs docs/_build
	@echo "docs/_build/index.html"

pictures: $(VENV)/.test  ## the pictures of the documentation; needs chromium
	$(BIN)/python -W ignore docs/pictures.py

bench: $(VENV)/.bench  ## speed and memory, as ratios against named baselines
	$(BIN)/python benchmarks/read_edges.py

bench-engine: $(VENV)/.bench  ## the engine against published algorithms: speed, memory, error; half an hour
	$(BIN)/python benchmarks/engine.py

bench-million: $(VENV)/.bench  ## a million nodes: errors, time and memory, against the exact engine and ProNE; half an hour
	test -x $(VENV)/nodevectors/bin/python || $(PYTHON) -m venv $(VENV)/nodevectors
	$(VENV)/nodevectors/bin/pip install --quiet --disable-pip-version-check nodevectors
	$(BIN)/python benchmarks/million.py

bench-sweep: $(VENV)/.bench  ## the sweep against its designs one by one, in the same run; minutes
	$(BIN)/python benchmarks/sweep.py speed

bench-peers: $(VENV)/.bench  ## phusion beside its peers, each in an environment of its own; hours, goes on if it was ended
	$(BIN)/python benchmarks/peers.py $(PEERS)

asv:             ## our own history: short benchmarks of this commit, in an environment of their own
	test -x $(VENV)/asv/bin/asv || $(PYTHON) -m venv $(VENV)/asv
	$(VENV)/asv/bin/pip install --quiet --disable-pip-version-check --constraint constraints.txt \
	    --editable '.[fast]'
	$(VENV)/asv/bin/pip install --quiet --disable-pip-version-check asv
	cd benchmarks/history && ../../$(VENV)/asv/bin/asv machine --yes
	cd benchmarks/history && ../../$(VENV)/asv/bin/asv run --quick --show-stderr --python=same \
	    --set-commit-hash=$$(git rev-parse HEAD)

coverage: $(VENV)/.test  ## which lines and branches of src the tests reach; fails below 92 % and 85 %
	rm -f .coverage .coverage.*
	OPENBLAS_NUM_THREADS=1 COVERAGE_FILE=$(CURDIR)/.coverage \
	    $(BIN)/python -m coverage run -m pytest -n auto -m "not heavy"
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage json --quiet -o .coverage.json
	$(BIN)/python tools/covered.py .coverage.json

dist: $(VENV)/.dist  ## a wheel and an sdist in dist/, each tried in an empty environment on every Python ≥ 3.11 found
	rm -rf dist
	$(BIN)/python -m build --outdir dist . | tail -1
	$(BIN)/python tools/release.py

constraints:     ## renew constraints.txt: the versions everything is installed with
	rm -rf $(VENV)/fresh && $(PYTHON) -m venv $(VENV)/fresh
	$(VENV)/fresh/bin/pip install --quiet --disable-pip-version-check -e '.[fast]' \
	    $$($(PYTHON) tools/group.py test lint docs bench dist)
	$(VENV)/fresh/bin/pip list --format=freeze --exclude-editable | grep -viE '^(pip|setuptools|wheel)=' > constraints.txt
	rm -rf $(VENV)/fresh

clean:           ## remove what the targets made
	rm -rf $(VENV) docs/_build docs/gallery docs/generated demo dist build .coverage* fuzz-findings
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "phusion needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.core: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) --editable '.[fast]'
	@touch $@

$(VENV)/.demo: $(VENV)/.core
	$(PIP) --editable '.[fast,plots]'
	@touch $@

$(VENV)/.test $(VENV)/.lint $(VENV)/.docs $(VENV)/.bench $(VENV)/.dist: $(VENV)/.%: $(VENV)/.core tools/group.py
	$(PIP) $$($(BIN)/python tools/group.py $*)
	@touch $@
