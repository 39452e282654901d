"""The modules that `import course` loads, and those that it does not load."""

import subprocess
import sys

import pytest

import course


@pytest.mark.parametrize("name", ["course", "course.rules", "course.checks", "course.hints"])
def test_rules_and_checks_need_no_widgets(name: str) -> None:
    script = f"import sys, {name}; print([m for m in ('anywidget', 'IPython') if m in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


@pytest.mark.parametrize("name", course.HOMES)
def test_every_name_a_learner_imports_is_there(name: str) -> None:
    assert callable(getattr(course, name))


def test_a_name_that_is_not_there_is_named() -> None:
    with pytest.raises(AttributeError, match="'marge'"):
        course.marge  # noqa: B018
