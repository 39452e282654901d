"""The wire between the judge and the jail: JSON, each message with its length before it, no pickle.

Both sides limit how large a message may be. Plain values cross with their exact types. `None`, a
`bool`, a `float`, a short `int`, a `str` and a list are written as JSON's own, every other value as
an object with one key, the tag:

    {"int": "0x1f"}  {"str": hex of UTF-8 with surrogates}  {"bytes": hex}
    {"tuple": [...]}  {"set": [...]}  {"frozenset": [...]}  {"dict": [[key, value], ...]}
    {"Fraction": [part, ...]}   a value taken apart, as `type_codecs.py` says: Fraction, datetime,
                         Counter, Random, an array, a frame, …; each has a tag of its own
    {"named": "collections.Counter"}   a class or function of a library; only towards the jail
    {"ref": n}           the n-th mutable value of this message, once more
    {"same": [n, x]}     the n-th mutable value that was passed in with a call, which now holds x
    {"handle": ...}      an object that stays in the jail: JSON by which both sides refer to it
    {"either": [handle, value]}  an object whose class extends a plain type, and its plain value

README.md says which values cross, how exactly, and which do not.
"""

from autograder.wire.budget import Budget
from autograder.wire.decoder import Decoder
from autograder.wire.encoder import Encoder, encoded
from autograder.wire.frames import Channel, Frame, Unfit, WireError, pack, unpack

__all__ = [
    "Budget",
    "Channel",
    "Decoder",
    "Encoder",
    "Frame",
    "Unfit",
    "WireError",
    "encoded",
    "pack",
    "unpack",
]
