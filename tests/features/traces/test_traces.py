# SPDX-License-Identifier: GPL-3.0-or-later
"""Traces of one server, as a collector receives them, and what is refused."""

import asyncio
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from aiohttp import ClientSession

from arena.features.traces.settings import TraceSettings
from arena.tournaments.machine.config import Config, Entry
from arena.tournaments.machine.formats.round_robin import RoundRobin
from lab.proofs.players.tournaments import enter
from tests import nats
from tests.collector import Collector, Received, collecting
from tests.end_to_end.server import Server
from tests.end_to_end.witness import Witness, ended, until

GAME = "tictactoe"

OPTIONS = ("--no-built-in-bots", "--games", GAME, "--ladder", "false")

OTHERS = "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01"


def named(collector: Collector, name: str) -> list[Received]:
    """Return the spans of a name."""
    return [span for span in collector.spans if span.name == name]


@pytest.mark.asyncio
async def test_requests_and_moves_are_traced(tmp_path: Path) -> None:
    async with collecting() as collector:
        settings = {"OTEL_EXPORTER_OTLP_HEADERS": "Authorization=Basic c2VjcmV0"}
        server = Server(tmp_path, *OPTIONS, "--traces", collector.url, environment=settings)
        await server.start()
        try:
            tokens = await server.register("one", "other")
            witnesses = [Witness(name, token, [GAME]) for name, token in tokens.items()]
            players = [asyncio.create_task(witness.play(lambda: server.play_url)) for witness in witnesses]
            entries = tuple(map(Entry, tokens))
            await enter(server, Config(name="all", game=GAME, format=RoundRobin(1), entries=entries))
            await until(players, lambda: bool(ended(witnesses)))
            for player in players:
                player.cancel()
            await asyncio.wait(players)
            [match, *_] = ended(witnesses)
            async with ClientSession() as http:
                headers = {"traceparent": OTHERS}
                async with http.get(f"{server.url}/api/v1/matches/{match}", headers=headers) as answer:
                    assert answer.status == 200
                async with http.get(f"{server.url}/api/v1/matches/{10**6}") as answer:
                    assert answer.status == 404
        finally:
            assert await server.stop() == 0  # which sends what is left
    assert "Traceback" not in server.log
    accepted = {ply for witness in witnesses for number, ply in witness.acknowledged if number == match}
    moves = [span for span in named(collector, "bot move") if span.attributes["arena.match"] == match]
    refereed = set()
    for move in moves:
        assert not move.parent
        _, referee = collector.of_trace(move)
        assert (referee.name, referee.parent) == ("referee", move.id)
        assert referee.events == ["committed"]
        assert move.began <= referee.began < referee.ended
        refereed.add(referee.attributes["arena.ply"])
    assert len(moves) == len(refereed)
    assert accepted <= refereed
    began, *_ = named(collector, "tournament round")
    assert began.attributes["arena.round"] == 1
    assert {span.name for span in collector.of_trace(began) if span.parent == began.id} == {"start match"}
    found, missing = named(collector, "GET /api/v1/matches/{id}")
    assert (found.attributes["http.response.status_code"], found.failed) == (200, False)
    assert (missing.attributes["http.response.status_code"], missing.failed) == (404, False)
    assert not found.parent, "a client chose the trace"
    assert collector.authorizations == {"Basic c2VjcmV0"}
    assert set(collector.paths) == {"/v1/traces"}


@pytest.mark.asyncio
async def test_none_of_a_share_of_0_are_sent(tmp_path: Path) -> None:
    async with collecting() as collector:
        address = f"{collector.url}/elsewhere"
        server = Server(tmp_path, *OPTIONS, "--traces", address, "--traces-share", "0")
        await server.start()
        await server.get("/api/v1/matches")
        assert await server.stop() == 0
        assert collector.paths == ["/elsewhere"]  # the first look
        assert not collector.spans


@pytest.mark.asyncio
async def test_a_collector_that_goes_away_costs_only_spans(tmp_path: Path) -> None:
    async with collecting() as collector:
        server = Server(tmp_path, *OPTIONS, "--traces", collector.url)
        await server.start()
    try:
        await server.get("/api/v1/matches")
    finally:
        assert await server.stop() == 0
    assert "Traceback" not in server.log


async def refused(folder: Path, *options: str, environment: dict[str, str] | None = None) -> str:
    """Return what ``arena serve`` says that ends at once."""
    server = Server(folder, *OPTIONS, *options, environment=environment, real=True)
    with pytest.raises(AssertionError):
        await server.start()
    return server.log


@pytest.mark.asyncio
async def test_a_collector_that_is_away_stops_no_arena(tmp_path: Path) -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        server = Server(tmp_path, *OPTIONS, "--traces", f"http://127.0.0.1:{bound.getsockname()[1]}")
        await server.start()
        try:
            await server.get("/api/v1/matches")
        finally:
            assert await server.stop() == 0
    assert "no collector of traces can be reached" in server.log
    assert "Connection refused" in server.log
    assert "Traceback" not in server.log


@pytest.mark.asyncio
async def test_an_address_at_which_something_else_answers_is_refused(tmp_path: Path) -> None:
    async with collecting() as collector:
        said = await refused(tmp_path, "--traces", f"{collector.url}/missing")
        assert f"traces: {collector.url}/missing answers 404 Not Found" in said
    async with collecting(status=401) as collector:
        assert "answers 401" in await refused(tmp_path, "--traces", collector.url)
    with nats.running() as bus:
        said = await refused(tmp_path, "--traces", f"http://127.0.0.1:{bus.port}")
        assert "does not speak HTTP" in said


@pytest.mark.asyncio
async def test_a_collector_that_is_away_behind_a_proxy_stops_no_arena(tmp_path: Path) -> None:
    async with collecting(status=503) as proxy:
        server = Server(tmp_path, *OPTIONS, "--traces", proxy.url)
        await server.start()
        assert await server.stop() == 0
    assert "503 Service Unavailable" in server.log


MISSING = """
import sys
sys.modules["opentelemetry"] = None
from arena.cli import main
sys.exit(main(["serve", "--port", "0", "--no-browser", "--no-built-in-bots", "--games", "nim", "--data", sys.argv[1],
               "--traces", "http://127.0.0.1:4318"]))
"""


def test_without_the_packages_it_says_what_to_install(tmp_path: Path) -> None:
    command = [sys.executable, "-c", MISSING, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 2
    assert "install bot-arena[traces]" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1:4318",
        "grpc://127.0.0.1:4317",
        "http://",
        "http://host:99999",
        "http://me:secret@host",
        "http://host?a",
    ],
)
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match=re.escape("traces must be http://HOST:PORT or https://HOST:PORT")):
        TraceSettings(traces=address)


def test_the_path_of_a_receiver_is_added_to_a_host() -> None:
    assert TraceSettings(traces="http://host:4318").endpoint() == "http://host:4318/v1/traces"
    assert TraceSettings(traces="https://host/").endpoint() == "https://host/v1/traces"
    assert TraceSettings(traces="https://host/own").endpoint() == "https://host/own"


def test_a_share_without_an_address_is_refused() -> None:
    with pytest.raises(ValueError, match="it needs traces"):
        TraceSettings(traces_share=0.5)
