"""Right programs lose no point if they use objects at other places than the answer key does."""

import pytest

from autograder.jail import WarmJail
from tests.autograder.grading_helpers import passed

REPLAY = """
def replay(account, steps):
    for name, amount in steps:
        getattr(account, name)(amount)
    return account.balance
"""
ACCOUNT = """
class Account:
    def __init__(self): self.balance = 0
    def add(self, n): self.balance += n"""
NODE = """
class Node:
    def __init__(self, value, left=None, right=None):
        self.value, self.left, self.right = value, left, right
"""
GROWN = """
def build(values, root=None):
    for value in values:
        root = grown(root, value)
    return root
def grown(node, value):
    if node is None:
        return Node(value)
    side = "left" if value < node.value else "right"
    setattr(node, side, grown(getattr(node, side), value))
    return node
"""
BALANCED = """
def build(values):
    values = sorted(values)
    half = len(values) // 2
    return Node(values[half], build(values[:half]), build(values[half + 1:])) if values else None
"""
WALK = """
def walk(node):
    return [] if node is None else walk(node.left) + [node.value] + walk(node.right)
"""
SHAPE = """
class Square:
    def __init__(self, side): self.side = side
    def area(self): return self.side ** 2
"""
GAME = """
class Game:
    def __init__(self, n=0): self.n = n
    def step(self): return Game(self.n + {})
"""
POINT = """
class P:
    def __init__(self, x): self.x = x
    def moved(self): return P(self.x + 1)
def one(x): return P(x)
"""
DOWN = """
class down:
    def __init__(self, n): self.n = n
    def __iter__(self): return iter(range(self.n, 0, -1))
"""
BOX = """
class Box:
    def __iter__(self): return iter([Square(1), Square(2)])
def shapes(): return Box()
"""
CHAIN = """
class Chain:
    def __init__(self): self.head = None"""
CASES = {
    "a tree of another form": (
        NODE + GROWN,
        NODE + BALANCED,
        f"{WALK}\nassert walk(build([3, 1, 2])) == [1, 2, 3]",
    ),
    "more steps": (
        GAME.format(2),
        GAME.format(1),
        "g = Game()\nwhile g.n < 8: g = g.step()\nassert g.n == 8",
    ),
    "two names of one function": (
        f"{POINT}def two(x): return P(x)",
        f"{POINT}two = one",
        "assert one(1).moved().x == 2 and two(2).moved().x == 3",
    ),
    "an object that nobody uses": (
        ACCOUNT,
        f"{ACCOUNT}; return self",
        f"{REPLAY}\nassert replay(Account(), [('add', 5)]) == 5",
    ),
    "an object of which is only asked whether it is there": (
        CHAIN,
        f"{CHAIN} or Chain\n    size = 0",
        "assert hasattr(Chain(), 'head') and not hasattr(Chain(), 'tail')",
    ),
    "a class in place of a generator": (
        "def down(n):\n    while n:\n        yield n\n        n -= 1",
        DOWN,
        "assert list(down(3)) == [3, 2, 1]\nassert sum(down(4)) == 10",
    ),
    "a generator of objects in place of a list": (
        SHAPE + "def shapes(): return [Square(1), Square(2)]",
        SHAPE + "def shapes():\n    yield Square(1)\n    yield Square(2)",
        "assert sum(one.area() for one in shapes()) == 5",
    ),
    "a box of objects in place of a list": (
        SHAPE + "def shapes(): return [Square(1), Square(2)]",
        SHAPE + BOX,
        "assert sum(one.area() for one in shapes()) == 5",
    ),
}


@pytest.mark.parametrize(("key", "program", "test"), CASES.values(), ids=CASES)
def test_right_objects_may_stand_elsewhere(
    jail: WarmJail, key: str, program: str, test: str
) -> None:
    assert passed(jail, program, (test,), key) == {test}
