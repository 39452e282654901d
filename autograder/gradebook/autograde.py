"""An old import path of `autograder.autograde`, for configurations made by older versions."""

import sys
from importlib import import_module

sys.modules[__name__] = import_module("autograder.autograde")
