# SPDX-License-Identifier: GPL-3.0-or-later
# `make` alone lists the targets.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

VENV := .venv
PY := $(VENV)/bin/python
UV := $(PY) -m tools.install
# Compiled once here, not at every start where the environment forbids Python to write what it compiles.
INSTALL := $(UV) pip install --quiet --compile-bytecode --python $(PY)
# Hashes of every platform's files, hence only from the main index, which has them all.
LOCK := UV_INDEX= UV_FIND_LINKS= $(UV) pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-header \
    --no-emit-package bot-arena-sdk
# Node.js is the machine's, or that of requirements/node.lock.
NODE := PATH="$$PATH:$(CURDIR)/$(VENV)/bin"
# npm writes it last.
NODE_MODULES := node_modules/.package-lock.json
LIBRARIES := web/static/vendor/licences.txt
# More options for pytest: make test ARGS='-k perft'. Tests that ARGS names by their path run in one process, which
# starts sooner; ARGS='tests/web -n 4' runs them in four.
ARGS ?=
WORKERS = $(if $(findstring tests/,$(ARGS)),,-n auto --dist worksteal)

.PHONY: help setup run test check bench prove simulate format docs pictures lock wheel clean

help: ## list the targets
	@sed -nE 's/^([a-z]+):[^#]*## (.*)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 9

setup: $(VENV)/.installed $(LIBRARIES) ## fill .venv and fetch the browser libraries

run: setup ## start the arena: make run ARGS='--port 8090'
	$(VENV)/bin/arena serve $(ARGS)

test: setup $(VENV)/.documentation ## run the tests
	$(PY) -m tools.chromium
	$(PY) -m tools.programs
	$(PY) -m pytest $(WORKERS) $(ARGS)

# The other checks run beside the tests, which often wait.
check: setup ## format, lint, types, import rules, dead code, scripts of the pages, tests
	@# once, and not in each of the hundreds of processes that the tests start
	@$(PY) -m compileall -q arena bots engine lab tools web
	$(MAKE) --no-print-directory --jobs --keep-going static test

.PHONY: static types lint scripts
static:
	$(MAKE) --output-sync types lint scripts

types:
	$(VENV)/bin/mypy --strict

# Fields of messages and records look unused to vulture, hence the grep. It exits with 3 when it has found anything.
lint:
	$(VENV)/bin/ruff format --check
	$(VENV)/bin/ruff check
	$(VENV)/bin/lint-imports
	found=$$($(VENV)/bin/vulture) || (($$? == 3)); ! grep -vE '^$$|unused (attribute|variable)' <<< "$$found"

scripts:
	$(NODE) npm run --silent lint
	$(PY) -m tools.declarations
	$(NODE) npm run --silent types

bench: setup ## measure speeds beside those of others: make bench ARGS='perft playouts'
	$(PY) -m lab.bench $(ARGS)

prove: setup ## run the long tests and proofs, and write what the proofs measured to docs/reports/stress
	$(if $(ARGS),,$(PY) -m pytest -n auto --dist worksteal -m 'long or hypothesis' --hypothesis-profile prove)
	$(PY) -m lab.proofs $(ARGS)

simulate: setup ## simulate clusters of many nodes: make simulate ARGS=report
	$(PY) -m lab.simulation $(ARGS)

format: setup ## format the code and mend what the linter can
	$(VENV)/bin/ruff format
	$(VENV)/bin/ruff check --fix

wheel: setup ## build dist/*.whl: the SDK, the arena, and a library of the arena
	rm -rf dist
	$(UV) build --quiet --wheel --no-build-isolation --python $(PY) --out-dir dist tools/sdk
	$(UV) build --quiet --wheel --no-build-isolation --python $(PY)
	$(PY) -m tools.repack elo dist

docs: setup $(VENV)/.documentation ## write documentation from the code, and build the site in build/docs
	$(VENV)/bin/arena lab schema --docs > docs/reference/protocol.md
	$(VENV)/bin/arena settings --docs > docs/reference/settings.md
	$(NODE) $(PY) -m tools.client_types
	$(PY) -m tools.documentation.declared
	$(PY) -m tools.documentation

pictures: setup ## take the pictures of pages for the README and the tutorials anew
	$(PY) -m tools.chromium
	$(PY) -m tools.pictures

lock: setup ## move every pinned version to the newest
	$(LOCK) --group pyproject.toml:uv --output-file requirements/uv.lock
	$(LOCK) --group pyproject.toml:node --output-file requirements/node.lock
	$(LOCK) --group pyproject.toml:bench --output-file requirements/bench.lock
	$(LOCK) --group pyproject.toml:build --output-file requirements/build.lock
	$(LOCK) --build-constraints requirements/build.lock pyproject.toml --output-file requirements/run.lock
	$(LOCK) --build-constraints requirements/build.lock --constraints requirements/run.lock \
	    --group dev pyproject.toml --output-file requirements/dev.lock
	$(LOCK) --constraints requirements/dev.lock --group docs --output-file requirements/docs.lock
	npm install --package-lock-only

clean: ## remove all that the other targets made
	rm -rf $(VENV) .bench .tools .types node_modules web/static/vendor build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	rm -rf .import_linter_cache .grimp_cache
	find arena bots engine lab tests tools web -type d -name __pycache__ -prune -exec rm -rf {} +

$(PY):
	@for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	    if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	        exec $$python -m venv $(VENV); \
	    fi; \
	done; \
	echo 'Python 3.11 or newer is needed.' >&2; exit 1

$(VENV)/.installed: pyproject.toml tools/sdk/pyproject.toml requirements/uv.lock requirements/build.lock requirements/dev.lock | $(PY)
	@echo 'Installing the Python packages of requirements/dev.lock ...'
	@$(PY) -m pip install --quiet --require-hashes --requirement requirements/uv.lock
	@$(INSTALL) --require-hashes --build-constraints requirements/build.lock --requirements requirements/dev.lock
	@$(INSTALL) --no-deps --no-build-isolation --editable tools/sdk --editable .
	@touch $@

$(VENV)/.documentation: requirements/docs.lock | $(VENV)/.installed
	@echo 'Installing the generator of the documentation ...'
	@$(INSTALL) --require-hashes --requirements requirements/docs.lock
	@touch $@

$(NODE_MODULES): package-lock.json requirements/node.lock | $(VENV)/.installed
	@echo 'Fetching the browser libraries of package-lock.json ...'
	@command -v npm >/dev/null || $(INSTALL) --require-hashes --requirements requirements/node.lock
	@$(NODE) npm ci --loglevel=error >/dev/null
	@touch $@

$(LIBRARIES): $(NODE_MODULES) tools/vendor.py
	@$(PY) -m tools.vendor
