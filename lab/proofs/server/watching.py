# SPDX-License-Identifier: GPL-3.0-or-later
"""Proof of watching: pages and sockets that follow live matches while the server is restarted."""

import asyncio
import contextlib
import os
import re
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from itertools import cycle
from statistics import median
from typing import Any

import msgspec
from aiohttp import ClientError
from playwright.async_api import Browser, CDPSession, ConsoleMessage, Page, async_playwright
from playwright.async_api import Error as PlaywrightError

from lab.processes import descendants, memory_of, usage_of
from lab.proofs.clients import FORFEITS, playing
from lab.proofs.ledger import Ledger
from lab.proofs.server.spectators import compare, sockets_watch, told
from tests.browser.conftest import QUIET
from tests.end_to_end.server import Server
from tools.chromium import installed
from web.api.games import BoardAnswer
from web.application import STATIC
from web.assets import read_assets
from web.drawing import Shapes, draw_piece, read_shapes

SECONDS = 600
MATCHES = 200
SPECTATORS = 500
PAGES = 8
LOBBIES = 2
"""How many of the pages show the lobby."""
RATE = 1.0
"""Moves a second of each match."""
GAMES = ("checkers", "tictactoe")
SAMPLES = 60
"""Measurements of memory in the whole time."""

GROWTH = 24e6
"""Bytes by which a server's memory may exceed that of the first server at the end of its time."""
HEAP_GROWTH = 5e6
"""Bytes by which the objects of a lobby page may grow after a sixth of the time."""

LOOK = 0.2
"""Seconds between two looks at a page."""
PATIENCE = 600.0
"""Seconds until a page must show what the record says."""

OPTIONS = (
    "--no-built-in-bots", "--games", ",".join(GAMES), "--time-controls", "checkers=3000+1,tictactoe=3000+1",
    "--ladder=no", "--log-level", "warning", "--max-connections=2000", "--max-spectators=5000",
    "--spectators-each=5000", "--silent-connections-each=1000", "--silent-rate=100000",
    "--http-connections-each=2000", "--connection-rate=100000",
)  # fmt: skip

AWAY = re.compile(r"net::ERR_|WebSocket connection to")
"""Messages of the browser that the server does not answer."""

PIECES = """
const pieces = (svg) => Object.fromEntries([...svg.querySelectorAll("g[data-square]")].map((each) =>
  [each.dataset.square, each.querySelector(".piece").outerHTML]));
"""
MATCH_PAGE = f"""
() => {{
  {PIECES}
  const board = document.querySelector(".table .frame svg.board");
  const number = document.querySelector(".replay .number");
  if (!board || !number) return null;
  return {{
    match: Number(location.pathname.split("/")[2]),
    plies: Number(number.textContent.split("/")[1]),
    over: document.querySelector(".panels .ending") != null,
    pieces: pieces(board),
    moves: [...document.querySelectorAll(".moves button .ellipsis")].map((move) => move.textContent),
  }};
}}
"""
LOBBY_PAGE = f"""
() => {{
  {PIECES}
  return [...document.querySelectorAll("main a:is(.card, .whole)")].map((card) => ({{
    match: Number(card.getAttribute("href").split("/")[2]),
    plies: Number(/ply (\\d+)/.exec((card.closest(".featured") ?? card).querySelector(".caption").textContent)?.[1]
      ?? -1),
    pieces: pieces(card.querySelector("svg.board")),
  }}));
}}
"""
OVER = "() => document.querySelector('.panels .ending') != null"

Drawn = dict[str, str]
"""The piece on each square, as markup."""


async def prove_watching(ledger: Ledger) -> None:
    """Pages and sockets that watch while the server restarts

    Two hundred matches of checkers and tic-tac-toe at a move a second have five hundred spectators for ten minutes:
    492 sockets and eight pages of a browser, two of which show the lobby. Meanwhile the server is stopped once and
    killed once, and started again each time. Each page shows the final board and all moves of the record whenever its
    match ends, then it shows another match. After the last move, boards of live matches and of the lobby agree with
    the records too. No page reports an error, except that the browser reports the absent server. Each socket receives
    each move exactly once and in order, across the restarts, as the records have them. The memory of the servers and
    of the pages is steady.
    """
    # in a thread of its own, since a test may have the loop of another browser in this one
    await asyncio.to_thread(asyncio.run, _prove(ledger))


