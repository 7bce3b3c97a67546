# One command runs Sandtable, one tests it; the README says more.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
export PORT ?= 8000
export DATA_DIR ?= data

# Tests start hundreds of processes: each would compile all files anew where a shell forbids to keep bytecode.
KEPT_BYTECODE := env -u PYTHONDONTWRITEBYTECODE
PYTEST := $(BIN)/python -m pytest --dist loadfile --no-loadscope-reorder
# What runs side by side prints when it is through, where make can do so (since 4.0).
TOGETHER := $(MAKE) --no-print-directory --jobs 2 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)

.PHONY: run setup setup-dev test test-sqlite test-postgresql check mutants lint types house bench proof wheel clean

run: setup  # start everything and serve until Ctrl-C; PORT= and DATA_DIR= choose others
	@exec $(BIN)/python manage.py up

setup: .venv/installed  # the environment with everything that running needs

setup-dev: .venv/installed-dev  # and with what the tests need

.venv/installed: requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed: make PYTHON=python3.12 ..." if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	$(PIP) -r requirements.txt
	@touch $@

.venv/installed-dev: requirements-dev.txt .venv/installed
	$(PIP) -r requirements-dev.txt
	@touch $@

# Apart from the tests' environment, to which it would add much that tests do not need.
.venv-mutants/installed: requirements-mutants.txt
	$(PYTHON) -m venv .venv-mutants
	.venv-mutants/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-mutants.txt
	@touch $@

test: setup-dev  # lint, import contracts, types; all tests on SQLite, on PostgreSQL what may fail there alone
	@$(TOGETHER) types lint
	@.ci/chromium
	@.ci/node
	@.ci/postgresql
	@echo "Tests on SQLite and on PostgreSQL run side by side; each tells how it went at its end."
	@$(TOGETHER) test-sqlite test-postgresql
	-@$(BIN)/python -m tests.statements  # told, and no failure: some statements come only where something is late

test-sqlite: setup-dev  # engine, Django, REST and browser tests
	$(KEPT_BYTECODE) -u DATABASE_URL $(PYTEST) --statements --numprocesses 3

test-postgresql: setup-dev  # what may fail there alone, on a server of its own, or on DATABASE_URL's
	@.ci/postgresql
	$(KEPT_BYTECODE) $(BIN)/python -m tests.postgresql $(PYTEST) --statements --chosen --numprocesses 1 tests/dashboard tests/api tests/samples

check: setup-dev  # while working: what the changes touch, but no browser, no stack, no PostgreSQL
	$(KEPT_BYTECODE) -u DATABASE_URL $(BIN)/python -m pytest -q --testmon --testmon-forceselect -m "not browser and not stack"

mutants: .venv-mutants/installed  # faults put into rules of the engine, one by one: how many do tests find?
	rm -rf mutants
	$(KEPT_BYTECODE) -u DATABASE_URL EVERY_CASE=1 .venv-mutants/bin/mutmut run
	@.venv-mutants/bin/mutmut results  # those that lived, or that no test comes by

lint: setup-dev  # ruff, the import contracts, ESLint and the types of the browser's modules
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	@.ci/node
	@.ci/browser-tools
	if [ -e node_modules/installed ]; then npx --no-install eslint . && npx --no-install tsc; fi

house: setup-dev  # in which files a scheduler is named outside of its own rooms
	$(BIN)/python -m scripts.house

types: setup-dev  # mypy: the engine, services, queries and REST
	$(BIN)/mypy

bench: setup-dev  # every benchmark, with its table
	$(BIN)/python -m benchmarks

proof: setup-dev  # whole predictions of fresh clusters beside a real control plane, which CLUSTER_PEER names; PROOF= has its options
	$(BIN)/python -m benchmarks.proof $(PROOF)

wheel: setup  # the wheel in dist/, installed into a clean environment and started there
	$(BIN)/python -m tests.wheel dist

clean:  # the environment and the caches, never the data
	rm -rf .venv .venv-mutants mutants dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis .statements node_modules .testmondata*
