"""Executors, whose workers grade on this machine or on a cluster."""

from autograder.workers.executors import EarlyExecutors, LastingExecutor, cores, make_executor, run

__all__ = ["EarlyExecutors", "LastingExecutor", "cores", "make_executor", "run"]
