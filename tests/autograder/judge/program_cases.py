"""Programs and tests of them, from the files in the folder `cases/`."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet

FOLDER = Path(__file__).parent / "cases"


def entries(file: str) -> list[dict[str, Any]]:
    """Return the cases in a file, each with its `name`."""
    found: list[dict[str, Any]] = tomllib.loads((FOLDER / f"{file}.toml").read_text("utf-8"))[
        "case"
    ]
    return found


def cases(file: str, *keys: str) -> list[ParameterSet]:
    """Return what each case of a file has under these keys, or "", as parameters for pytest.

    A case with `deep = true` is tried by `make deep` only.
    """
    return [
        pytest.param(
            *(one.get(key, "") for key in keys),
            id=one["name"],
            marks=[pytest.mark.deep] if one.get("deep") else [],
        )
        for one in entries(file)
    ]
