# `make play` and `make test` are all that a newcomer needs: both build .venv first.
# Nothing but Python (3.11 or newer), its venv module and make has to be there already.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
LOCK   := requirements/lock.txt
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet
# The lock is a file of constraints: it says which versions, pyproject.toml says what.
INSTALL := $(PIP) install --only-binary :all: --constraint $(LOCK)

.DEFAULT_GOAL := help
.PHONY: help setup cluster play test test-slow test-attack format bench bench-peers docs \
    docs-serve page lock clean

help:  ## show this list
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' Makefile

setup: $(VENV)/.ready  ## build .venv with everything that play and test need

play: setup  ## play a game on a 9×9 board, in the browser where there is one
	@$(BIN)/montego play --size 9

test: setup  ## lint, types and all tests but the slow ones
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/pytest --numprocesses auto --dist worksteal

test-slow: setup  ## the tests that take minutes
	$(BIN)/pytest -m slow

test-attack: setup  ## ten minutes of hostile input (MONTEGO_ATTACK_SEED, MONTEGO_ATTACK_SECONDS)
	$(BIN)/pytest -m attack tests/attack

format: setup  ## let ruff tidy the sources
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: setup  ## playouts per second of every kind and size
	@$(BIN)/montego bench

bench-peers: $(VENV)/.bench  ## our playouts beside the simulations of OpenSpiel
	@$(BIN)/python benchmarks/openspiel.py

cluster: $(VENV)/.cluster  ## add MPI and Dask: searches and games on many machines

docs: $(VENV)/.docs  ## build the documentation: open site/index.html
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

docs-serve: $(VENV)/.docs  ## show the documentation at http://localhost:8000 while it is edited
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve --strict --watch results

page:  ## build the browser's page from its sources in web/; needs npm
	cd web && npm ci --no-audit --no-fund --loglevel error && npm run build

lock: setup  ## choose the versions of all dependencies anew
	$(PIP) install pip-tools
	CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/pip-compile --quiet --upgrade --strip-extras \
	    --all-extras --all-build-deps --allow-unsafe --no-annotate \
	    --no-emit-index-url --no-emit-find-links --no-emit-trusted-host \
	    --output-file $(LOCK) pyproject.toml

clean:  ## remove .venv and everything that was built
	rm -rf $(VENV) site build dist web/node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(VENV)/.ready: pyproject.toml $(LOCK)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "Montego needs Python 3.11 or newer: make PYTHON=python3.12 setup"; exit 1; }
	@echo "[1/3] making $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv --clear $(VENV)
	@echo "[2/3] installing the build tool"
	@$(INSTALL) hatchling editables
	@echo "[3/3] installing montego, its dependencies and development tools (about a minute, once)"
	@$(INSTALL) --no-build-isolation --editable '.[dev]'
	@touch $@
	@echo "ready: try make play, make test, or $(BIN)/montego --help"

$(VENV)/.docs: $(VENV)/.ready
	@echo "installing the documentation tools"
	@$(INSTALL) --no-build-isolation --editable '.[docs]'
	@touch $@

$(VENV)/.cluster: $(VENV)/.ready
	@echo "installing MPI and Dask"
	@$(INSTALL) --no-build-isolation --editable '.[cluster]'
	@touch $@

$(VENV)/.bench: $(VENV)/.ready
	@echo "installing OpenSpiel"
	@$(INSTALL) --no-build-isolation --editable '.[bench]'
	@touch $@
