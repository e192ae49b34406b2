# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs of data bots that are copies of a process: they greet, end, and end with that process."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import aclosing, suppress
from pathlib import Path

import msgspec
import pytest
import pytest_asyncio

from arena.protocol.hosting import UploadedProgram
from bots.bridges.program import greeting
from bots.data.endings import BAD_FILE, ENDINGS
from bots.data.format import template, write
from bots.hosted.forks import ForkServer, NoForkServer
from bots.hosted.programs import DataMaker, maker_of
from bots.local import Entrant, play
from bots.sandbox import Found, ProgramFailed
from engine.games import find
from engine.match.ending import FORFEITS

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux has what the server needs"),
]

PATIENCE = 600.0


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def forks() -> AsyncIterator[ForkServer]:
    """A server for the tests of this module."""
    async with aclosing(ForkServer()) as forks:
        yield forks


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A data bot that is quick on every machine."""
    quick = msgspec.structs.replace(template(find("tictactoe")), nodes=200, table_bits=10)
    (tmp_path / "mine.json").write_text(write(quick), "utf-8")
    return tmp_path / "mine.json"


def pipes(pid: int) -> dict[str, str]:
    """Return the pipes of a process by the numbers of their descriptors, without that of its error output."""
    found = {}
    for path in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):  # it was closed just now
            found[path.name] = str(path.readlink())
    return {name: target for name, target in found.items() if target.startswith("pipe:") and name != "2"}


async def test_a_data_bot_plays_by_a_copy(forks: ForkServer, file: Path) -> None:
    found = Found(None, ())
    uploaded = UploadedProgram(str(file.parent), file.name, "data")
    maker = maker_of(uploaded, "mine", 1 << 30, found, lambda match, text: None, forks)
    assert isinstance(maker, DataMaker)
    async with asyncio.timeout(PATIENCE):
        match = await play(find("tictactoe"), (Entrant("mine", maker), Entrant("again", maker)), seed=3)
    assert match.ending is not None
    assert match.ending.termination not in FORFEITS, match.ending


async def test_a_copy_has_no_files_of_others_and_a_session_of_its_own(forks: ForkServer, file: Path) -> None:
    async with asyncio.timeout(PATIENCE):
        one, other = await forks.start(file, "tictactoe"), await forks.start(file, "tictactoe")
        try:
            for each in (one, other):
                assert (await greeting(each, PATIENCE)).games == ["tictactoe"]
                assert os.getsid(each.pid) == each.pid
            assert {"0", "1"} <= pipes(one.pid).keys()
            assert not set(pipes(one.pid).values()) & set(pipes(other.pid).values())
        finally:
            await one.close()
            await other.close()


async def test_a_copy_ends_as_a_program_does(forks: ForkServer, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('{"kind": "search"}')
    running = await forks.start(bad, "tictactoe")
    try:
        async with asyncio.timeout(PATIENCE):
            with pytest.raises(ProgramFailed, match=ENDINGS[BAD_FILE]):
                await greeting(running, PATIENCE)
    finally:
        await running.close()


async def test_copies_end_with_the_server(file: Path) -> None:
    async with aclosing(ForkServer()) as forks, asyncio.timeout(PATIENCE):
        running = await forks.start(file, "tictactoe")
        try:
            await greeting(running, PATIENCE)
            await forks.aclose()
            assert await running.reason() == "it was ended by SIGKILL"
        finally:
            await running.close()


async def test_without_a_server_programs_start_slowly(
    file: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def refuse(self: ForkServer) -> None:
        raise NoForkServer("it is refused here")

    monkeypatch.setattr(ForkServer, "prepare", refuse)
    uploaded = UploadedProgram(str(file.parent), file.name, "data")
    maker = maker_of(uploaded, "mine", 1 << 30, Found(None, ()), lambda match, text: None, ForkServer())
    running = await maker.start("tictactoe")
    try:
        assert (await greeting(running, PATIENCE)).games == ["tictactoe"]
    finally:
        await running.close()
    assert "mine starts slowly: it is refused here" in caplog.text
