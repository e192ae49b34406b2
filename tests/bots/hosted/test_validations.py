# SPDX-License-Identifier: GPL-3.0-or-later
"""The queue of validations: the files of an upload stay until the process of its validation has ended."""

import asyncio
import sys
from pathlib import Path

import pytest

from arena.protocol.hosting import FilesFree, HostingReport
from bots.hosted.files import FilesInUse
from bots.hosted.process import Validations
from engine.native import child
from tests.bots.hosted.programs import SHELL, orders, uploaded

PATIENCE = 600.0

LEAVES_A_NOTE = """\
import pathlib, sys
pathlib.Path({began!r}).touch()
sys.stdin.read()
"""
"""A process in the place of a validation: it ends only when it is killed."""


async def test_files_of_a_withdrawn_version_stay_until_its_validation_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    began = tmp_path / "began"
    command = [sys.executable, "-c", LEAVES_A_NOTE.format(began=str(began))]
    monkeypatch.setattr(child, "command", lambda module: command)
    given = orders(uploaded(tmp_path, SHELL, "executable"))
    told: asyncio.Queue[tuple[HostingReport, bool]] = asyncio.Queue()
    files = FilesInUse(lambda report: told.put_nowait((report, validations._process is None)))
    validations = Validations(given.orders, files)
    running = asyncio.create_task(validations.run())
    try:
        async with asyncio.timeout(PATIENCE):
            validations.update([given.validation])
            while not began.exists():  # noqa: ASYNC110  # it happens in another process
                await asyncio.sleep(0.01)
            validations.update([])
            files.update([given.validation.upload])
            assert told.empty()
            assert await told.get() == (FilesFree(given.validation.upload), True)
    finally:
        running.cancel()
        await asyncio.wait({running})
    assert told.empty()


async def test_a_version_that_nothing_uses_is_reported_at_once() -> None:
    told: list[HostingReport] = []
    files = FilesInUse(told.append)
    with files.used(1), files.used(1):
        files.update([1, 2])
        assert told == [FilesFree(2)]
    assert told == [FilesFree(2), FilesFree(1)]
