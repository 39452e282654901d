"""The workers: executors that do the work here or on a cluster, and what they begin with."""

from autograder.workers.executors import EarlyExecutors, cores, make_executor, run

__all__ = ["EarlyExecutors", "cores", "make_executor", "run"]
