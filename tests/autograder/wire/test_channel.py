"""A channel, which is one end of a wire: it sends and receives whole messages, each in time."""

import socket
import struct
import time
from collections.abc import Iterator
from itertools import chain, repeat
from types import SimpleNamespace
from typing import cast

import pytest

from autograder.wire import Channel, WireError, pack, unpack
from autograder.wire.frames import MAX_BYTES


@pytest.fixture
def wires() -> Iterator[tuple[socket.socket, Channel]]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, Channel(theirs)


Wires = tuple[socket.socket, Channel]


def test_messages_are_received_as_they_were_sent_whatever_comes_together(wires: Wires):
    said = [{"do": "call"}, {"do": "x" * 1000}, {}]
    whole = b"".join(map(pack, said))
    for piece in (whole[:2], whole[2:40], whole[40:]):
        wires[0].sendall(piece)
    assert [unpack(wires[1].receive()) for _ in said] == said


def test_a_wire_that_says_nothing_times_out_and_loses_nothing(wires: Wires):
    frame = pack({"do": "call"})
    for piece in (b"", frame[:7]):
        wires[0].sendall(piece)
        with pytest.raises(TimeoutError):
            wires[1].receive(time.monotonic() + 0.01)
    wires[0].sendall(frame[7:])
    assert unpack(wires[1].receive(time.monotonic())) == {"do": "call"}


def test_a_frame_that_comes_byte_by_byte_without_end_times_out(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("autograder.wire.frames._REST", 0.01)
    came = chain([struct.pack(">I", 10**6)], repeat(b" "))
    wire = cast(socket.socket, SimpleNamespace(recv=lambda *_: next(came)))
    with pytest.raises(TimeoutError):
        Channel(wire).receive(time.monotonic())


def test_a_wire_on_which_nobody_reads_times_out(wires: Wires):
    with pytest.raises(TimeoutError):
        wires[1].send(pack({"x": "x" * 5_000_000}), time.monotonic() + 0.01)


def test_a_wire_that_is_closed_in_the_middle_of_a_frame_has_ended(wires: Wires):
    wires[0].sendall(struct.pack(">I", 100) + b"{")
    wires[0].close()
    with pytest.raises(EOFError):
        wires[1].receive()


def test_a_frame_that_says_it_is_huge_is_refused_unread(wires: Wires):
    wires[0].sendall(struct.pack(">I", MAX_BYTES + 1))
    with pytest.raises(WireError):
        wires[1].receive()


def test_a_message_that_is_too_large_is_not_sent():
    with pytest.raises(WireError, match="too much"):
        pack({"x": "x" * MAX_BYTES})
