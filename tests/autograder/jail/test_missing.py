"""If there is no jail, or it cannot be started, a message says so, and what to do."""

import errno
import os
import warnings
from pathlib import Path

import pytest

from autograder.jail import JailMissing, Limits, WarmJail
from tests.autograder.grading_helpers import LESSON, printed


@pytest.mark.parametrize(
    ("does", "said"),
    [("echo no namespaces here >&2", "no namespaces here"), ("", "it said nothing")],
    ids=["words", "silence"],
)
def test_a_jail_that_can_not_start_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, does: str, said: str
):
    broken = tmp_path / "bwrap"
    broken.write_text(f"#!/bin/sh\n{does}\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    with pytest.raises(JailMissing, match=said), WarmJail(LESSON):
        pass


@pytest.mark.parametrize("confined", [True, False])
def test_files_that_do_not_fit_are_no_missing_jail(confined: bool):
    limits = Limits(file_size=2**20)
    with warnings.catch_warnings(action="ignore"), WarmJail(LESSON, limits, confined) as jail:
        jail.lay({"large": bytes(2**21)})
        with pytest.raises(
            RuntimeError, match=r"could not be laid into the jail: .*File too large"
        ):
            jail.session()
        jail.lay({"small": b"x"})
        assert printed(jail, "print(open('small').read())") == "x\n"


def test_a_jail_that_only_fails_with_files_is_there_for_the_next(monkeypatch: pytest.MonkeyPatch):
    """The files are to blame if a session begins without them, but not with them."""
    with WarmJail(LESSON) as jail:
        jail.lay({"deadly": b""})
        control = jail._start

        def start() -> None:
            control()
            if jail._laid:
                jail._control.close()  # type: ignore[union-attr]

        monkeypatch.setattr(jail, "_start", start)
        jail.replace()
        with pytest.raises(RuntimeError, match="could not be laid") as raised:
            jail.session()
        assert raised.type is RuntimeError
        jail.lay({})
        assert printed(jail, "print(2048)") == "2048\n"


def test_a_folder_without_room_for_the_jail_says_what_to_do(monkeypatch: pytest.MonkeyPatch):
    def write_nothing(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("autograder.jail.warm_jail.write_packages", write_nothing)
    with pytest.raises(JailMissing, match=r"no room left in .* set TMPDIR"):
        WarmJail(LESSON)
