# SPDX-License-Identifier: GPL-3.0-or-later
"""Outside engines play rated matches on a running arena through ``arena connect --uci`` and ``--xboard``."""

import asyncio
import contextlib
import io
import json
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from pathlib import Path

import chess.pgn

from tests.bots.bridges.test_player import FAKE, alive
from tests.end_to_end.server import Server
from tests.engines import engine
from tests.forked import starts


@contextlib.asynccontextmanager
async def connected(server: Server, token: str, *arguments: str) -> AsyncIterator[Process]:
    """Run ``arena connect``."""
    command = ["-m", "arena.cli", "connect", "--url", server.play_url, "--token", token, "--json"]
    command += ["--patience", "600", *arguments]
    with starts():
        process = await asyncio.create_subprocess_exec(sys.executable, *command, stdout=PIPE)
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.communicate()


async def told(process: Process, kind: str) -> dict[str, object]:
    """Return the next message of a kind."""
    assert process.stdout is not None
    async with asyncio.timeout(600):
        while line := await process.stdout.readline():
            message: dict[str, object] = json.loads(line)
            if message["type"] == kind:
                return message
    raise AssertionError(f"it ended before it told of {kind!r}")


@contextlib.asynccontextmanager
async def arena(folder: Path, *names: str, clock: str) -> AsyncIterator[tuple[Server, dict[str, str]]]:
    """Run an arena with these bots registered."""
    options = ["--games", "chess", "--time-controls", f"chess={clock}", "--lag-grace", "0.03", "--ladder", "false"]
    server = Server(folder, "--no-built-in-bots", *options)
    tokens = await server.register(*names)
    await server.start()
    try:
        await server.ready()
        yield server, tokens
    finally:
        await server.stop()


async def test_uci_engines_and_an_xboard_engine_play_rated_matches(tmp_path: Path) -> None:
    # not GNU Chess: about one game in sixty on a clock ends by a failed assertion of its own (engine.cc, BUF_SIZE)
    stockfish, phalanx = map(engine, ("stockfish", "phalanx"))
    names = ("fish", "weak", "phalanx")
    challenge = ["--game", "chess", "--challenge", "fish", "--rated"]
    async with (
        arena(tmp_path, *names, clock="1+0.01") as (server, tokens),
        connected(server, tokens["fish"], "--uci", stockfish, "--option", "Hash=16", "--capacity", "2") as fish,
    ):
        assert str((await told(fish, "welcome"))["version"]).startswith("Stockfish ")
        async with (
            connected(server, tokens["weak"], "--uci", stockfish, "--option", "Skill Level=0", *challenge) as weak,
            connected(server, tokens["phalanx"], "--xboard", phalanx, *challenge) as other,
        ):
            for process, name in ((weak, "Stockfish "), (other, "Phalanx")):
                assert str((await told(process, "welcome"))["version"]).startswith(name)
                for _ in range(2):
                    over = await told(process, "over")
                    assert over["rating"] is not None
                    assert over["termination"] in {"decided", "repetition", "no-progress rule", "time", "resignation"}
        rated = {row["bot"]["name"]: row["games"] for row in await server.all("/leaderboard?game=chess")}
        assert rated == {"fish": 4, "weak": 2, "phalanx": 2}
        pgn = await server.text("/api/v1/matches/1/export?format=pgn")
        game = chess.pgn.read_game(io.StringIO(pgn))
        assert game is not None
        assert not game.errors
        thought = [node for node in game.mainline() if node.eval() is not None or "/" in node.comment]
        # an engine may lose on time before it has moved
        record = await server.match(1)
        seat = [player["name"] for player in record["players"]].index("fish")
        searched = [move for move in record["moves"] if move["seat"] == seat and not move.get("opening")]
        assert all(move["info"]["depth"] for move in searched)
        assert len(thought) >= len(searched)


async def test_engines_that_fail_forfeit_and_their_bridges_are_there_for_the_next_match(tmp_path: Path) -> None:
    fake = f"{sys.executable} -I -S {FAKE} uci"
    expected = {
        "die": ("crash", "engine process died unexpectedly (exit code: 3)"),
        "hang": ("time", ""),
        "illegal": ("illegal move", "'e2e5' is not a legal move here"),
    }
    async with (
        arena(tmp_path, "steady", *expected, clock="3+0") as (server, tokens),
        contextlib.AsyncExitStack() as stack,
    ):
        bridges = {
            name: await stack.enter_async_context(connected(server, tokens[name], "--uci", f"{fake} {name}"))
            for name in expected
        }
        for name, (termination, detail) in expected.items():
            await told(bridges[name], "welcome")
            steady = ["--uci", f"{fake} play", "--game", "chess", "--challenge", name, "--count", "2"]
            control = "1+0" if termination == "time" else "600+0"
            async with connected(server, tokens["steady"], *steady, "--time-control", control) as process:
                ends = [await told(process, "over") for _ in range(2)]
            assert {end["termination"] for end in ends} == {termination}
            for end in ends:
                # on a machine that stops for a second the other engine may lose its second, too
                late = termination == "time" and await to_move(server, end["match"]) == "steady"
                assert end["score"] == (0.0 if late else 1.0)
            assert all(str(end.get("detail", "")).endswith(detail) for end in ends)
            assert bridges[name].returncode is None


async def test_no_engine_outlives_its_bridge_even_if_that_is_killed(tmp_path: Path) -> None:
    async with arena(tmp_path, "asked", "killed", "waiting", clock="3000+0") as (server, tokens):
        for name, number in (("asked", signal.SIGTERM), ("killed", signal.SIGKILL)):
            log = str(tmp_path / name)
            fake = f"{sys.executable} -I -S {FAKE} uci hang {log}"
            challenge = ["random", "--game", "chess", "--challenge", name]
            async with connected(server, tokens[name], "--uci", fake) as bridge:
                await told(bridge, "welcome")
                async with connected(server, tokens["waiting"], *challenge):
                    async with asyncio.timeout(600):
                        while not thinks(log):  # noqa: ASYNC110  # it happens in another process
                            await asyncio.sleep(0.05)
                    assert alive(log, "hang")
                    bridge.send_signal(number)
                    await asyncio.wait_for(bridge.wait(), 600)
                    async with asyncio.timeout(600):
                        while alive(log, "hang"):  # noqa: ASYNC110  # it happens in another process
                            await asyncio.sleep(0.05)


async def to_move(server: Server, match: object) -> str:
    """Return the name of the player that was to move when a match of chess ended."""
    record = await server.match(int(str(match)))
    name: str = record["players"][1 - record["moves"][-1]["seat"] if record["moves"] else 0]["name"]
    return name


def thinks(log: str) -> bool:
    """Whether the engine that writes this log was asked for a move."""
    return Path(log).exists() and "go " in Path(log).read_text("utf-8")
