"""The old name of the module `autograder.autograde`, which old configurations still import."""

import sys
from importlib import import_module

sys.modules[__name__] = import_module("autograder.autograde")
