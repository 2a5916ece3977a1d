# `make lab` opens the course, `make test` tests it. Both need Python >= 3.11, make, nothing else.
PYTHON ?= python3
LAB_ARGS ?=
SEED ?=
PYODIDE ?=
PYTEST_ARGS ?=

venv := .venv/bin/python
# The stamp's name depends on where the folder lies: a moved folder is set up again.
ready := .venv/ready-$(shell pwd | cksum | cut -d' ' -f1)
graded := .venv/graded
site_venv := .site/venv/bin/python
site_ready := .site/ready-$(shell pwd | cksum | cut -d' ' -f1)
lite_venv := .lite/venv/bin/python
lite_ready := .lite/ready-$(shell pwd | cksum | cut -d' ' -f1)
lite_archive_venv := .lite/venv-archive/bin/python
lite_archive_ready := .lite/ready-archive-$(shell pwd | cksum | cut -d' ' -f1)
lowest_venv := .venv-lowest/bin/python
lowest_ready := .venv-lowest/ready-$(shell pwd | cksum | cut -d' ' -f1)
hf_venv := .venv-hf/bin/python
hf_ready := .venv-hf/ready-$(shell pwd | cksum | cut -d' ' -f1)
# A file stays with one worker, so that what its tests share is made once.
parallel := -n 2 --dist loadfile --no-loadscope-reorder
# Jupyter refuses to run as root, which is who you are in a container.
as_root := $(if $(filter 0,$(shell id -u)),--allow-root)

.PHONY: help lab test shots slow bench bench-wallclock picture lint notebooks coursework nbgrader site sitecheck lite litecheck hf lowest newest lock clean

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1@\2/p' Makefile | awk -F@ '{printf "%-22s %s\n", $$1, $$2}'

lab: $(ready)  ## open the course in JupyterLab (LAB_ARGS=--no-browser prints the address instead)
	$(venv) -m jupyterlab notebooks/00_start_here.ipynb $(as_root) $(LAB_ARGS)

test: $(ready)  ## run the tests: core, notebooks, one pass in a real browser
	$(venv) -m pytest $(parallel) -rs $(PYTEST_ARGS)

shots: $(ready)  ## keep pictures of every notebook, at 100 % and 200 %, in shots/
	SPECNOTES_SHOTS=shots $(venv) -m pytest -rs -m browser

slow: $(ready) $(graded)  ## run the tests that are too long for `make test`
	$(venv) -m pytest $(parallel) -rs -m slow $(PYTEST_ARGS)

bench: $(ready)  ## time one step of every slider, in milliseconds
	$(venv) tools/bench.py

bench-wallclock: $(ready)  ## time plain against speculative decoding, every draft (minutes)
	$(venv) tools/bench_wallclock.py

picture: $(ready)  ## take the README's picture of the lab, in a real browser
	$(venv) tools/picture.py

lint: $(ready)  ## check style
	$(venv) -m ruff check .

notebooks: $(ready)  ## derive notebooks/*.ipynb from notebooks/src/*.py
	$(venv) tools/build_notebooks.py

coursework: $(ready)  ## derive the problem sets for nbgrader (SEED=… gives a class its own numbers)
	$(venv) tools/build_coursework.py --seed "$(SEED)"

nbgrader: $(ready) $(graded)  ## add nbgrader to .venv, for instructors

site: $(site_ready)  ## build the course as web pages, in site/
	$(site_venv) tools/build_site.py

sitecheck: $(ready) site  ## check the pages: links, looks and accessibility, in a real browser
	$(venv) -m pytest -n 2 -rs -m site $(PYTEST_ARGS)

lite: $(lite_ready)  ## build the course for the browser alone, in site/lite/ (PYODIDE=archive.tar.bz2: offline)
	$(lite_venv) tools/build_lite.py $(if $(PYODIDE),--pyodide "$(PYODIDE)")

litecheck: $(ready) $(lite_ready) $(if $(PYODIDE),$(lite_archive_ready))  ## check the browser-only build (PYODIDE=archive.tar.bz2: also run it)
	PYODIDE="$(PYODIDE)" $(venv) -m pytest -rs -m lite $(PYTEST_ARGS)

hf: $(hf_ready)  ## run the tests that need PyTorch and Transformers, in .venv-hf (1.2 GB)
	$(hf_venv) -m pytest -rs -m hf $(wildcard tests/test_*_hf.py tests/test_*_torch.py) $(PYTEST_ARGS)

lowest: $(lowest_ready)  ## run the core tests with the oldest versions that pyproject.toml allows
	$(lowest_venv) -m pytest $(parallel) -rs $(PYTEST_ARGS) @tests/core.txt

