# SPDX-License-Identifier: MIT
"""Escape text for terminals: no control sequences that move the cursor, change colours, or reorder letters.

Names, versions and error texts come from other machines, and a terminal obeys their escape sequences.
"""

import logging
import re

_CONTROLS = r"\x00-\x08\x0b-\x1f\x7f-\x9f"
_BIDIRECTIONAL = r"\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
_UNSAFE = re.compile(rf"[{_CONTROLS}{_BIDIRECTIONAL}\ud800-\udfff]")
_UNSAFE_IN_LINE = re.compile(rf"[{_CONTROLS}\t\n{_BIDIRECTIONAL}\ud800-\udfff]")


def printable(text: str) -> str:
    """Return the text with control characters, bidirectional controls and lone surrogates written as escapes
    (U+001B becomes the six letters ``\\u001b``). Tabs and line feeds stay.
    """
    return _UNSAFE.sub(_escape, text)


def printable_line(text: str) -> str:
    """Do what ``printable`` does, and write tabs and line feeds as escapes too."""
    return _UNSAFE_IN_LINE.sub(_escape, text)


def plain_line(text: str) -> str:
    """Return the text as one line without control characters, bidirectional controls and lone surrogates; white space
    between words becomes one space.
    """
    return " ".join(_UNSAFE.sub("", text).split())


def _escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


class PrintableFormatter(logging.Formatter):
    """A formatter whose lines are safe to print, tracebacks included."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as text, made safe."""
        return printable(super().format(record))


def log_to_terminal(level: int, form: str = logging.BASIC_FORMAT) -> None:
    """Write the log to standard error, made safe to print, unless the program has set up logging already."""
    handler = logging.StreamHandler()
    handler.setFormatter(PrintableFormatter(form))
    logging.basicConfig(level=level, handlers=[handler])
