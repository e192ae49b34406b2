# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages about writing bots: their examples are the files in docs/examples, and they all run."""

import asyncio
import json
import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import websockets.asyncio.server
from websockets.asyncio.server import ServerConnection

from bots import Bot
from bots.bot import Match, Turn
from bots.built_in import kinds
from bots.built_in.kinds import searching
from bots.catalogue import make, maker_of
from bots.client import Client
from bots.testing import TOKEN, MiniArena, Positions, Recorded, TicTacToe, check_bot, check_program
from engine.games import find

PATIENCE = 300.0
"""Seconds until a test gives up, on a machine that is busy with other things."""

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = DOCS / "examples"
SHOWN = {
    "bots": ["ten_lines", "careful", "deepening", "challenger", "test_careful"],
    "clients": ["raw_protocol"],
    "programs": ["in_lines"],
}
"""The examples of each page."""

PAGES = {name: (DOCS / "how-to" / f"{name}.md").read_text(encoding="utf-8") for name in SHOWN}
PAGE = PAGES["bots"]
README = (DOCS.parent / "README.md").read_text(encoding="utf-8")


def code(path: Path) -> str:
    """An example without the line that names its licence."""
    return path.read_text(encoding="utf-8").partition("\n")[2].strip()


def checkers() -> Positions:
    """Some positions of checkers, as data."""
    game = find("checkers")
    position = game.look(game.start())
    recorded = []
    for _ in range(6):
        text = game.format_position(position.state)
        recorded.append(Recorded(text, list(game.move_texts(position)), position.to_move))
        position = game.play(position, position.moves[-1])
    return Positions("checkers", recorded)


def blocks(page: str) -> list[str]:
    """The Python code of a page."""
    return [block.strip() for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL)]


@pytest.mark.parametrize("page", SHOWN)
def test_a_page_shows_the_examples_as_they_are(page: str) -> None:
    assert blocks(PAGES[page]) == [code(EXAMPLES / f"{name}.py") for name in SHOWN[page]]


def test_the_readme_shows_ten_lines() -> None:
    assert blocks(README) == [code(EXAMPLES / "ten_lines.py")]


def test_ten_lines_are_a_bot(tmp_path: Path) -> None:
    program = code(EXAMPLES / "ten_lines.py").replace('"ws://127.0.0.1:8080/api/v1/play"', 'os.environ["ARENA_URL"]')
    program = "import os\n" + program.replace('"…"', 'os.environ["ARENA_TOKEN"]')
    (tmp_path / "mine.py").write_text(program, encoding="utf-8")
    check_program([sys.executable, str(tmp_path / "mine.py")], checkers(), seconds=PATIENCE)


def test_the_bot_without_the_sdk_imports_nothing_of_ours() -> None:
    imported = re.findall(r"^(?:from|import) (\w+)", code(EXAMPLES / "raw_protocol.py"), re.MULTILINE)
    assert set(imported) == {"json", "os", "random", "sys", "time", "websockets"}
    check_program([sys.executable, str(EXAMPLES / "raw_protocol.py")], seconds=PATIENCE)


def test_the_page_shows_the_example_in_javascript_as_it_is() -> None:
    (shown,) = re.findall(r"```js\n(.*?)```", PAGES["clients"], re.DOTALL)
    assert shown.strip() == code(EXAMPLES / "raw_protocol.mjs")


def node() -> list[str]:
    """The command of a Node.js that has WebSocket; without one the test is skipped, and says why."""
    path = shutil.which("node")
    if path is None:
        pytest.skip("Node.js is not installed")
    for command in ([path], [path, "--experimental-websocket"]):
        asked = subprocess.run([*command, "-e", "WebSocket.OPEN"], check=False, capture_output=True)
        if asked.returncode == 0:
            return command
    pytest.skip("this Node.js has no WebSocket; version 22 has")


