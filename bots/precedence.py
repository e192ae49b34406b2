# SPDX-License-Identifier: GPL-3.0-or-later
"""How far a process stands back behind others that want a processor too."""

import contextlib
import os
from pathlib import Path

_GROUP = Path("/proc/self/autogroup")


def stand_back(by: int) -> None:
    """Let others go first, by so many steps of niceness; call it before threads are started, which inherit it.

    Where Linux shares processors among sessions before it looks at niceness (sched_autogroup), a process that leads a
    session has the session stand back too.
    """
    # Windows has no such thing; Linux may have none of the group
    with contextlib.suppress(AttributeError, OSError):
        niceness = os.nice(by)
        if os.getsid(0) == os.getpid():
            _GROUP.write_text(str(niceness))
