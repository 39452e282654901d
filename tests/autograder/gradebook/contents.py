"""The contents of a graded course, in a form in which two courses can be compared."""

import json
import re
from pathlib import Path
from typing import Any

from nbgrader.api import Base
from sqlalchemy import Row, Table, create_engine, select, text

_DRAWN = re.compile(r"[0-9a-f]{32}")  # a random id, different in every gradebook
Known = dict[tuple[str, str], tuple[Any, ...]]


def rows_of(address: str) -> dict[str, list[str]]:
    """Return table → rows as texts; in place of an id, a text has the content of the row it names.

    Equal rows may have different ids in two databases.
    """
    engine = create_engine(address)
    known: Known = {}
    found = {}
    with engine.connect() as connection:
        for table in Base.metadata.sorted_tables:
            rows = connection.execute(select(table)).all()
            found[table.name] = sorted(repr(_named(table, row, known)) for row in rows)
        version = connection.execute(text("SELECT version_num FROM alembic_version")).all()
        found["alembic_version"] = [str(row[0]) for row in version]
    engine.dispose()
    return found


def _named(table: Table, row: Row[Any], known: Known) -> tuple[Any, ...]:
    values = row._mapping
    told = []
    for column in table.columns:
        value = values[column]
        for key in column.foreign_keys:
            value = known.get((key.column.table.name, value), value)
        if not (column.primary_key and isinstance(value, str) and _DRAWN.fullmatch(value)):
            told.append((column.name, value))
    if "id" in table.columns:
        known[table.name, values[table.columns["id"]]] = tuple(told)
    return tuple(told)


def files_of(folder: Path) -> dict[str, tuple[int, Any]]:
    """Return path → (permissions, content) of each file, without the seconds that grading took."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): (path.stat().st_mode, _content(path)) for path in paths}


def _content(path: Path) -> Any:
    if path.suffix != ".ipynb":
        return path.read_bytes()
    notebook = json.loads(path.read_text(encoding="utf-8"))
    notebook["metadata"]["autograder"].pop("seconds")
    return notebook
