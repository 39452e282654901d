"""The workers, which grade on this machine or on a cluster; they are used through executors."""

from autograder.workers.executors import EarlyExecutors, LastingExecutor, cores, make_executor, run

__all__ = ["EarlyExecutors", "LastingExecutor", "cores", "make_executor", "run"]
