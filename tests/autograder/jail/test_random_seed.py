"""Random numbers in a submission: equal in every grading, but different for each generator."""

import pytest

from autograder.jail import WarmJail
from tests.autograder.grading_helpers import LESSON, printed

DRAWN = {
    "random": "import random; print(random.random(), random.sample(range(99), 9))",
    "a seed that nobody gives": "import random; random.seed(); print(random.random())",
    "a new Random": "from random import Random; print(Random().random(), Random(None).random())",
    "a subclass": "from random import Random\nclass Dice(Random): pass\nprint(Dice().random())",
    "secrets": "import secrets; print(secrets.randbelow(10**9), secrets.token_hex())",
    "a set of texts": "print({'left', 'right', 'up', 'down'}, hash('left'))",
}


@pytest.fixture(scope="module", params=[True, False], ids=["a jail", "no jail"])
def two(request: pytest.FixtureRequest):
    with (
        WarmJail(LESSON, confined=request.param) as one,
        WarmJail(LESSON, confined=request.param) as other,
    ):
        yield one, other


@pytest.mark.parametrize("source", DRAWN.values(), ids=DRAWN)
def test_chance_is_the_same_each_time(two: tuple[WarmJail, WarmJail], source: str):
    assert len({printed(jail, source) for jail in (*two, *two)}) == 1


def test_numpys_chance_is_the_same_each_time_if_pandas_was_loaded_before():
    source = "import numpy; print(numpy.random.rand(), numpy.random.default_rng().random())"
    said = set()
    for _ in range(2):
        with WarmJail(LESSON, preload=("pandas",)) as jail:
            said.add(printed(jail, source))
    assert len(said) == 1


def test_two_new_randoms_are_not_alike(jail: WarmJail):
    source = "from random import Random; print(Random().random() == Random().random())"
    assert printed(jail, source) == "False\n"


def test_a_seed_that_a_program_sets_holds_in_its_next_cell(jail: WarmJail):
    session = jail.session()
    printed(session, "import random; random.seed(7)")
    said = printed(session, "print(random.random() == random.Random(7).random())")
    assert said == "True\n"
