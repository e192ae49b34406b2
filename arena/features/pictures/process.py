# SPDX-License-Identifier: GPL-3.0-or-later
"""The process that renders pictures: a child of the server, started with the first picture.

It reads jobs from standard input and writes pictures to standard output. Each message is its length, four bytes, and
its text. A picture begins with the byte 1; an error message begins with the byte 0.
"""

import contextlib
import os
import sys
from typing import BinaryIO, Literal

import msgspec
from msgspec import Struct

LENGTH = 4
"""Bytes of the length of a message."""

NICENESS = 10
"""Matches come first."""

FAILED, RENDERED = b"\0", b"\1"


Form = Literal["png", "gif"]


class Job(Struct, frozen=True):
    """Drawings to render, and the form of the picture."""

    form: Form
    width: int
    """In pixels."""
    frames: list[str]
    """SVG documents; PNG has one."""
    pause: int = 700
    """Milliseconds that an animation shows a frame."""
    end: int = 3000
    """Milliseconds that it shows the last one."""


def framed(message: bytes) -> bytes:
    """Return a message with its length before it."""
    return len(message).to_bytes(LENGTH, "big") + message


def serve(source: BinaryIO, out: BinaryIO) -> None:
    """Render jobs until the source ends."""
    # loaded by this process alone, not by the server, which has the other names of this module
    from arena.features.pictures.rendering import Renderer

    decoder = msgspec.msgpack.Decoder(Job)
    with Renderer() as renderer:
        while length := source.read(LENGTH):
            job = decoder.decode(source.read(int.from_bytes(length, "big")))
            try:
                answer = RENDERED + renderer.render(job)
            except (ValueError, OSError) as error:
                answer = FAILED + str(error).encode()
            out.write(framed(answer))
            out.flush()


def main() -> None:
    """Serve the parent process."""
    with contextlib.suppress(OSError, AttributeError):
        os.nice(NICENESS)
    with contextlib.suppress(KeyboardInterrupt, BrokenPipeError):
        serve(sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    main()
