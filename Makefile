# `make` lists the targets. Each of them sets up what it needs: Python 3.11 or newer, a C compiler and make are enough.

PYTHON   ?= python3
VENV     ?= .venv
SCENARIO ?= scenarios/fj97/dilemma.toml
ARGS     ?=

BIN     := $(VENV)/bin
SOURCES := $(shell find kernels scenarios tests -name '*.pyx' -o -name '*.pxd')
MODULES := $(filter %.pyx,$(SOURCES))
WORKERS := -n auto --maxprocesses 4
# Tests of the console wait about as long as they work: two processes a core or so keep two cores busy. Each of them would
# rewrite the assertions of every test for itself, which takes a fresh clone half a minute: tests that failed run again with that.
MANY    := -n 4 --dist worksteal --assert=plain
AGAIN   := --last-failed --last-failed-no-failures none
# The tests start Python hundreds of times: without the byte code of the last start each would compile everything again.
unexport PYTHONDONTWRITEBYTECODE
# With it the assertions of the tests would not be compiled.
unexport PYTHONOPTIMIZE

# What the folder needs, from pyproject.toml, as a list: an older pip knows no dependency groups.
REQUIREMENTS = import tomllib; p = tomllib.load(open("pyproject.toml", "rb")); \
  print(*p["build-system"]["requires"], *p["project"]["dependencies"], *p["dependency-groups"]["dev"], sep="\n")
TOO_OLD = import sys; \
  sys.exit(sys.version_info < (3, 11) and f"Python {sys.version.split()[0]} is too old, 3.11 is needed: make PYTHON=python3.11")
# Where the environment's packages are.
SITE = "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
SETUP = SHADOWTIME_BUILD=$(1) $(abspath $(BIN))/python -W ignore setup.py -q
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check
# The tests with a mark: $(call tested,mark). An interrupted run, which ends with 2, is not run again.
tested = $(BIN)/python -m compileall -q -j 0 console kernels scenarios shadowtime tests && \
  { $(BIN)/python -m pytest -m "$(1)" $(MANY) $(ARGS); ended=$$?; \
    test $$ended -ne 1 || $(BIN)/python -m pytest -m "$(1)" $(AGAIN) $(ARGS); exit $$ended; }
# A copy of the sources without anything compiled: $(call copy,folder)
copy = rm -rf $(1) && mkdir -p $(1) && tar -cf - --exclude='*.so' --exclude='*.c' --exclude=__pycache__ \
  console kernels scenarios shadowtime tests pyproject.toml setup.py | tar -xf - -C $(1)

FIRST = from importlib.resources import files; print(files("shadowtime.scenarios") / "fj97/dilemma.toml")
# A distribution in a fresh environment, beside two packages whose names are those of our folders: installed, checked, its first
# scenario opened: $(call tried,ending,options,variables,packages installed before,packages installed after)
NEIGHBOURS = kernels console
FACE = import console, kernels, shadowtime; print(shadowtime.run("story.toml").report()["metrics"]["mean_wait"])
tried = $(BIN)/python -m venv build/wheel/$(1) && cd build/wheel/nowhere && \
  install() { test -z "$$*" || ../$(1)/bin/python -m pip install --quiet --disable-pip-version-check "$$@"; } && \
  install $(4) && $(3) install $(2) ../../../dist/shadowtime-*.$(1) && install $(5) && \
  ../$(1)/bin/shadowtime check | tail -n 1 && \
  cp "$$(../$(1)/bin/python -c '$(FIRST)')" story.toml && ../$(1)/bin/python -c '$(FACE)' >/dev/null && \
  ../$(1)/bin/shadowtime open story.toml --text </dev/null >story.txt && test -s story.txt

# The address sanitizer's library, which must be loaded first; empty where the C compiler has none.
ASAN = $(filter /%,$(shell $(CC) -print-file-name=libasan.so 2>/dev/null))
SANITIZE = $(if $(ASAN),-fsanitize=address -fsanitize=undefined -fno-sanitize-recover=all -fno-sanitize=nonnull-attribute)

.DEFAULT_GOAL := help
.PHONY: help run test proof lint bench ext checked cover demo wheel clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(VENV)/.built ## open a first scenario in the console (another one: SCENARIO=file)
	@$(BIN)/shadowtime open $(SCENARIO) $(ARGS)

test: $(VENV)/.built ## run the tests, but for the long ones
	@$(call tested,not proof)

proof: $(VENV)/.built ## run the long tests; real logs where SHADOWTIME_TRACES and SHADOWTIME_ORACLES point to them
	@$(call tested,proof)

lint: $(VENV)/.built ## check form, types, the direction of imports and the house style
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/mypy tests
	@PATH="$(abspath $(BIN)):$$PATH" cython-lint $(SOURCES)
	@$(BIN)/python -m pytest tests/test_layers.py tests/test_style.py

