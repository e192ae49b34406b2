# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits that the runner of a WebAssembly bot sets for its own process, in a sandbox or not: a module could make the
compiler use much more memory and time than its size suggests.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from bots import process_limits
from bots.process_limits import MIB

ADDRESSES = 8192 * MIB
"""Bytes of addresses: wasmtime reserves 4 GiB for the module's memory, and uses a part."""
DATA = 1024 * MIB
"""Bytes of memory that can be written to until the module is compiled."""
ROOM = 512 * MIB
"""Bytes more after that, so that the memory of the module can always grow to its maximum."""
COMPILING = 30
"""Seconds of processor time until the module is compiled."""


def limit_process() -> None:
    """Set the limits that hold as long as the process runs; Linux only."""
    process_limits.limit_process(addresses=ADDRESSES, data=DATA + ROOM)


@contextmanager
def compiling() -> Iterator[None]:
    """End the process if it takes too much memory (SIGABRT) or processor time (SIGXCPU) until the end of this context;
    Linux only.
    """
    if sys.platform != "linux":
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    _, data = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_CPU, (int(used) + COMPILING, hard))
    resource.setrlimit(resource.RLIMIT_DATA, (min(DATA, data), data))
    yield
    resource.setrlimit(resource.RLIMIT_DATA, (data, data))
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))
