"""A copy of the course's rules in which a learner's functions can take their places."""

from types import CellType, FunctionType
from typing import Any

from course import rules
from course.playing.wanted import reference

CLASSES = [value for value in vars(rules).values() if isinstance(value, type)]


def new_world() -> dict[str, Any]:
    """Return copies of all rules, functions and classes, which find each other in this dictionary.

    >>> world = new_world()
    >>> world["merge"] = lambda line: line
    >>> game = world["SpecialGame"](1, 2)
    >>> game.board = [[2, 2]]
    >>> game.move("left")
    False
    """
    world = reference({})["slide"].__globals__
    for name, value in world.items():
        if isinstance(value, FunctionType) and hasattr(rules, name):
            value.__module__ = rules.__name__
    for original in sorted(CLASSES, key=lambda each: len(each.__mro__)):
        world[original.__name__] = _class_copy(original, world)
    return world


def _class_copy(original: type, world: dict[str, Any]) -> type:
    bases = tuple(world.get(base.__name__, base) for base in original.__bases__)
    itself = CellType()  # what super() in a method looks at
    left_out = ("__dict__", "__weakref__")
    members = {n: _moved(v, world, itself) for n, v in vars(original).items() if n not in left_out}
    copy = type(original.__name__, bases, members)
    itself.cell_contents = copy
    return copy


def _moved(member: Any, world: dict[str, Any], itself: CellType) -> Any:
    """Return a member of a class; a function or property now finds its names in the world."""
    if isinstance(member, property):
        get, put, cut = (
            _moved(part, world, itself) for part in (member.fget, member.fset, member.fdel)
        )
        return property(get, put, cut, member.__doc__)
    if not isinstance(member, FunctionType):
        return member
    names = zip(member.__code__.co_freevars, member.__closure__ or (), strict=True)
    closure = tuple(itself if name == "__class__" else cell for name, cell in names)
    moved = FunctionType(member.__code__, world, member.__name__, member.__defaults__, closure)
    moved.__kwdefaults__ = member.__kwdefaults__
    moved.__doc__ = member.__doc__
    return moved