bench: $(VENV)/.built ## measure, and print each figure beside its goal
	@$(BIN)/python -m tests.bench $(ARGS)

ext: $(VENV)/.installed ## compile the kernel in place; only what has changed
	@$(call SETUP,develop) build_ext --inplace
	@touch $(VENV)/.built

# The kernel works on plain C arrays, which Cython cannot check: the address sanitizer of the C compiler does, where there is one.
# An error inside a `noexcept` function cannot be raised; Python reports it as unraisable, and here that fails the test.
checked: $(VENV)/.installed ## run the kernel's tests on a build that checks bounds, overflow and initialisation
	@$(call copy,build/checked)
	@echo "Compiling the checked build in build/checked ..." >&2
	@cd build/checked && CFLAGS="-w $(SANITIZE)" LDFLAGS="$(SANITIZE)" $(call SETUP,checked) build_ext --inplace
	@cd build/checked && LD_PRELOAD="$(ASAN)" ASAN_OPTIONS=detect_leaks=0:log_path=sanitizer $(CURDIR)/$(BIN)/python -m pytest \
	  -m "not proof" -W error::pytest.PytestUnraisableExceptionWarning $(WORKERS) tests/kernels tests/scenarios tests/session/slurm/test_agreement.py $(ARGS) \
	  || { cat sanitizer.* >&2; exit 1; }

cover: $(VENV)/.installed ## show which lines the tests reach, compiled ones included
	@$(call copy,build/cover)
	@echo "Compiling with line tracing in build/cover ..." >&2
	@cd build/cover && CFLAGS=-w $(call SETUP,cover) build_ext --inplace
	@cd build/cover && $(CURDIR)/$(BIN)/python -m coverage run -m pytest -m "not proof" $(ARGS)
	@cd build/cover && $(CURDIR)/$(BIN)/python -m coverage report --skip-covered

demo: $(VENV)/.built ## draw the pictures of the README
	@$(BIN)/python -m tests.picture docs/console.svg
	@$(BIN)/python -m tests.demo docs/demo.svg

# The wheel is tried where no compiler can be found, after its neighbours; the source distribution where one can, before them.
# Neither sees this folder.
wheel: $(VENV)/.built ## build a wheel and a source distribution, and try both in fresh environments
	@rm -rf dist build/wheel shadowtime.egg-info/SOURCES.txt && mkdir -p build/wheel/nowhere
	@$(BIN)/python -m build --no-isolation --outdir dist . >build/wheel/log 2>&1 || { tail -n 40 build/wheel/log >&2; exit 1; }
	@$(BIN)/python -m tests.distributions dist
	@$(call tried,whl,--only-binary=:all:,CC=/nowhere/cc,$(NEIGHBOURS),)
	@$(call tried,tar.gz,,,,$(NEIGHBOURS))
	@ls dist

clean: ## remove everything that was built (but the environment in .venv)
	@rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage $(VENV)/.built $(VENV)/.installed
	@find console kernels scenarios tests \( -name '*.so' -o -name __pycache__ \) -prune -exec rm -rf {} +
	@rm -f $(MODULES:.pyx=.c)

# The environment is made once; packages are installed again only when their list changes. The folder itself is linked: `pip
# install --editable` would do the same, but it compiles everything each time and buries the compiler's errors. Cython, one of the
# first two, translates the modules while the others are installed.
$(VENV)/.installed: pyproject.toml setup.py
	@$(PYTHON) -c '$(TOO_OLD)'
	@test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -c '$(REQUIREMENTS)' > $(VENV)/requirements.new
	@cmp -s $(VENV)/requirements.new $(VENV)/requirements.txt || { \
	  echo "Installing what shadowtime needs into $(VENV), once ..." >&2 && \
	  $(PIP) "$$(sed -n 1p $(VENV)/requirements.new)" "$$(sed -n 2p $(VENV)/requirements.new)" && \
	  { $(PIP) -r $(VENV)/requirements.new & $(call SETUP,develop) egg_info && wait $$!; } && \
	  mv $(VENV)/requirements.new $(VENV)/requirements.txt; }
	@$(call SETUP,develop) egg_info
	@rm -f $(SITE)/shadowtime.pth
	@ln -sfn "$(CURDIR)/shadowtime" "$(CURDIR)/shadowtime.egg-info" $(SITE)
	@printf '#!/bin/sh\nexec "%s" -P -m shadowtime "$$@"\n' "$(abspath $(BIN))/python" > $(BIN)/shadowtime
	@chmod +x $(BIN)/shadowtime
	@touch $@

$(VENV)/.built: $(VENV)/.installed $(SOURCES)
	@test -e $@ || echo "Compiling the kernel, once ..." >&2
	@$(MAKE) --no-print-directory ext
