# One command to run Sandtable, one to test it; the README says more.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PORT ?= 8000
export DATA_DIR ?= data

.PHONY: run setup setup-dev test test-fast lint types bench clean

run: setup ## start everything and serve until Ctrl-C
	@exec $(BIN)/python manage.py up

setup: $(VENV)/.run ## the environment with everything that running needs
setup-dev: $(VENV)/.dev ## and with what tests need

$(VENV)/.run: requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed: make PYTHON=python3.12" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/.dev: requirements-dev.txt $(VENV)/.run
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

test: setup-dev lint types ## everything: lint, types, import contracts, engine, Django, browser
	sh tests/chromium.sh
	$(BIN)/python -m pytest -n auto --dist loadgroup -m "not stack"
	$(BIN)/python -m pytest -m stack

test-fast: setup-dev ## without the tests that start the whole stack
	$(BIN)/python -m pytest -n auto -m "not stack"

lint: setup-dev ## ruff and the import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: setup-dev ## mypy, strict for the engine
	$(BIN)/mypy

bench: setup ## every benchmark, with its table
	$(BIN)/python -m benchmarks

clean: ## removes the environment and caches, never the data
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