async def _prove(ledger: Ledger) -> None:
    seconds, tables = ledger.times(SECONDS, 12), ledger.times(MATCHES // len(GAMES), 3)
    pages = ledger.times(PAGES, 3)
    sockets = ledger.times(SPECTATORS - PAGES, 8)
    server = Server(ledger.place("server"), *OPTIONS)
    async with ledger.running(server):
        await server.ready()
        async with _browser() as browser, sockets_watch([server], sockets) as process:
            show = _Show(server, browser)
            async with contextlib.AsyncExitStack() as players:
                entered = [await players.enter_async_context(playing(server, tables, game, RATE)) for game in GAMES]
                await show.begin(pages)
                memory = await _hours(show, seconds)
            report = await told(process)
            await show.end()
            await compare(server, report.watched)
    for counts in entered:
        assert not FORFEITS & set(counts.endings), counts.endings
    assert not show.faults, show.faults
    assert not report.faults, report.faults
    memory.check()
    ledger.note("seconds", seconds)
    ledger.note("matches at once", tables * len(GAMES))
    ledger.note("moves", sum(counts.moves for counts in entered))
    ledger.note("pages", pages)
    ledger.note("matches whose end a page showed, as in the record", show.ended)
    ledger.note("boards of pages that agreed with the records after the last move", show.agreed)
    ledger.note("reports of the browser that the server was away", show.away)
    ledger.note("sockets", sockets)
    ledger.note("moves that sockets received one by one", report.moves)
    ledger.note("snapshots that they received", report.snapshots)
    ledger.note("ends that they received", report.ends)
    ledger.note("matches that a socket followed further after a restart", report.resumed)
    ledger.note("different lists of moves, all as in the records", len(report.watched))
    memory.note(ledger)


@contextlib.asynccontextmanager
async def _browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=installed(), args=list(QUIET))
        yield browser
        await browser.close()


# ---------------------------------------------------------------- pages


