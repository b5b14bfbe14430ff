# Everything a newcomer needs: `make run` sets up and prints the tables, `make test` sets up and tests.
PYTHON ?= python3
VENV ?= .venv
CONFIG ?= quickstart
BIN := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help run test slow check format bench clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(VENV)/.user: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.developer: $(VENV)/.user
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

run: $(VENV)/.user ## set up, run an experiment and print its tables (CONFIG=nlc2003 for the whole paper)
	$(BIN)/fsbench run $(CONFIG)
	$(BIN)/fsbench report results/$(CONFIG)

test: $(VENV)/.developer ## set up and run all tests and doctests
	$(BIN)/python -m pytest -q -n 2 --dist loadscope

slow: $(VENV)/.developer ## the long reference runs
	$(BIN)/python -m pytest -q -m slow

check: $(VENV)/.developer ## style and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(VENV)/.developer ## format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/.developer ## time against the peers that are installed, ten minutes (see fsbench/docs/speed.md)
	$(BIN)/fsbench warm
	@for script in tests/bench/bench_*.py; do echo "== $$script"; PYTHONPATH=. $(BIN)/python $$script || exit 1; done

clean: ## remove the environment and what was built
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
