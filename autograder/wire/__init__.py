"""The wire between the judge and the jail: length-framed JSON, bounded on both sides, no pickle."""

from autograder.wire.frames import WireError, pack, receive, send, unpack
from autograder.wire.values import Decoder, Encoder, Unfit

__all__ = ["Decoder", "Encoder", "Unfit", "WireError", "pack", "receive", "send", "unpack"]
