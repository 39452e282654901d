"""Why a test runs where it runs, in sentences for the instructor: the line, and what it shows."""

from autograder.submission import CheckResult, Outcome

_MOST_WORDS = 300
_LONGEST = 80  # letters of a line of the test
_OF_STAND_INS = ("StandIn", "beside the program can ask", "cannot be given to the student's code")


def only_inside(check: CheckResult, source: str) -> str:
    """Why a test that the answer key does not pass outside runs inside.

    >>> check = CheckResult("dog", 0, 1, Outcome.FAILED, "AssertionError: no dog", line=2)
    >>> only_inside(check, "dog = Dog()\\nassert is_dog(dog)")
    'line 2, `assert is_dog(dog)`, holds only beside the program: no dog'
    """
    verb = "holds" if check.outcome is Outcome.FAILED else "works"
    return _sentence(check, source, f"{verb} only beside the program")


def not_right(check: CheckResult, source: str) -> str:
    """Why the answer key does not pass a test at all.

    >>> check = CheckResult("two", 0, 1, Outcome.FAILED, "AssertionError", line=1)
    >>> not_right(check, "assert double(1) == 3")
    'line 1, `assert double(1) == 3`, does not hold'
    """
    if check.outcome is Outcome.PASSED:
        return "its last value gives no more"
    is_late = check.outcome in (Outcome.TIMEOUT, Outcome.CRASHED)
    verb = "does not hold" if check.outcome is Outcome.FAILED else "fails"
    return _sentence(check, source, "does not come to its end" if is_late else verb)


def _sentence(check: CheckResult, source: str, what: str) -> str:
    said, place = _said(check), _place(check, source)
    if place:
        return f"{place}, {what}{f': {said}' if said else ''}"[:_MOST_WORDS]
    return (said or check.outcome.value.replace("_", " "))[:_MOST_WORDS]


def _place(check: CheckResult, source: str) -> str:
    """The line, by its number and its text."""
    lines = source.splitlines()
    if not 0 < check.line <= len(lines):
        return ""
    text = lines[check.line - 1].strip()
    return f"line {check.line}, `{text if len(text) <= _LONGEST else f'{text[:_LONGEST]}…'}`"


def _said(check: CheckResult) -> str:
    """Return the message of the test itself, or "" if its line says it better."""
    said = next((line.strip() for line in check.message.splitlines() if line.strip()), "")
    if any(word in said for word in _OF_STAND_INS):
        return ""
    return said.removeprefix("AssertionError").removeprefix(":").strip()