newest:  ## run the core tests with the newest versions there are, whatever is locked
	$(python_is_here)
	"$(PYTHON)" -m venv --clear .venv-newest
	.venv-newest/bin/python -m pip install -q --disable-pip-version-check --no-cache-dir -e ".[dev]"
	.venv-newest/bin/python -m pytest $(parallel) -rs $(PYTEST_ARGS) @tests/core.txt

lock:  ## renew the lock files from pyproject.toml (needs uv)
	uv pip compile --quiet --universal --upgrade --python-version 3.11 --extra dev --generate-hashes \
	    pyproject.toml -o requirements.lock
	uv pip compile --quiet --universal --python-version 3.11 --extra dev --generate-hashes \
	    --resolution lowest-direct pyproject.toml -o tests/lowest.lock
	uv pip compile --quiet --universal --python-version 3.11 --extra dev --extra grade \
	    --generate-hashes --constraint requirements.lock pyproject.toml -o coursework/requirements.lock
	uv pip compile --quiet --universal --python-version 3.11 --extra site --generate-hashes \
	    --constraint requirements.lock pyproject.toml -o docs/requirements.lock
	uv pip compile --quiet --universal --python-version 3.11 --group lite --generate-hashes \
	    --constraint requirements.lock -o docs/lite.lock
	uv pip compile --quiet --universal --python-version 3.11 --group lite-archive --generate-hashes \
	    -o tests/lite.lock

clean:  ## remove .venv, the site and caches
	rm -rf .venv .venv-hf .venv-lowest .venv-newest .site .lite site docs/api docs/made docs/notebooks jupyter_execute .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

define check_python
import sys
if sys.version_info < (3, 11):
    sys.exit("This course needs Python 3.11 or newer; $(PYTHON) is " + sys.version.split()[0] + ".\n"
             "If you have a newer one, name it: make lab PYTHON=python3.12")
try:
    import ensurepip, venv
except ImportError:
    sys.exit("This Python cannot make virtual environments.\n"
             "On Debian or Ubuntu: sudo apt install python3-venv")
endef
export check_python

define python_is_here
	@command -v "$(PYTHON)" > /dev/null || { echo "There is no $(PYTHON) here: install Python 3.11 or newer."; exit 1; }
	@"$(PYTHON)" -c "$$check_python"
endef

$(ready): requirements.lock pyproject.toml
	$(python_is_here)
	@echo "Setting up .venv (once, about a minute) ..."
	@"$(PYTHON)" -m venv --clear .venv
	@$(venv) -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock
	@$(venv) -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation --no-index -e .
	@$(venv) -c "import matplotlib.font_manager"  # makes its font cache now, not in a lesson
	@touch $(ready)

$(graded): coursework/requirements.lock $(ready)
	@$(venv) -m pip install -q --disable-pip-version-check --require-hashes -r coursework/requirements.lock
	@touch $(graded)

$(site_ready): docs/requirements.lock
	$(python_is_here)
	@echo "Setting up .site/venv (once, about a minute) ..."
	@"$(PYTHON)" -m venv --clear .site/venv
	@$(site_venv) -m pip install -q --disable-pip-version-check --require-hashes -r docs/requirements.lock
	@touch $(site_ready)

$(lite_ready): docs/lite.lock
	$(python_is_here)
	@echo "Setting up .lite/venv (once, half a minute) ..."
	@"$(PYTHON)" -m venv --clear .lite/venv
	@$(lite_venv) -m pip install -q --disable-pip-version-check --require-hashes -r docs/lite.lock
	@touch $(lite_ready)

$(lite_archive_ready): tests/lite.lock
	@"$(PYTHON)" -m venv --clear .lite/venv-archive
	@$(lite_archive_venv) -m pip install -q --disable-pip-version-check --require-hashes -r tests/lite.lock
	@touch $(lite_archive_ready)

$(lowest_ready): tests/lowest.lock pyproject.toml
	$(python_is_here)
	@echo "Setting up .venv-lowest (once, about a minute) ..."
	@"$(PYTHON)" -m venv --clear .venv-lowest
	@$(lowest_venv) -m pip install -q --disable-pip-version-check --require-hashes -r tests/lowest.lock
	@$(lowest_venv) -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation --no-index -e .
	@$(lowest_venv) -c "import matplotlib.font_manager"
	@touch $(lowest_ready)

$(hf_ready): tests/hf.lock
	$(python_is_here)
	@echo "Setting up .venv-hf (once, some minutes) ..."
	@"$(PYTHON)" -m venv --clear .venv-hf
	@$(hf_venv) -m pip install -q --disable-pip-version-check -r tests/hf.lock
	@touch $(hf_ready)
