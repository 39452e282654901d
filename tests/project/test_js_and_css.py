"""Scripts and styles: a linter finds no fault in them, nor in the files put together from them."""

import re
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from autograder.course_adapter import ROOT
from course.widgets.static_html import IMPORT, STATIC, read
from tests.project.conftest import PROGRAMS, run

PAGES = ROOT / "autograder/reports/templates"
FILES = sorted([*STATIC.glob("*/*.js"), *STATIC.glob("*/*.css")])
WIDGETS = [path.name for path in FILES if "export default" in path.read_text("utf-8")]
NAMES = re.compile(r'import \{([^}]*)\} from "[./]+(?:\w+/)?([\w-]+\.js)"')
EXPORTED = re.compile(r"^export (?:const|let|class|function) (\w+)", re.M)


def oxlint(*options: str, where: Path = ROOT) -> str:
    """Return the faults that the linter finds by the project's rules; "" if there are none."""
    config = ROOT / ".oxlintrc.json"
    command = [PROGRAMS / "oxlint", "--config", config, "--deny-warnings"]
    done = run(*command, *options, folder=where)
    return done.stdout if done.returncode else ""


def test_the_linter_finds_nothing():
    assert not oxlint(str(STATIC), str(PAGES))


def test_scripts_and_styles_are_formatted():
    done = run(PROGRAMS / "oxfmt", "--list-different", STATIC, PAGES)
    assert (done.returncode, done.stdout) == (0, "")


FAULTS = {
    "a name from nowhere": ("make();", "(no-undef)"),
    "a name for nothing": ("const tile = 2;", "(no-unused-vars)"),
    "an import for nothing": ('import { one } from "./one.js";', "(no-unused-vars)"),
    "an import of what is not there": ('import { two } from "./one.js";\ntwo();', "(named)"),
    "a name that stands for two things": (
        "class A {}\nclass A {}\nnew A();",
        "already been declared",
    ),
    "a circle": ('import { back } from "./back.js";\nback();', "(no-cycle)"),
    "data as HTML": ("document.body.innerHTML = document.title;", "(no-restricted-properties)"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_linter_finds(fault: str, tmp_path: Path):
    text, told = FAULTS[fault]
    (tmp_path / "one.js").write_text("export const one = 1;\n", "utf-8")
    (tmp_path / "back.js").write_text('import "./wrong.js";\nexport const back = 1;\n', "utf-8")
    (tmp_path / "wrong.js").write_text(f"{text}\n", "utf-8")
    assert told in oxlint("wrong.js", where=tmp_path)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_import_has_the_one_form_that_is_followed(path: Path):
    rest = IMPORT.sub("", path.read_text("utf-8"))
    assert not re.findall(r"^.*\bimport\b[ (*{\"'].*$", rest, re.M)
    assert not re.findall(r"^export (?!default |const |let |class |function ).*$", rest, re.M)


def test_imports_never_lead_back():
    imports = {path.name: IMPORT.findall(path.read_text("utf-8")) for path in FILES}
    assert set(TopologicalSorter(imports).static_order()) == {path.name for path in FILES}


def test_every_export_is_imported_somewhere():
    scripts = {path.name: path.read_text("utf-8") for path in STATIC.glob("*/*.js")}
    used = {
        (file, name.strip())
        for text in scripts.values()
        for names, file in NAMES.findall(text)
        for name in names.split(",")
    }
    assert {(file, name) for file in scripts for name in EXPORTED.findall(scripts[file])} <= used


@pytest.mark.parametrize("name", WIDGETS)
def test_a_script_put_together_has_each_name_once_and_none_from_nowhere(name: str, tmp_path: Path):
    whole = tmp_path / name
    whole.write_text(read(name), "utf-8")
    assert not oxlint("-A", "all", "-D", "no-undef", "-D", "no-redeclare", str(whole))
    [last] = re.findall(r"^(?:import|export) .*$", whole.read_text("utf-8"), re.M)
    assert re.fullmatch(r"export default \w+\(\w+\);", last)


def test_a_style_put_together_imports_nothing_and_has_each_file_once():
    whole = read("board.css")
    assert "@import" not in whole
    assert whole.count("/* tiles.css") == whole.count("/* widgets.css") == 1
