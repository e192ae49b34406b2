# SPDX-License-Identifier: GPL-3.0-or-later
"""Connections of uploaded bots to an arena: they take turns, change their versions, and leave when they must."""

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial

import msgspec
import pytest
import pytest_asyncio

from arena.protocol.hosting import FilesFree, HostingOrders, HostingReport, SeatLeft, UploadedProgram, UploadSeat
from arena.settings import Settings
from bots import Bot
from bots.bot import Over, Turn
from bots.hosted import seats as hosted
from bots.hosted.files import FilesInUse
from bots.hosted.forks import ForkServer
from bots.hosted.seats import Seats
from bots.sandbox import Found
from tests.arena.peers import ready
from tests.web.door import Door, opened
from tests.web.players import connected, first_move

pytestmark = pytest.mark.asyncio(loop_scope="session")

PATIENCE = 600.0
PROGRAM = UploadedProgram("/nowhere", "bot.wasm", "wasm")
"""It would start with a match, and there are none here."""
NO_SANDBOX = Found(None, ("none was found",))


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def door(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Door]:
    """An arena that pairs nobody."""
    settings = Settings(games="tictactoe", ladder=False)
    async with opened(tmp_path_factory.mktemp("seats"), settings, features=()) as door:
        await ready(door.arena)
        yield door


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look often."""
    for name in ("LOOK", "SLOW_LOOK", "QUIET"):
        monkeypatch.setattr(hosted, name, 0.02)


def orders(door: Door, processes: int) -> HostingOrders:
    """Return orders for a process that connects this number of bots at once."""
    return HostingOrders(door.play_url, ["tictactoe"], processes, 0.1, 1 << 30, "1+0", 60.0)


def seated(
    orders: HostingOrders, group: asyncio.TaskGroup, tell: Callable[[HostingReport], None] = lambda report: None
) -> Seats:
    """Return the seats of a process on a machine without a sandbox."""
    return Seats(orders, NO_SANDBOX, group, tell, FilesInUse(tell), ForkServer())


async def seat(door: Door, upload: int, label: str = "1") -> UploadSeat:
    """Register a bot that is to be connected."""
    name, token = await door.register()
    bot = await door.arena.store.bots.named(name)
    assert bot is not None
    return UploadSeat(upload, bot.id, name, token, label, ["tictactoe"], PROGRAM)


async def until(door: Door, seat: UploadSeat, *, connected: bool) -> None:
    """Wait until a bot is connected, or is not."""
    async with asyncio.timeout(PATIENCE):
        while door.arena.connected(seat.bot) != connected:  # noqa: ASYNC110  # the arena has no event for it
            await asyncio.sleep(0.01)


async def test_bots_take_turns_where_there_are_few_places(door: Door) -> None:
    one, other = await seat(door, 1), await seat(door, 2)
    async with asyncio.TaskGroup() as group:
        seats = seated(orders(door, 1), group)
        seats.update([one, other])
        for each in (one, other, one):
            await until(door, each, connected=True)
        seats.update([])
    for each in (one, other):
        await until(door, each, connected=False)


async def test_a_new_version_replaces_the_old_one(door: Door) -> None:
    one = await seat(door, 1)
    async with asyncio.TaskGroup() as group:
        seats = seated(orders(door, 2), group)
        seats.update([one])
        await until(door, one, connected=True)
        seats.update([msgspec.structs.replace(one, upload=2, label="2")])
        async with asyncio.timeout(PATIENCE):
            while len(await door.arena.store.bots.versions(one.bot)) < 2:  # noqa: ASYNC110  # likewise
                await asyncio.sleep(0.01)
        seats.update([])
    assert [version.label for version in await door.arena.store.bots.versions(one.bot)] == ["1", "2"]


class Waiting(Bot):
    """Moves once the test allows it."""

    def __init__(self) -> None:
        self.asked, self.allowed, self.over = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def move(self, turn: Turn) -> str:
        """Return the first move."""
        self.asked.set()
        await self.allowed.wait()
        assert turn.legal_moves is not None
        return turn.legal_moves[0]

    async def match_over(self, over: Over) -> None:
        """Note the end."""
        self.over.set()


def note(freed: asyncio.Queue[tuple[HostingReport, bool]], bot: Waiting, report: HostingReport) -> None:
    """Note a report, and whether the match of a bot was over."""
    freed.put_nowait((report, bot.over.is_set()))


async def test_files_are_needed_until_the_match_is_over(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = await seat(door, 1), await seat(door, 2)
    bot = Waiting()
    monkeypatch.setattr(hosted, "maker_for", lambda *given: lambda: bot)
    freed: asyncio.Queue[tuple[HostingReport, bool]] = asyncio.Queue()
    _, token = await door.register()
    async with (
        asyncio.timeout(PATIENCE),
        asyncio.TaskGroup() as group,
        connected(door.play_url, token) as rival,
    ):
        tell = partial(note, freed, bot)
        files = FilesInUse(tell)
        seats = Seats(orders(door, 2), NO_SANDBOX, group, tell, files, ForkServer())
        seats.update([one])
        await until(door, one, connected=True)
        await rival.hello(token, ["tictactoe"])
        await rival.say("challenge", opponent=one.name, game="tictactoe")
        playing = group.create_task(rival.play(first_move))
        await bot.asked.wait()
        seats.update([])
        files.update([one.upload, other.upload])
        assert await freed.get() == (FilesFree(other.upload), False), "it never played"
        bot.allowed.set()
        await playing
        assert await freed.get() == (FilesFree(one.upload), True)
    assert freed.empty()


async def test_a_bot_with_a_wrong_token_is_reported_and_not_tried_again(door: Door) -> None:
    one = await seat(door, 1)
    reports: asyncio.Queue[HostingReport] = asyncio.Queue()
    async with asyncio.TaskGroup() as group:
        seats = seated(orders(door, 2), group, reports.put_nowait)
        wrong = msgspec.structs.replace(one, token="wrong")
        seats.update([wrong])
        async with asyncio.timeout(PATIENCE):
            left = await reports.get()
        assert isinstance(left, SeatLeft)
        assert (left.upload, left.bot) == (1, one.bot)
        seats.update([wrong])
        seats.update([one])
        await until(door, one, connected=True)
        seats.update([])
    assert reports.empty()


async def test_machine_code_is_not_connected_without_a_sandbox(door: Door) -> None:
    one = msgspec.structs.replace(await seat(door, 1), program=UploadedProgram("/nowhere", "bot.py", "python"))
    reports: asyncio.Queue[HostingReport] = asyncio.Queue()
    async with asyncio.TaskGroup() as group:
        seats = seated(orders(door, 2), group, reports.put_nowait)
        seats.update([one])
        async with asyncio.timeout(PATIENCE):
            left = await reports.get()
    assert isinstance(left, SeatLeft)
    assert left.why.endswith("none was found")
