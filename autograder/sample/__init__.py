"""A sample class to try the grader with: right, wrong, damaged and hostile submissions."""

from autograder.sample.sample_class import (
    Sampler,
    hostile_programs,
    make_class,
    real_class,
    write_class,
)

__all__ = ["Sampler", "hostile_programs", "make_class", "real_class", "write_class"]
