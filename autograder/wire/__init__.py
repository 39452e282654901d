"""The wire between the judge and the jail: length-framed JSON, bounded on both sides, no pickle.

Plain values cross by exact types. `None`, `bool`, `float`, short `int`s and `str`s stand for
themselves, a list for a list. Everything else is an object of one key, which says what it is:

    {"int": "0x1f"}  {"str": hex of UTF-8 with surrogates}  {"bytes": hex}
    {"tuple": [...]}  {"set": [...]}  {"frozenset": [...]}  {"dict": [[key, value], ...]}
    {"a tag of a kind": [part, ...]}   Fraction, datetime, Counter, Random, an array, a frame, …
    {"object": [name, state]}  {"member": [name, member]}  {"given": name}
                         of a class that a given cell defines, so that both sides have it
    {"named": "collections.Counter"}   a class of a library; towards the jail, a function, too
    {"ref": n}           the n-th changeable value of this message, once more
    {"same": [n, x]}     the n-th changeable value that was passed in, which now holds x
    {"handle": ...}      an object that stays where it is; both sides agree on what stands here

README.md says what crosses, how exactly, and what does not.
"""

from autograder.wire.budget import Budget
from autograder.wire.decoder import Decoder
from autograder.wire.encoder import Encoder
from autograder.wire.frames import Channel, Frame, Unfit, WireError, pack, unpack
from autograder.wire.plain_lists import plain_copy

__all__ = [
    "Budget",
    "Channel",
    "Decoder",
    "Encoder",
    "Frame",
    "Unfit",
    "WireError",
    "pack",
    "plain_copy",
    "unpack",
]
