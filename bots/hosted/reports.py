# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports to the server, as lines of JSON on standard output."""

import contextlib
import sys

import msgspec

from arena.protocol.hosting import HostingReport


def tell(report: HostingReport) -> None:
    """Write a report, unless the server has ended."""
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.write(msgspec.json.encode(report).decode() + "\n")
        sys.stdout.flush()
