"""The learner's own file `my_2048.py`: `keep` saves functions and classes there for later lessons.

`from course.mine import merge` imports the learner's own `merge` if it was saved and passes its
visible checks, those that stand in the learner's notebook. If not, it imports the course's `merge`.
A piece is a function or a class of the game, such as `merge` or `Game`.
"""

from typing import Any

from course import rules


def __getattr__(name: str) -> Any:
    if name not in rules.__all__:
        raise AttributeError(f"the course has no piece {name!r}")
    from course.mine.own_or_course import piece  # loaded when a piece is asked for

    return piece(name).value
