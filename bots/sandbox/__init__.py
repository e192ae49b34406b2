# SPDX-License-Identifier: GPL-3.0-or-later
"""Sandboxes: programs of strangers run without network, files, or a share of the machine beyond their limits.

Tiers, the best first: bubblewrap; namespaces with Landlock by our own ``launcher``; none. Both filter system calls
(``seccomp``). Memory, processes and processor time are limited by control groups where they can be written, otherwise a
``watchdog`` adds up the memory.
"""

from bots.sandbox.limits import HOME, Program, SandboxLimits
from bots.sandbox.process import MachineFailed, ProgramFailed, Running, Sandbox, start_unprotected
from bots.sandbox.python import python_program
from bots.sandbox.tiers import Found, find

__all__ = [
    "HOME",
    "Found",
    "MachineFailed",
    "Program",
    "ProgramFailed",
    "Running",
    "Sandbox",
    "SandboxLimits",
    "find",
    "python_program",
    "start_unprotected",
]
