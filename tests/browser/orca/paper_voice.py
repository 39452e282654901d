"""A speech server for the screen reader Orca that writes words into a file instead of speaking.

A line is `says TEXT`, `key NAME` for a key that Orca names, or `stop` if Orca interrupts itself.
"""
# ruff: noqa: N802 — the names are Orca's

import os
from typing import Any

import orca.debug
from orca.speechserver import SpeechServer as Base

orca.debug.debugFile.reconfigure(line_buffering=True)  # so an unchanged log means that Orca rests
PAPER = open(os.environ["ORCA_PAPER"], "a", buffering=1, encoding="utf-8")  # noqa: SIM115


class SpeechServer(Base):
    """A voice that writes words, keys and stops into the file, and ignores all other calls."""

    @staticmethod
    def getSpeechServer(info: Any = None) -> "SpeechServer":
        return SpeechServer()

    def speak(self, text: str = "", acss: Any = None, interrupt: bool = True) -> None:
        PAPER.write(f"says {text}\n")

    def speakCharacter(self, character: str, acss: Any = None) -> None:
        PAPER.write(f"says {character}\n")

    def speakKeyEvent(self, event: Any, acss: Any = None) -> None:
        PAPER.write(f"key {event.getKeyName()}\n")

    def stop(self) -> None:
        PAPER.write("stop\n")

    def updateCapitalizationStyle(self) -> None:
        pass

    def updatePunctuationLevel(self) -> None:
        pass
