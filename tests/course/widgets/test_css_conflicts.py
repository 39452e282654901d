"""The styles of widgets: in a notebook with many widgets, none changes the looks of another."""

import re
from itertools import permutations

import pytest

from course.widgets.static_html import read

WIDGETS = ("board", "duel", "hint_button", "predict", "parsons_puzzle", "replay", "stepper")
# The styles of widgets without a style of the same name.
STYLES = {"hint_button": "ask", "predict": "ask", "parsons_puzzle": "ask", "replay": "widgets"}
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
BARE = re.compile(r"(?:\.c2048 )?\.(c2048-[\w-]+)[\w:()]*")


def rules_for_every_widget(style: str) -> dict[str, set[str]]:
    """Return the rules of a style that apply to a class in every widget: CSS class → its rules."""
    found: dict[str, set[str]] = {}
    for selectors, body in RULE.findall(re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)):
        for selector in selectors.split(","):
            bare = BARE.fullmatch(" ".join(selector.split()))
            if bare:
                found.setdefault(bare[1], set()).add(f"{selector.strip()} {{{body}}}")
    return found


@pytest.mark.parametrize(("one", "other"), list(permutations(WIDGETS, 2)))
def test_no_rule_of_one_widget_changes_another(one: str, other: str) -> None:
    script = read(f"{other}.js")
    own = rules_for_every_widget(read(f"{STYLES.get(other, other)}.css"))
    foreign = {
        name: rules - own.get(name, set())
        for name, rules in rules_for_every_widget(read(f"{STYLES.get(one, one)}.css")).items()
        if re.search(rf"{name}(?![\w-])", script)
    }
    assert {name: rules for name, rules in foreign.items() if rules} == {}
