# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits that a program of the arena sets for its own process before it works for a stranger's file."""

import sys

MIB = 1 << 20

FILE_SIZE = 64 * MIB
"""Bytes of a file that its output may be redirected to."""


def limit_process(*, addresses: int, data: int) -> None:
    """Limit the bytes of addresses and of memory that can be written to, and the size of files; Linux only.

    There are no core dumps.
    """
    if sys.platform != "linux":
        return
    import resource

    limits = {
        resource.RLIMIT_AS: addresses,
        resource.RLIMIT_DATA: data,
        resource.RLIMIT_FSIZE: FILE_SIZE,
        resource.RLIMIT_CORE: 0,
    }
    for kind, most in limits.items():
        _, hard = resource.getrlimit(kind)
        lower = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (lower, lower))
