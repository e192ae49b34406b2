# SPDX-License-Identifier: GPL-3.0-or-later
"""One trace goes over the nodes that a cause concerns: real nodes, a real bus, a real receiver of OTLP."""

from importlib.util import find_spec
from pathlib import Path

import pytest
from aiohttp import ClientSession

from tests.collector import Collector, Received, collecting
from tests.features.cluster.playing import Watcher, cluster
from tests.features.cluster.test_play import OPTIONS, challenge, go_on, hold
from tests.nats import Nats

pytestmark = pytest.mark.skipif(find_spec("arena.features.traces") is None, reason="the feature was deleted")


@pytest.fixture(autouse=True)
def _sent_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "200")


def chain(collector: Collector, last: Received) -> list[Received]:
    """Return a span with those above it, the first one of the trace first; empty while one of them has not come."""
    spans = {span.id: span for span in collector.of_trace(last)}
    found = [last]
    while found[0].parent:
        if found[0].parent not in spans:
            return []
        found.insert(0, spans[found[0].parent])
    return found


def path(spans: list[Received]) -> list[tuple[str, str]]:
    """Return servers and names of spans."""
    return [(span.server, span.name) for span in spans]


@pytest.mark.asyncio
async def test_a_move_is_one_trace_over_the_nodes(tmp_path: Path, database: str, nats: Nats) -> None:
    async with (
        collecting() as collector,
        cluster(tmp_path, database, nats.url, "ab", *OPTIONS, "--traces", collector.url, doors="b") as nodes,
        challenge(nodes, "b", "b") as (one, other, match),
    ):
        await hold(one, other, match=match)
        watcher = Watcher(match, nodes["b"].watch_url)
        await watcher.saw(1)
        go_on(one, other)

        def with_path(*wanted: tuple[str, str]) -> Received | None:
            ends = [span for span in collector.spans if (span.server, span.name) == wanted[-1]]
            return next((span for span in ends if path(chain(collector, span)) == list(wanted)), None)

        door = ("b", "bot move"), ("a", "node heard"), ("a", "referee")
        shown = await collector.until(lambda: with_path(*door, ("b", "node shown-move")))
        await collector.until(lambda: with_path(*door, ("b", "node told")))  # the acknowledgement, and the turn
        assert all(span.attributes.get("arena.match", match) == match for span in collector.of_trace(shown))
        referee = chain(collector, shown)[2]
        assert referee.events == ["committed"]
        assert referee.attributes["arena.match"] == match
        await watcher.close()


@pytest.mark.asyncio
async def test_takeovers_and_requests_that_are_sent_on_are_traced(tmp_path: Path, database: str, nats: Nats) -> None:
    async with (
        collecting() as collector,
        cluster(tmp_path, database, nats.url, "abc", *OPTIONS, "--traces", collector.url, doors="ab") as nodes,
        challenge(nodes, "a", "b") as (one, other, match),
    ):
        await hold(one, other, match=match)
        await nodes["c"].kill()

        def taken() -> Received | None:
            return next((each for each in collector.spans if each.name == "take up match" and each.server != "c"), None)

        span = await collector.until(taken)
        await collector.until(lambda: chain(collector, span)[0] if chain(collector, span) else None)
        names = [each.name for each in chain(collector, span)]
        assert names == ["give matches", "node referee", "take up match"]
        assert span.attributes["arena.match"] == match
        go_on(one, other)
        async with ClientSession() as http, http.post(f"{nodes['b'].url}/api/v1/tournaments", json={}) as answer:
            assert answer.status in (401, 403)

        def sent_on() -> Received | None:
            found = [each for each in collector.spans if each.name == "POST /api/v1/tournaments" and each.parent]
            return next((each for each in found if chain(collector, each)), None)

        forged = {"Arena-Node": "1:1", "Arena-Client": "192.0.2.1", "traceparent": f"00-{'7' * 32}-{'7' * 16}-01"}
        async with ClientSession() as http, http.get(f"{nodes['a'].url}/api/v1/games", headers=forged) as answer:
            assert answer.status == 200
        received = await collector.until(sent_on)
        assert path(chain(collector, received)) == [("b", received.name), ("a", received.name)]

        def asked() -> Received | None:
            return next((each for each in collector.spans if each.name == "GET /api/v1/games"), None)

        assert not (await collector.until(asked)).parent, "nobody but a node chooses a trace"


@pytest.mark.asyncio
async def test_a_request_that_is_sent_on_is_drawn_once(tmp_path: Path, database: str, nats: Nats) -> None:
    some = ("--games", "nim", "--ladder", "false", "--traces-share", "0.5")
    async with (
        collecting() as collector,
        cluster(tmp_path, database, nats.url, "ab", *some, "--traces", collector.url) as nodes,
    ):
        async with ClientSession() as http:
            for _ in range(40):
                async with http.post(f"{nodes['b'].url}/api/v1/tournaments", json={}) as answer:
                    assert answer.status in (401, 403)
        for node in nodes.values():
            await node.stop()  # which sends the remaining spans
        spans = [each for each in collector.spans if each.name == "POST /api/v1/tournaments"]
        first, sent_on = ([each for each in spans if each.server == name] for name in "ba")
        assert 0 < len(first) < 40
        assert {each.parent for each in sent_on} == {each.id for each in first}
