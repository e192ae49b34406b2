# SPDX-License-Identifier: GPL-3.0-or-later
"""The declaration of a hostile program."""

from dataclasses import dataclass, field
from textwrap import dedent

from bots.sandbox import SandboxLimits
from bots.sandbox.limits import MIB

SMALL = SandboxLimits(memory=128 * MIB, processes=16, open_files=64, file_size=8 * MIB, temporary=16 * MIB, inodes=512)
SECRET = "the-token-of-another-bot"
"""Written where a sandbox must not read: a file of the machine, and the environment of the process that starts it."""


@dataclass(frozen=True, slots=True)
class Attack:
    """A hostile program."""

    name: str
    code: str
    """Python."""
    ends: bool = True
    """Whether it ends by itself or by the sandbox's limits; otherwise the test ends it."""
    limits: SandboxLimits = field(default=SMALL)


def attack(name: str, code: str, *, ends: bool = True) -> Attack:
    """Return an attack whose program may use the functions of the prelude."""
    return Attack(name, _PRELUDE + dedent(code), ends)


_PRELUDE = dedent("""
    import ctypes, errno, os, resource, socket, struct, subprocess, sys, threading, time
    libc = ctypes.CDLL(None, use_errno=True)
    def escaped(what): print("ESCAPED", what, flush=True)
    def tried(what, action):
        try:
            result = action()
        except BaseException as error:
            print("held", what, type(error).__name__, error, flush=True)
        else:
            escaped(f"{what}: {result!r}")
    def call(what, number, *arguments):
        ctypes.set_errno(0)
        if libc.syscall(number, *arguments) >= 0:
            escaped(what)
        else:
            print("held", what, os.strerror(ctypes.get_errno()), flush=True)
    def read(path): return open(path, "rb").read(100)
    print("began", flush=True)
""")
