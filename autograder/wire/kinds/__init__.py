"""Values beyond the plainest: of which parts each kind is made, and how it is made of them again.

A value of such a kind crosses as `{"its tag": [part, part, …]}`. The parts are values themselves.
"""

from autograder.wire.kinds.kind import Kind
from autograder.wire.kinds.registry import kind_of, kind_of_tag

__all__ = ["Kind", "kind_of", "kind_of_tag"]
