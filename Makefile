# Every target sets up what it needs: a virtual environment in .venv, then only what the target itself uses.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help demo test test-quick check bench fuzz docs clean

# Tests start many processes: what Python has compiled once it should find again.
export PYTHONDONTWRITEBYTECODE :=

LINT = $(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy
# A process for each core and one more, as some tests wait; the tests of a file share theirs, and what is made once a file.
WORKERS ?= $(shell echo $$(($$(nproc 2>/dev/null || sysctl -n hw.ncpu) + 1)))
PYTEST = $(BIN)/python -m pytest -q -n $(WORKERS) --dist loadfile --no-loadscope-reorder --durations=15
# Says how long it took, whatever came of it.
timed = begun=$$(date +%s); { $(1); }; status=$$?; \
	took=$$(($$(date +%s) - begun)); echo "make $@: $$((took / 60)) min $$((took % 60)) s"; exit $$status

help:  ## show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=python3.12 …"; exit 2; }
	@echo "setting up $(VENV) …"
	@$(PYTHON) -m venv $(VENV) || { echo "the venv module is missing: apt install python3-venv"; exit 2; }
	@$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'

$(VENV)/.run: pyproject.toml | $(BIN)/python
	@echo "installing sitewright …"
	@$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/.run
	@echo "installing what the tests need …"
	@$(BIN)/python -m pip install --quiet --editable . --group dev
	@touch $@

$(VENV)/axe.min.js: | $(BIN)/python
	@echo "fetching axe-core, which checks pages for accessibility …"
	@cd $(VENV) && npm pack --silent axe-core@4.14.1 >/dev/null && tar -xOf axe-core-4.14.1.tgz package/axe.min.js >axe.new && mv axe.new axe.min.js

$(VENV)/.bench: pyproject.toml | $(VENV)/.run
	@echo "installing the peers …"
	@$(BIN)/python -m pip install --quiet --editable . --group bench
	@touch $@

$(VENV)/.training: pyproject.toml | $(VENV)/.run
	@echo "installing what training needs …"
	@$(BIN)/python -m pip install --quiet --editable . --group training
	@touch $@

demo: $(VENV)/.run  ## make up a newspaper, learn its map from its address, check what it reads
	@$(BIN)/sitewright demo

test: $(VENV)/.dev  ## lint, types, and the test suite: some ten minutes on two cores; THOROUGH=1 adds what takes minutes more
	@$(call timed,$(LINT) && $(PYTEST))

test-quick: $(VENV)/.dev  ## what one runs while editing: lint, and the tests that are not slow
	@$(call timed,$(BIN)/ruff check . && $(PYTEST) -m "not slow")

check: test

bench: $(VENV)/.bench  ## time and memory beside the peers
	@$(BIN)/python -m bench.speed

fuzz: $(VENV)/.dev  ## some minutes of mutated pages through the whole pipeline
	@$(BIN)/python -m bench.fuzz --minutes 5

docs: $(VENV)/.run  ## write docs/cli.md anew
	@$(BIN)/python -m sitewright.cli.reference docs/cli.md

clean:  ## remove what the other targets made
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis demo-output
