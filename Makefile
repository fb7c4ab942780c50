# Every target makes .venv first when it is missing; nothing has to be done before.
# `make run` measures, `make test` tests; `make help` lists the rest.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup run test test-all check format bench clean

VENV := .venv
BIN := $(VENV)/bin
# Written last, so that a set-up that was interrupted is done again.
STAMP := $(VENV)/.stamp
# The first interpreter that is new enough; `make PYTHON=/path/to/python setup` names one.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo $$python && break; done)
# Worker processes of pytest.
WORKERS ?= 2
ADAPTERS ?= bm25,fts5,bm25s,tantivy
CORPUS ?= webshop
OUT ?= results

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-9s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

setup: $(STAMP) ## make .venv (every other target does it when needed)

$(STAMP): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed and none was found on PATH." \
		"Install one, or name it: make PYTHON=/path/to/python setup" >&2; exit 1; }
	@echo "setting up $(VENV) with $$($(PYTHON) --version) (once)"
	@$(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		$(PYTHON) -m venv --clear $(VENV) || { echo "Python cannot make a virtual environment here." \
		"On Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	@$(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

run: $(STAMP) ## measure the reference and three light engines on the bundled corpus
	@$(BIN)/contextbenchmark run --adapters $(ADAPTERS) --corpus $(CORPUS) --out $(OUT)

check: $(STAMP) ## lint, format, types, import contracts
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

test: check ## check, then every test that is quick and needs no engine
	$(BIN)/pytest -n $(WORKERS) -m "not slow and not engine"

test-all: check ## check, then every test; installs each engine on first use
	$(BIN)/pytest -n $(WORKERS)

format: $(STAMP) ## rewrite the sources in the house style
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: $(STAMP) ## print the speed figures, each with its bound
	$(BIN)/python -m benchmarks

clean: ## remove what the targets made, .venv included; results/ stays
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist
