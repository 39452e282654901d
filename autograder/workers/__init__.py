"""The workers: executors that grade on this machine or on a cluster, some ahead of time."""

from autograder.workers.executors import EarlyExecutors, cores, make_executor, run

__all__ = ["EarlyExecutors", "cores", "make_executor", "run"]