class _Show:
    """The pages, and their comparison with the records."""

    def __init__(self, server: Server, browser: Browser) -> None:
        self.faults: list[str] = []
        self.away = 0
        self.ended = 0
        self.agreed = 0
        self.up = asyncio.Event()
        """Set while the server runs."""
        self.server = server
        self.lobbies: list[Page] = []
        self._browser = browser
        self._over = asyncio.Event()
        """Set after the last move of the players."""
        self._watching: list[asyncio.Task[None]] = []
        self._boards: dict[str, BoardAnswer] = {}
        self._shapes: Shapes = read_shapes(read_assets(STATIC))

    async def begin(self, pages: int) -> None:
        """Open so many pages, a quarter of which show the lobby."""
        for game in GAMES:
            about = await self.server.get(f"/api/v1/games/{game}")
            self._boards[game] = msgspec.convert(about["board"], BoardAnswer)
        self.up.set()
        lobbies = max(1, pages * LOBBIES // PAGES)
        for _ in range(lobbies):
            self.lobbies.append(page := await self._page())
            await page.goto(self.server.url)
        for game, number in zip(cycle(GAMES), range(pages - lobbies), strict=False):
            self._watching.append(asyncio.create_task(self._watch(await self._page(), game, number)))

    async def end(self) -> None:
        """Compare all pages with the records, after the last move."""
        self._over.set()
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*self._watching)
            for page in self.lobbies:
                await self._compare_lobby(page)

    async def restart(self, kill: Callable[[], Any]) -> None:
        """End the server, and start it again."""
        self.up.clear()
        await kill()
        await self.server.start()
        self.up.set()

    async def _page(self) -> Page:
        context = await self._browser.new_context(viewport={"width": 1440, "height": 900})
        page = await context.new_page()
        page.set_default_timeout(1000 * PATIENCE)

        def heard(message: ConsoleMessage) -> None:
            if message.type != "error":
                return
            if AWAY.search(message.text):
                self.away += 1
            else:
                self.faults.append(f"{page.url}: {message.text} ({message.location['url']})")

        page.on("console", heard)
        page.on("pageerror", lambda error: self.faults.append(f"{page.url}: {error}"))
        return page

    async def _watch(self, page: Page, game: str, number: int) -> None:
        """Show live matches of a game, one after the other, until the players stop."""
        while not self._over.is_set():
            await self.up.wait()
            try:
                live = (await self.server.get(f"/api/v1/matches?status=live&game={game}&limit=500"))["items"]
                match = live[number * len(live) // PAGES]["id"]
                await page.goto(f"{self.server.url}/matches/{match}")
            except (PlaywrightError, ClientError, OSError, AssertionError, IndexError):
                await asyncio.sleep(LOOK)  # the server stopped meanwhile, or nothing is played
                continue
            ended = asyncio.create_task(page.wait_for_function(OVER, polling=1000 * LOOK))
            over = asyncio.create_task(self._over.wait())
            await asyncio.wait({ended, over}, return_when=asyncio.FIRST_COMPLETED)
            for task in (ended, over):
                task.cancel()
            await asyncio.gather(ended, over, return_exceptions=True)
            await self.up.wait()
            with contextlib.suppress(ClientError, OSError):  # the server stopped meanwhile: the next match counts
                async with asyncio.timeout(PATIENCE):
                    await self._compare(page, match, game)
            if not self._over.is_set():
                self.ended += 1
            else:
                self.agreed += 1

    async def _compare(self, page: Page, match: int, game: str) -> None:
        """Wait until a page shows as many plies as the record has by then; then hold both against each other."""
        while True:
            record = await self.server.match(match)
            shown = await page.evaluate(MATCH_PAGE)
            finished = record["status"] == "finished"
            if shown and shown["over"] == finished and shown["plies"] == record["plies"] == len(shown["moves"]):
                break
            await asyncio.sleep(LOOK)
        written = [move.get("text") or move["move"] for move in record["moves"]]
        if shown["moves"] != written or shown["match"] != match:
            self.faults.append(f"match {match}: the page shows {shown['moves']}, the record has {written}")
        self._hold(match, shown["pieces"], game, record["diagram"])

    async def _compare_lobby(self, page: Page) -> None:
        """Do the same with all boards of a lobby."""
        while True:
            boards = await page.evaluate(LOBBY_PAGE)
            records = {board["match"]: await self.server.match(board["match"]) for board in boards}
            fresh = all(
                board["plies"] == records[board["match"]]["plies"]
                if board["plies"] >= 0
                else records[board["match"]]["status"] == "finished"
                for board in boards
            )
            if boards and fresh:
                break
            await asyncio.sleep(LOOK)
        for board in boards:
            record = records[board["match"]]
            self._hold(board["match"], board["pieces"], record["game"], record["diagram"])
            self.agreed += 1

    def _hold(self, match: int, shown: Drawn, game: str, diagram: str) -> None:
        pieces = self._boards[game].pieces
        wanted = {
            str(square): draw_piece(self._shapes, pieces[letter])
            for square, letter in enumerate(diagram)
            if letter in pieces
        }
        if shown != wanted:
            self.faults.append(f"match {match}: the board of the page differs from {diagram!r}: {shown}")


# ---------------------------------------------------------------- memory


@dataclass
class _Memory:
    """Measurements, in their order."""

    servers: list[list[int]] = field(default_factory=lambda: [[]])
    """Bytes of each server process."""
    heaps: list[int] = field(default_factory=list)
    """Bytes of objects of the lobby pages, each time the largest."""
    browsers: list[int] = field(default_factory=list)
    """Bytes of all processes of the browser."""
    loads: list[float] = field(default_factory=list)
    """Load averages of the machine."""

    def ends(self) -> list[float]:
        """Return the memory of each server in the last third of its time."""
        return [median(sizes[-max(1, len(sizes) // 3) :]) for sizes in self.servers]

    def spans(self, sizes: list[int]) -> tuple[float, float]:
        """Return the sizes in the second and in the last sixth of the time."""
        sixth = max(1, len(sizes) // 6)
        return median(sizes[sixth : 2 * sixth]), median(sizes[-sixth:])

    def check(self) -> None:
        """Fail unless memory is steady."""
        first, *later = self.ends()
        assert max(later) - first < GROWTH, self.servers
        early, late = self.spans(self.heaps)
        assert late - early < HEAP_GROWTH, self.heaps

    def note(self, ledger: Ledger) -> None:
        """Note the figures."""
        ledger.note("memory of the three servers at the end of each", ", ".join(map(_megabytes, self.ends())))
        for what, sizes in (("objects of a lobby page", self.heaps), ("memory of the browser", self.browsers)):
            early, late = self.spans(sizes)
            ledger.note(f"{what}, after a sixth of the time", _megabytes(early))
            ledger.note(f"{what}, in the last sixth", _megabytes(late))
        low, high = min(self.loads), max(self.loads)
        ledger.note("load average of the machine meanwhile", f"{median(self.loads):.1f} ({low:.1f} to {high:.1f})")


def _megabytes(size: float) -> str:
    return f"{size / 1e6:,.1f} MB"


async def _hours(show: _Show, seconds: float) -> _Memory:
    """Let the time pass: restart the server after a third and two thirds of it, and measure memory."""
    memory = _Memory()
    sessions = [await page.context.new_cdp_session(page) for page in show.lobbies]
    kills = {SAMPLES // 3: show.server.stop, 2 * SAMPLES // 3: show.server.kill}
    loop = asyncio.get_running_loop()
    began = loop.time()
    for number in range(SAMPLES):
        if number in kills:
            await show.restart(kills[number])
            memory.servers.append([])
        await asyncio.sleep(began + (number + 1) * seconds / SAMPLES - loop.time())
        usage = usage_of(show.server.pid)
        memory.servers[-1].append(usage.bytes if usage else 0)
        memory.heaps.append(max([await _heap(session) for session in sessions]))
        memory.browsers.append(memory_of(descendants(os.getpid(), "chrom")))
        memory.loads.append(os.getloadavg()[0])
        if number % (SAMPLES // 10) == 0:
            sizes = (memory.servers[-1][-1], memory.heaps[-1], memory.browsers[-1])
            print(
                f"  load {memory.loads[-1]:.1f}; server, lobby, browser: {', '.join(map(_megabytes, sizes))}",
                flush=True,
            )
    return memory


async def _heap(session: CDPSession) -> int:
    """Return the bytes of the objects of a page that are in use."""
    await session.send("HeapProfiler.collectGarbage")
    used: Mapping[str, Any] = await session.send("Runtime.getHeapUsage")
    return int(used["usedSize"])
