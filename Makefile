# make demo | make test | make install: what each does is said by `make help`.
VENV ?= .venv
PYTHON ?= python3
BIN := $(VENV)/bin
CORES ?= all
# uv installs in seconds what takes pip a minute; pip is the way out where uv cannot reach the index.
UV := 0.13.8
# Compiled modules are kept, whatever the shell says: tests and the pipeline start Python hundreds of times.
unexport PYTHONDONTWRITEBYTECODE
INSTALL = $(BIN)/uv pip install --quiet --python $(BIN)/python -c constraints.txt $(1) || $(BIN)/pip install --quiet -c constraints.txt $(1)

.PHONY: help install install-models demo test test-fast check docs format bench clean

help:  ## Show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

install: $(VENV)/.installed  ## Make the environment in $(VENV), without PyTorch

install-models: $(VENV)/.models  ## Add what scoring Hugging Face models needs (PyTorch)

$(VENV)/.installed: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	test -x $(BIN)/uv || $(BIN)/pip install --quiet --disable-pip-version-check uv==$(UV)
	$(call INSTALL,-e .)
	touch $@

# PyTorch by exact version and by pip, so that a CPU build that pip knows of is taken.
$(VENV)/.models: $(VENV)/.installed
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt torch==2.13.0
	$(call INSTALL,-e .[models])
	touch $@

$(VENV)/.dev: $(VENV)/.models
	$(call INSTALL,-e .[dev])
	touch $@

# What the sample treebanks have text for, and templates in one language.
DEMO := [eng,eng-clams,hin,kat,kat-published,universal]

demo: $(VENV)/.installed  ## Run the whole pipeline on the bundled sample treebanks
	$(BIN)/snakemake --cores $(CORES) --configfile treebanks/sample/config.yaml --config 'datasets=$(DEMO)'
	$(BIN)/starbank ls outputs/demo

test: $(VENV)/.dev  ## Install what tests need and run all tests
	$(BIN)/pytest

test-fast: $(VENV)/.dev  ## Run the tests that are quick, and need no models
	$(BIN)/pytest -m "not slow and not models and not slurm"

check: $(VENV)/.dev docs  ## Lint, formatting, types, documentation
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check Snakefile rules
	$(BIN)/mypy

# Strictly: a link or an anchor that leads nowhere fails.
docs: $(VENV)/.dev  ## Build the documentation site into build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --site-dir build/site

format: $(VENV)/.dev  ## Format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/snakefmt Snakefile rules

bench: $(VENV)/.dev  ## Measure speed beside named alternatives
	$(BIN)/python benchmarks/ingest.py
	$(BIN)/python benchmarks/match.py
	$(BIN)/python benchmarks/scoring.py

clean:  ## Remove what the pipeline made (downloads stay)
	rm -rf outputs .snakemake
