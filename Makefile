# The two commands that a newcomer needs: `make demo` and `make test`. Both set up everything by themselves.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check -q
CPU_TORCH := torch==2.13.0

.PHONY: demo test check types lint imports looks wheel clean

demo: $(VENV)/.run
	@PATH="$(abspath $(BIN)):$$PATH" sh examples/observatory/demo.sh

test: $(VENV)/.dev
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest $(PYTEST_ARGS)
	$(BIN)/coverage combine -q
	$(BIN)/coverage report --fail-under=$$(cat tests/coverage-floor.txt)

check: lint types imports

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

imports: $(VENV)/.dev
	$(BIN)/lint-imports

# After a change of a SPARQL constraint in shapes/.
looks: $(VENV)/.dev
	$(BIN)/python -c "from semkg.quality.known_looks import write; write()"

wheel: $(VENV)/.dev
	$(BIN)/python tests/packaging/install_wheel.py

$(VENV)/.venv:
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --upgrade "pip>=25.1"
	@touch $@

# torch comes first and by its exact pin: without one, pip takes a build with several gigabytes of CUDA.
$(VENV)/.run: $(VENV)/.venv pyproject.toml constraints.txt
	$(PIP) install -c constraints.txt "$(CPU_TORCH)"
	$(PIP) install -c constraints.txt -e ".[all]"
	@touch $@

$(VENV)/.dev: $(VENV)/.run
	$(PIP) install -c constraints.txt --group dev
	@touch $@

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache .coverage .coverage.*
