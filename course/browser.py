"""What a kernel in a browser runs before the first cell. No name of it is left to the learner."""

import IPython

import course.loops

course.loops.stop_loops(IPython.get_ipython())
del IPython, course
