"""Mutants of the product: one small change each, and the test that notices it.

    python -m tests.product_mutants --measure --coverage ../new.coverage
    python -m tests.product_mutants --coverage ../new.coverage --into ../new.jsonl -m "not deep"
    python -m tests.product_mutants --coverage ../old.coverage --into ../old.jsonl \
        --only ../new.jsonl --tree ../old-checkout

The first command records which tests run through which lines. The second tries a sample of mutants.
The third tries those of them that no test has noticed, in an older checkout with its own tests.

The tests, and all processes that they start, see a copy of the tree that is mounted over the
project's own folder. So the editable install and the jail import the mutant, too. Two other tools
do not fit: mutmut chooses a mutant by an environment variable, which the jail clears; cosmic-ray
runs the same tests for all mutants.

Each mutant is first tried alone, with quick tests that run through its line. If none of them fails,
the mutant is "left". Such mutants are tried together, many in one tree, with all tests that run
through their lines and all tests in the folders of the same names. A test that fails then is run
again, alone, with each mutant that it could have noticed, until it fails.

    killed         a test fails with the mutant, and passes without it
    alive          no test fails with the mutant
    not covered    no test fails with the mutant, and none runs through its line
    left           no quick test fails; the mutant was not yet tried together with others
    gone           the tree of `--tree` does not have the line of the mutant

The file of `--coverage` must have been measured with the same `--tree`.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.product_mutants.make_mutants import Mutant, sample
from tests.product_mutants.run_in_copy import ROOT, Copy, measure
from tests.product_mutants.trial import KEYS, STATES, Suite, Trial, rows_of, try_all


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.product_mutants")
    parser.add_argument("--coverage", type=Path, required=True, help="what --measure has written")
    parser.add_argument("--measure", action="store_true", help="run the tests once, for --coverage")
    parser.add_argument("--processes", default="2", help="of --measure")
    parser.add_argument("--into", type=Path, help="results, one a line; goes on where it was ended")
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--patience", type=float, default=3, help="times what tests took, measured")
    parser.add_argument("--tree", type=Path, default=ROOT, help="another checkout, with its tests")
    parser.add_argument("--only", type=Path, help="the mutants of these results")
    lived = ("alive", "not covered", "left")
    parser.add_argument("--state", nargs="+", choices=STATES, default=lived, help="for --only")
    parser.add_argument("-m", dest="expression", default="", help="which tests, as for pytest")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mutants-") as work:
        copy = Copy(given.tree.resolve(), Path(work), given.expression)
        if given.measure:
            measure(copy, given.coverage, given.processes)
        else:
            run(copy, given)


def run(copy: Copy, given: argparse.Namespace) -> None:
    if given.only:
        wanted = [
            Mutant(**{key: row[key] for key in KEYS})
            for row in rows_of(given.only)
            if row.get("state") in given.state
        ]
    else:
        wanted = sample(copy.folder, given.sample, given.seed)
    seen = copy.run("--collect-only")
    if seen["status"] != 0:
        sys.exit((copy.work / "log").read_text()[-2000:])
    suite = Suite(given.coverage, seen["ids"])
    trial = Trial(copy, suite, given.into, given.patience)
    with copy.warm(seen["modules"]):
        try_all(wanted, copy, trial, given.into)


if __name__ == "__main__":
    main()
