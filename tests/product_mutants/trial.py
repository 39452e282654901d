"""The trial of mutants: it chooses the tests that may notice a mutant, and runs them."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tests.product_mutants.make_mutants import Mutant, find_again
from tests.product_mutants.run_in_copy import Copy

STATES = ("killed", "alive", "not covered", "left", "gone")
TOGETHER = 30  # mutants that are tried together, at most
FIRST = 40  # quick tests with which a mutant is tried alone, at most
QUICK = 5.0  # seconds that a quick test takes, at most
KEYS = ("file", "line", "text", "change", "nth")  # of a mutant, in the results
START = 10.0  # seconds that pytest takes to begin, on a busy machine
ALSO = {  # folder of the product → more folders with tests of it
    "autograder/gradebook": ["tests/autograder/gradebook/beside_nbgrader"],
    "autograder/jail": ["tests/autograder/judge"],
}


class Suite:
    """All tests, with the seconds that each took, and the lines that it ran through."""

    def __init__(self, coverage: Path, ids: Iterable[str]) -> None:
        from coverage import CoverageData

        self._lines = CoverageData(str(coverage))
        self._lines.read()
        self._contexts: dict[str, dict[int, list[str]]] = {}
        self.ids = set(ids)
        times = json.loads(Path(f"{coverage}.times").read_text())
        self.times = {self._plain(test): took for test, took in times.items()}

    def _plain(self, test: str) -> str:
        """Return the name of a test without the `@group` that pytest-xdist may have added to it."""
        return test if test in self.ids else test.rpartition("@")[0]

    def covering(self, mutant: Mutant) -> set[str]:
        """Return the tests that run through the lines of a mutant.

        For a line in no function, these are all tests that run through any line of the file.
        """
        if mutant.file not in self._contexts:
            self._contexts[mutant.file] = self._lines.contexts_by_lineno(mutant.file)
        contexts = self._contexts[mutant.file]
        lines = contexts if mutant.lines is None else mutant.lines
        seen = {name for line in lines for name in contexts.get(line, ())}
        return {self._plain(name.rpartition("|")[0]) for name in seen if name} & self.ids

    def mirrored(self, mutant: Mutant) -> set[str]:
        """Return the doctests of a mutant's file, and the tests in the folder of the same name.

        If that test folder has no tests, the nearest folder above it counts. `ALSO` lists more test
        folders for some folders of the product.
        """
        own, room = Path(mutant.file), Path("tests") / Path(mutant.file).parent
        while not any(test.startswith(f"{room}/") for test in self.ids) and room.name:
            room = room.parent
        rooms = [str(room)]
        for start, others in ALSO.items():
            rooms += others if mutant.room.startswith(start) else []
        return {
            test
            for test in self.ids
            if str(Path(test.partition("::")[0]).parent) in rooms or test.startswith(f"{own}::")
        }

    def ordered(self, tests: Iterable[str], mutant: Mutant) -> list[str]:
        """Return the tests in the order in which they are to be tried.

        First comes one case of each test function, then a second case of each, and so on. Among
        these, tests whose file has the mutant's file in its name come first, then the tests of
        `mirrored`, then quick tests.
        """
        near, rows, found = self.mirrored(mutant), Counter[str](), []
        stem = Path(mutant.file).stem
        for test in sorted(tests, key=self.time):
            name = test.partition("[")[0]
            is_far = (stem not in name.partition("::")[0], test not in near)
            found.append((rows[name], *is_far, self.time(test), test))
            rows[name] += 1
        return [test for *_, test in sorted(found)]

    def time(self, test: str) -> float:
        return float(self.times.get(test, 1.0))


class Trial:
    """A trial of mutants, each alone and then many together; results are kept in a file."""

    def __init__(self, copy: Copy, suite: Suite, into: Path, patience: float) -> None:
        self._copy, self._suite, self._into, self._patience = copy, suite, into, patience
        self._passing = {row["test"]: row["passes"] for row in rows_of(into) if "test" in row}

    def note(self, row: dict[str, Any]) -> None:
        with self._into.open("a") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")

    def alone(self, mutant: Mutant) -> dict[str, Any]:
        """Try a mutant alone; return that a quick test has killed it, or that it is left."""
        ordered = self._suite.ordered(self._suite.covering(mutant), mutant)
        tests = [test for test in ordered if self._suite.time(test) < QUICK][:FIRST]
        while tests := [test for test in tests if self._passing.get(test, True)]:
            seen = self._run([mutant], tests, "-x")
            if seen["status"] in (0, 5):
                break
            by = seen["by"]
            if seen["status"] is None or by not in tests or self._passes(by):
                return {"state": "killed", "by": by, "saw": seen["saw"]}
        return {"state": "left"}

    def together(self, left: list[Mutant]) -> Iterator[tuple[Mutant, dict[str, Any]]]:
        """Try mutants together, and yield each with its state: killed, alive or not covered.

        As long as tests fail, the mutants that they notice are taken out, and these tests run again
        with the other mutants.
        """
        tests = set().union(*map(self._suite.covering, left), *map(self._suite.mirrored, left))
        while left:
            seen = self._run(left, sorted(tests))
            failed = set(seen.get("failed", ()))
            if seen["status"] is None or not failed <= tests:  # no end, or a broken file
                if len(left) == 1:
                    yield left[0], {"state": "killed", "saw": "no end"}
                    return
                for half in range(2):
                    yield from self.together(left[half::2])
                return
            killed = dict(self._noticed(left, [test for test in failed if self._passes(test)]))
            yield from killed.items()
            left = [mutant for mutant in left if mutant not in killed]
            tests = failed
            if not killed:
                break
        for mutant in left:
            is_covered = self._suite.covering(mutant)
            yield mutant, {"state": "alive" if is_covered else "not covered"}

    def _noticed(
        self, left: list[Mutant], failed: list[str]
    ) -> Iterator[tuple[Mutant, dict[str, Any]]]:
        """Yield the mutants that the `failed` tests notice, each with its state.

        Each test runs with one mutant after the other, and stops at the first with which it fails.
        First come the mutants whose lines the test runs through, then those whose lines no test is
        known to run through, because a test may do so in forks, where nothing is measured.
        """
        killed: set[Mutant] = set()
        covering = {mutant: self._suite.covering(mutant) for mutant in left}
        unseen = [mutant for mutant, tests in covering.items() if not tests]
        for test in sorted(failed, key=self._suite.time):
            suspects = [mutant for mutant, tests in covering.items() if test in tests]
            if killed.isdisjoint(suspects):
                for mutant in [*suspects, *unseen] or left:
                    seen = self._run([mutant], [test])
                    if seen["status"] not in (0, 5):
                        killed.add(mutant)
                        yield mutant, {"state": "killed", "by": test, "saw": seen["saw"]}
                        break

    def _run(self, mutants: list[Mutant], tests: list[str], *options: str) -> Any:
        limit = self._patience * (START + sum(map(self._suite.time, tests)))
        with self._copy.changed(mutants):
            return self._copy.run(*options, tests=tests, limit=limit)

    def _passes(self, test: str) -> bool:
        """Return true if a test passes alone and without any mutant."""
        if test not in self._passing:
            self._passing[test] = self._copy.run(tests=[test])["status"] == 0
            self.note({"test": test, "passes": self._passing[test]})
        return self._passing[test]


def rows_of(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def table(rows: list[dict[str, Any]]) -> str:
    """Return a table with the number of mutants in each folder and each state.

    A list of all mutants that were not killed follows.
    """
    rooms = defaultdict[str, Counter[str]](Counter)
    for row in rows:
        for room in (str(Path(row["file"]).parent), "together"):
            rooms[room][row["state"]] += 1
    rooms["together"] = rooms.pop("together", Counter())
    lines = [f"{'room':32}{'made':>6}" + "".join(f"{state:>13}" for state in STATES)]
    for room, counts in rooms.items():
        numbers = "".join(f"{counts[state]:13}" for state in STATES)
        lines.append(f"{room:32}{counts.total():6}{numbers}")
    others = [f"{row['state']}: {row['id']}" for row in rows if row["state"] != "killed"]
    return "\n".join([*lines, "", *sorted(others)])


def try_all(wanted: list[Mutant], copy: Copy, trial: Trial, into: Path) -> None:
    """Try those `wanted` mutants that were not tried yet; print the state of each, and a table."""
    known = {row["id"]: row for row in rows_of(into) if "id" in row}
    left: list[Mutant] = []

    def tell(mutant: Mutant, found: dict[str, Any]) -> None:
        facts = {key: vars(mutant)[key] for key in KEYS}
        known[mutant.id] = {"id": mutant.id, **facts, "by": "", "saw": "", **found}
        trial.note(known[mutant.id])
        print(f"{found['state']} {mutant.id} {found.get('by', '')}", flush=True)

    for mutant in wanted:
        here = find_again(copy.folder, mutant)
        if here is None:
            tell(mutant, {"state": "gone"})
            continue
        if mutant.id not in known:
            tell(mutant, trial.alone(here))
        if known[mutant.id]["state"] == "left":
            left.append(here)
    while left:
        group: list[Mutant] = []
        for mutant in left:
            if len(group) < TOGETHER and not any(
                one.file == mutant.file and one.start < mutant.end and mutant.start < one.end
                for one in group
            ):
                group.append(mutant)
        left = [mutant for mutant in left if mutant not in group]
        for mutant, found in trial.together(group):
            tell(mutant, found)
    print(table(list(known.values())))
