"""The wire between the judge and the jail: length-framed JSON, bounded on both sides, no pickle.

Plain values cross by exact types. `None`, `bool`, `float`, short `int`s and `str`s stand for
themselves, a list for a list. Everything else is an object of one key, which says what it is:

    {"int": "0x1f"}  {"str": hex of UTF-8 with surrogates}  {"bytes": hex}
    {"tuple": [...]}  {"set": [...]}  {"frozenset": [...]}  {"dict": [[key, value], ...]}
    {"random": [hex of 625 words, the next gauss or null]}
    {"ref": n}           the n-th list, dict, set or Random of this message, once more
    {"same": [n, x]}     the n-th list, dict, set or Random that was passed in, which now holds x
    {"handle": ...}      an object that stays where it is; both sides agree on what stands here
"""

from autograder.wire.budget import Budget
from autograder.wire.decoder import Decoder
from autograder.wire.encoder import Encoder
from autograder.wire.frames import Unfit, WireError, pack, receive, send, unpack
from autograder.wire.roots import Roots

__all__ = [
    "Budget",
    "Decoder",
    "Encoder",
    "Roots",
    "Unfit",
    "WireError",
    "pack",
    "receive",
    "send",
    "unpack",
]
