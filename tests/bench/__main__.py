"""`python -m tests.bench` grades the same class with nbgrader and with this grader, and compares.

Start-up counts. The class is a sample in real proportions, in a folder that is removed again.
"""

import argparse
import json
import os
import sys
from dataclasses import asdict

from autograder.course_adapter import lesson_order
from autograder.system import Trouble
from autograder.system.atomic_write import scratch_folder
from autograder.system.shutdown import say_when_stopped, take_signals
from tests.bench.compare_graders import SCRATCH, Row, compare

HEAD = (
    f"{'class':>6} {'graded':>7}  {'program':30}{'seconds':>9}{'a second':>9}{'times':>7}"
    f"{'CPU s':>9}{'CPU times':>10}{'MiB':>5}  scores"
)


def main() -> None:
    """Measure what the options ask for, and print a line for each class and program."""
    options = _options().parse_args()
    programs = [*([] if options.alone else [0]), *(options.workers or [1, 2])]
    load = os.getloadavg()[0]
    if not options.json:
        print(HEAD, flush=True)
    is_scaled = False
    with scratch_folder(SCRATCH) as place:
        os.environ["TMPDIR"] = str(place)  # so that files of killed programs are removed, too
        sizes = options.students or [24, 200]
        for row in compare(options.lesson, sizes, programs, options.repeats, options.most):
            is_scaled |= row.measured < row.students
            print(json.dumps(asdict(row)) if options.json else line(row), flush=True)
    if is_scaled:
        print("* The rest is worked out: as many times what one more takes.", file=sys.stderr)
    print(f"{os.cpu_count()} processors; load before it began: {load:.1f}.", file=sys.stderr)


def line(row: Row) -> str:
    """Return a row as a line of the table; a star marks a class of which only a part was graded."""
    star = "*" * (row.measured < row.students)
    return (
        f"{row.students:6} {f'{row.measured}{star}':>7}  {row.program:30}{row.took.seconds:9.1f}"
        f"{row.students / row.took.seconds:9.1f}{row.ratio:7.1f}{row.took.cpu:9.1f}"
        f"{row.ratio_cpu:10.1f}{row.took.mib:5.0f}  {'equal' if row.has_equal else 'differ'}"
    )


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    add = parser.add_argument
    add("lesson", nargs="?", choices=lesson_order(), default="1-merge-a-line")
    several = "; may be given more than once"
    add("--alone", action="store_true", help="this grader alone, without nbgrader")
    add("--students", type=int, action="append", help="the size of a class" + several)
    add("--workers", type=int, action="append", help="processes" + several)
    add("--repeats", type=int, default=1, help="runs, of which the median counts")
    add("--most", type=int, default=24, help="nbgrader grades so many, 2 at least")
    add("--json", action="store_true", help="print one JSON object a line")
    return parser


if __name__ == "__main__":
    take_signals()
    say_when_stopped("Stopped; the same command begins to measure anew.")
    try:
        main()
    except Trouble as trouble:
        sys.exit(str(trouble))
