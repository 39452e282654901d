"""A game in a real terminal."""

import os
import pty
import subprocess
import sys
from random import Random

import pytest

from course.rules import Game


@pytest.fixture
def terminal():
    """Start a game in a real terminal; yield the file descriptor through which tests use it."""
    lead, follow = pty.openpty()
    run = [sys.executable, "-m", "course", "play", "--seed", "3"]
    environment = {**os.environ, "TERM": "xterm"}
    with subprocess.Popen(
        run, stdin=follow, stdout=follow, stderr=follow, env=environment
    ) as process:
        os.close(follow)
        yield lead
        assert process.wait(30) == 0
    os.close(lead)


def test_in_a_real_terminal_keys_act_without_enter_and_ctrl_d_leaves(terminal):
    read_until(terminal, "e exit")
    os.write(terminal, b"w")
    read_until(terminal, "1 move.")
    os.write(terminal, b"\x1b[D")
    read_until(terminal, "2 moves")
    os.write(terminal, b"\x04")
    read_until(terminal, "No more keys.")


def test_in_a_real_terminal_no_key_of_a_burst_is_lost(terminal):
    os.write(terminal, b"wasd" * 5)
    game = Game(rng=Random(3))
    for direction in ("up", "left", "down", "right") * 5:
        game.move(direction)
    read_until(terminal, f"Score {game.score}, {game.moves} moves")
    os.write(terminal, b"e")
    read_until(terminal, "Goodbye.")


def read_until(terminal: int, text: str) -> None:
    """Read a terminal until it has shown the text; raise `OSError` if it ends before."""
    seen = ""
    while text not in seen:
        seen += os.read(terminal, 4096).decode(errors="replace")
