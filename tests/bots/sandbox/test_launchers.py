# SPDX-License-Identifier: GPL-3.0-or-later
"""Launchers that are ready before a program starts: used once, replaced, and ended."""

import asyncio
import os
import sys
from contextlib import aclosing
from pathlib import Path

import pytest

from bots.sandbox import Program, Sandbox, find, launchers
from bots.sandbox.launchers import Launchers

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="sandboxes need Linux")

PATIENCE = 600.0


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """A program that answers each line."""
    tmp_path.chmod(0o755)
    return Program(("/bin/sh", "-c", 'while read -r line; do echo "$line"; done'), tmp_path)


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace launchers at once."""
    monkeypatch.setattr(launchers, "REFILL", 0.0)


async def answered(sandbox: Sandbox, program: Program) -> bool:
    """Start a program, and see whether it answers."""
    running = await sandbox.start(program)
    try:
        await running.write(b"one line")
        return await running.read() == b"one line\n"
    finally:
        await running.close()


async def test_a_program_starts_by_a_launcher_that_is_ready(program: Program) -> None:
    found = await find()
    if found.sandbox is None:
        pytest.skip(f"no sandbox here: {'; '.join(found.reasons)}")
    async with asyncio.timeout(PATIENCE), aclosing(Launchers(2)) as ready:
        sandbox = Sandbox("namespaces", found.sandbox.groups, ready)
        await ready.fill()
        first, second = ready._ready
        running = await sandbox.start(program)
        try:
            assert running.pid == first.pid
            while len(ready._ready) < 2:  # noqa: ASYNC110  # it has no event
                await asyncio.sleep(0.01)
            assert ready._ready[0] is second
            await running.write(b"one line")
            assert await running.read() == b"one line\n"
        finally:
            await running.close()
        # one that has ended is not used
        second.kill()
        await second.wait()
        assert await answered(sandbox, program)
        left = list(ready._ready)
    assert [each.returncode for each in left if each.returncode is None] == []
    # without one that is ready it takes longer
    assert await answered(sandbox, program)


async def test_a_launcher_ends_with_its_input() -> None:
    if (await find()).sandbox is None:
        pytest.skip("no sandbox here")
    async with asyncio.timeout(PATIENCE):
        process = await launchers.new_launcher()
        assert os.getsid(process.pid) == process.pid
        assert process.stdin is not None
        process.stdin.close()
        assert await process.wait() == 0


async def test_the_reason_is_given_where_no_launcher_starts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if (await find()).sandbox is None:
        pytest.skip("no sandbox here")
    broken = tmp_path / "launcher.py"
    broken.write_text("raise SystemExit('it is broken')")
    monkeypatch.setattr(launchers, "LAUNCHER", broken)
    told: list[str] = []
    async with asyncio.timeout(PATIENCE), aclosing(Launchers(1, told.append)) as ready:
        await ready.fill()
        assert ready.take() is None
    assert told[0] == "it is broken"
