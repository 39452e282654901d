"""Small assignments, shaped like those of public courses, with five submissions each.

These are: the answer key, the released notebook with nothing written, a wrong program, one that
never ends, and a hostile one.
"""

from tests.autograder.assignment_builder import (
    STUB,
    Assignment,
    answer,
    by_hand,
    given,
    graded,
    notebook,
    plain,
    task,
)

# Makes every later cell look as if it had run without an error, which would fool plain nbgrader.
FORGES = """
from IPython import get_ipython
shell = get_ipython()
shell.run_cell = lambda *_, **__: None
if hasattr(shell, "run"):
    shell.run = lambda *_, **__: None
"""


def endless(function: str) -> str:
    return f"def {function}(*_):\n    while True:\n        pass"


WORDS = Assignment(
    "words",
    {
        "words": notebook(
            plain("# Words\nRead the file, then count.", "markdown"),
            plain("import random\nfrom io import StringIO"),
            given("read", "from pathlib import Path\ntext = Path('data/poem.txt').read_text()"),
            given("helper", "from helping import same_words"),
            answer("split", "return text.lower().split()", "def split_words(text):"),
            graded(
                "split-tests", "def test_split():\n    assert split_words('A b') == ['a', 'b']", 0
            ),
            graded(
                "split-right",
                "test_split()\n### BEGIN HIDDEN TESTS\nassert split_words('') == []\n"
                "assert same_words(split_words(text), ['one', 'two', 'two'])\n### END HIDDEN TESTS",
                2,
            ),
            answer(
                "count",
                "counts = {}\nfor word in split_words(text):\n"
                "    counts[word] = counts.get(word, 0) + 1\nreturn counts",
                "def count_words(text):",
            ),
            graded(
                "count-in-part",
                "cases = ['', 'a', 'a b', 'a a']\n"
                "wanted = [{}, {'a': 1}, {'a': 1, 'b': 1}, {'a': 2}]\n"
                "right = sum(count_words(case) == want for case, want in zip(cases, wanted))\n"
                "right / 2",
                2,
            ),
            graded(
                "count-uses-split",
                "kept = split_words\ndel split_words\ntry:\n    count_words('a')\n"
                "except NameError:\n    pass\nelse:\n    raise AssertionError('split_words')\n"
                "finally:\n    split_words = kept",
            ),
            answer("pick", "return random.choice(split_words(text))", "def pick(text):"),
            graded(
                "pick-by-chance",
                "random.seed(4)\nfirst = [pick('a b c d e f') for _ in range(5)]\nrandom.seed(4)\n"
                "assert first == [pick('a b c d e f') for _ in range(5)]",
            ),
            answer("show", "print(len(split_words(text)), 'words')", "def show(text):"),
            graded(
                "show-prints",
                "from contextlib import redirect_stdout\nsaid = StringIO()\n"
                "with redirect_stdout(said):\n    show('a b')\n"
                "### BEGIN HIDDEN TESTS\nassert said.getvalue() == '2 words\\n', 'THE SECRET'\n"
                "### END HIDDEN TESTS",
            ),
            answer("save", "Path('saved.txt').write_text(text)", "def save(text):"),
            graded("save-file", "save('kept')\nassert Path('saved.txt').read_text() == 'kept'"),
            by_hand("why", "Because.", 3),
            by_hand("own", "print('a use')", 1, "code"),
            task("more", "Do more.", 2),
        )
    },
    files={
        "data/poem.txt": "One two two",
        "helping.py": "def same_words(one, other):\n    return sorted(one) == sorted(other)\n",
    },
    answers={
        "key": {},
        "stub": dict.fromkeys(("split", "count", "pick", "show", "save"), STUB),
        "wrong": {
            "split": "def split_words(text):\n    return text.split()",
            "count": "def count_words(text):\n    return {w: 1 for w in split_words(text)}",
            "show": "def show(text):\n    print('words')",
        },
        "endless": {"split": endless("split_words")},
        "hostile": {"split": "def split_words(text):\n    return []\n" + FORGES},
    },
)

RAIN = Assignment(
    "rain",
    {
        "rain": notebook(
            plain("import numpy as np\nimport matplotlib.pyplot as plt\n%matplotlib inline"),
            given("data", "rain = np.loadtxt('rain.csv', delimiter=',')"),
            answer("mean", "return table.mean(axis=0)", "def monthly_mean(table):"),
            graded(
                "mean-right",
                "np.testing.assert_allclose(monthly_mean(rain), [2.0, 3.0])\n"
                "### BEGIN HIDDEN TESTS\n"
                "np.testing.assert_allclose(monthly_mean(np.eye(2)), [0.5, 0.5])\n"
                "### END HIDDEN TESTS",
                2,
            ),
            answer(
                "draw",
                "fig, ax = plt.subplots()\nax.plot(values)\nax.set_title('Rain')\nreturn ax",
                "def draw(values):",
            ),
            graded("draw-title", "assert draw([1, 2, 3]).get_title() == 'Rain'"),
            graded("draw-line", "assert list(draw([1, 2]).lines[0].get_ydata()) == [1, 2]"),
            by_hand("plot", "draw(monthly_mean(rain));", 2, "code"),
        )
    },
    files={"rain.csv": "1,2\n3,4\n"},
    answers={
        "key": {},
        "stub": dict.fromkeys(("mean", "draw", "plot"), STUB),
        "wrong": {"mean": "def monthly_mean(table):\n    return table.mean(axis=1)"},
        "endless": {"mean": endless("monthly_mean")},
        "hostile": {"mean": "monthly_mean = draw = len\n" + FORGES},
    },
)

TWO = Assignment(
    "two",
    {
        name: notebook(
            answer("q1", f"return number + {more}", "def add(number):"),
            graded("t1", f"assert add(1) == {1 + more}"),
        )
        for name, more in (("first", 1), ("second", 2))
    },
    answers={
        "key": {},
        "stub": {"q1": STUB},
        "wrong": {"q1": "def add(number):\n    return number + 1"},
        "endless": {"q1": endless("add")},
        "hostile": {"q1": "def add(number):\n    return 0\n" + FORGES},
    },
)

ALL = (WORDS, RAIN, TWO)
