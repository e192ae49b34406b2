# SPDX-License-Identifier: GPL-3.0-or-later
"""Child processes of the server: orders, reports, priority, and their end."""

import json
import subprocess
import sys

import pytest

TELLING = """
import json
import os
from pathlib import Path
from bots.child_process import lower_priority
before = os.nice(0)
lower_priority(3)
group = Path("/proc/self/autogroup")
# a process whose session has no group reads nothing there
told = group.read_text().split() if group.exists() else []
print(json.dumps([os.nice(0), int(told[-1]) if told else None, before]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="has no niceness")
@pytest.mark.parametrize("leads", [True, False])
def test_it_stands_back_and_its_session_too_where_it_is_its_own(leads: bool) -> None:
    told = subprocess.run(
        [sys.executable, "-c", TELLING], capture_output=True, text=True, check=True, start_new_session=leads
    )
    niceness, group, before = json.loads(told.stdout)
    assert niceness == min(before + 3, 19)
    # a system whose sessions have no groups shows the file too
    if leads and group is not None:
        assert group == niceness


WORKING = """
import asyncio
from arena.protocol.orders import HostProgress, OperatorOrders
from bots.child_process import obey, report

async def work(orders):
    report(HostProgress(warming=orders.url, ready=True))
    await asyncio.Event().wait()

raise SystemExit(obey("worker", OperatorOrders, work, further=lambda line: report(HostProgress(left=line.strip()))))
"""


def child() -> subprocess.Popen[str]:
    """Start a child that reports its orders and each further line."""
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-c", WORKING], stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def test_a_child_gets_orders_and_further_lines_and_ends_with_its_input() -> None:
    with child() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write('{"url": "http://127.0.0.1:1", "token": "secret"}\nmore\n')
        process.stdin.flush()
        told = {process.stdout.readline() for _ in range(2)}
        assert told == {'{"warming":"http://127.0.0.1:1","ready":true}\n', '{"left":"more"}\n'}
        process.stdin.close()
        assert process.wait(600) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="has no SIGTERM")
def test_a_child_ends_by_sigterm() -> None:
    with child() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write('{"url": "", "token": ""}\n')
        process.stdin.flush()
        assert process.stdout.readline()
        process.terminate()
        assert process.wait(600) == 0


@pytest.mark.parametrize(("lines", "code"), [("", 0), ("no orders\n", 2), ('{"url": ""}\n', 2)])
def test_a_child_without_orders_ends_at_once(lines: str, code: int) -> None:
    with child() as process:
        _, errors = process.communicate(lines, timeout=600)
    assert process.returncode == code
    assert errors.startswith("worker: the first line is not valid OperatorOrders: ") if code else not errors
