"""Programs and tests of them, from the files in the folder `cases/`."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet

FOLDER = Path(__file__).parent / "cases"


def data(file: str) -> dict[str, Any]:
    """Return all that a file holds."""
    return tomllib.loads((FOLDER / f"{file}.toml").read_text("utf-8"))


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
        for one in data(file)["case"]
    ]