async def test_the_example_in_javascript_tries_again_where_it_is_refused_and_when_it_is_lost() -> None:
    command = await asyncio.to_thread(node)
    heard = asyncio.Queue[dict[str, object]]()
    codes = iter((1001, 4401))

    async def serve(connection: ServerConnection) -> None:
        heard.put_nowait(json.loads(await connection.recv()))
        await connection.close(next(codes))

    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))  # it refuses connections until it listens, and no other process can have the port
    port = listener.getsockname()[1]
    environment = {**os.environ, "ARENA_URL": f"ws://127.0.0.1:{port}/api/v1/play", "ARENA_TOKEN": "secret"}
    program = [*command, str(EXAMPLES / "raw_protocol.mjs")]
    process = await asyncio.create_subprocess_exec(*program, env=environment, stderr=asyncio.subprocess.PIPE)
    assert process.stderr is not None
    try:
        async with asyncio.timeout(PATIENCE):
            refused = 0
            while refused < 2:  # it tries more than once
                refused += b"no arena there; trying again" in await process.stderr.readline()
            async with websockets.asyncio.server.serve(serve, sock=listener):
                for _ in range(2):
                    hello = await heard.get()
                    assert (hello["type"], hello["protocol"], hello["token"]) == ("hello", 1, "secret")
                said = await process.stderr.read()
                assert b"the connection was lost; trying again" in said
                assert b"not wanted: 4401" in said
                assert await process.wait() == 1
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        listener.close()


def test_the_example_of_the_contract_test_passes() -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(EXAMPLES)]
    subprocess.run([*command, "--import-mode=prepend", "-c", "/dev/null", EXAMPLES / "test_careful.py"], check=True)


@pytest.mark.parametrize(
    ("position", "seat", "move"), [("xx./oo./...", 0, "c3"), ("x../xo./...", 1, "a1"), (".../.../...", 0, "b2")]
)
def test_the_careful_bot_is_careful(position: str, seat: int, move: str) -> None:
    game = find("tictactoe")
    legal = list(game.move_texts(game.look(game.parse_position(position))))
    answer = make(str(EXAMPLES / "careful.py")).move(Turn(1, "tictactoe", 4, position, seat, legal_moves=legal))
    assert getattr(answer, "move", answer) == move


def test_the_bot_with_the_engine_is_a_bot() -> None:
    check_bot(maker_of(str(EXAMPLES / "deepening.py")), checkers(), seconds=PATIENCE)


def test_every_attribute_and_method_of_a_bot_is_described() -> None:
    public = {name for name in vars(Bot) if not name.startswith("_")}
    section = PAGE.partition("## The Bot class")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `(\w+)(?:\(\w*\))?` \|", section, re.MULTILINE)) == public


def test_every_built_in_bot_is_described() -> None:
    table = PAGE.partition("## Built-in bots")[2].partition("\n## ")[0].partition("All of them")[0]
    names = [
        name for row in table.splitlines() for name in re.findall(r"`([^`]+)`", row.split("|")[1] if "|" in row else "")
    ]
    assert sorted(names) == sorted(kinds.catalogue())
    assert f"up to {searching.BOTS[-1].seconds} seconds per move" in table


class Counting(Bot):
    """Records the matches that it is informed of."""

    games = ("tictactoe",)

    def __init__(self, told: list[tuple["Counting", int]]) -> None:
        self._told = told

    def match_started(self, match: Match) -> None:
        self._told.append((self, match.match))

    def move(self, turn: Turn) -> str:
        assert turn.legal_moves
        return turn.legal_moves[0]


@pytest.mark.parametrize("objects", [1, 2])
async def test_an_object_plays_all_matches_and_a_factory_makes_one_for_each(objects: int) -> None:
    told: list[tuple[Counting, int]] = []
    bot = Counting(told) if objects == 1 else lambda: Counting(told)
    async with MiniArena(TicTacToe(), seconds=PATIENCE) as arena, Client(bot, url=arena.url, token=TOKEN):
        for seat in (0, 1):
            await arena.play(await arena.begin(seat))
    assert [number for _, number in told] == [1, 2]
    assert len({who for who, _ in told}) == objects
