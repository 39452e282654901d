"""What a kernel in a browser runs before the first cell. No name of it is left to the learner."""

import IPython

import course.loops

if IPython.get_ipython() is not None:  # somebody who only reads this file has no kernel
    course.loops.stop_loops(IPython.get_ipython())
del IPython, course
