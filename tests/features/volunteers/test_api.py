# SPDX-License-Identifier: GPL-3.0-or-later
"""Islands on volunteers' machines over the API: they join, report, are tried, and give to weaker ones."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import pytest
import pytest_asyncio

from arena.connections.admission import hash_token, make_token
from arena.features.genomes.reading import Genomes
from arena.features.volunteers import VERIFIER
from arena.features.volunteers.api import ENDPOINTS
from arena.features.volunteers.exchange import Exchange
from arena.features.volunteers.settings import VolunteerSettings
from arena.protocol.codec import EXCHANGE
from arena.protocol.genome_views import GenomeView
from arena.protocol.island_messages import MAX_REPORT
from arena.records.verification import verify
from bots.evolution.evochess.genome import SEARCH, drawn, schema_for, write
from bots.evolution.operators import chance_for
from tests.web.door import Door, opened, unhurried
from tests.web.test_bodies import DEEP, nested
from tests.web.test_match import get
from tests.web.test_pages import data, page
from tests.web.test_tournaments import operator, post
from web.assets import ASSETS

pytestmark = pytest.mark.asyncio(loop_scope="session")

HASTY = VolunteerSettings(volunteer_interval=0, volunteer_mating=0, volunteer_silence=3600)
SETTINGS = unhurried("checkers,tictactoe", ladder=False, features=(HASTY,))
NODES = HASTY.volunteer_nodes


@pytest_asyncio.fixture(loop_scope="session")
async def here(tmp_path: Path) -> AsyncIterator[Door]:
    """An arena of the test's own."""
    async with opened(tmp_path, SETTINGS) as door:
        yield door


def genome(seed: int, game: str = "checkers", nodes: int = NODES) -> dict[str, Any]:
    """Return a genome at random."""
    schema = schema_for(game)
    text = write(schema, drawn(schema, chance_for(seed)), nodes, {"seed": seed})
    found: dict[str, Any] = msgspec.json.decode(text)
    return found


@dataclass
class Island:
    """An island that sends prepared reports."""

    door: Door
    name: str
    headers: dict[str, str]
    id: int
    run: str = field(default_factory=lambda: secrets.token_hex(8))
    next: int = 1
    generation: int = 0

    async def post(self, path: str, body: Any, headers: dict[str, str] | None = None) -> tuple[int, Any]:
        """Say something."""
        return await post(self.door, path, body, headers or self.headers)

    def joining(self, **more: Any) -> dict[str, Any]:
        """Return what it joins with."""
        about = {"exchange": EXCHANGE, "client": "test", "game": "checkers", "run": self.run, "seed": 1, "size": 20}
        return about | more

    async def join(self, **more: Any) -> tuple[int, Any]:
        """Join."""
        return await self.post("/islands", self.joining(**more))

    def reporting(self, score: float = 0.5, *, seed: int = 1, games: int = 40, **more: Any) -> dict[str, Any]:
        """Return its next report: the best is a genome of a seed and scores so much."""
        best = {
            "genome": genome(seed),
            "member": seed,
            "games": games,
            "points": score * games,
            "moves": 30 * games,
            "nodes": 30 * games * NODES,
        }
        about = {"exchange": EXCHANGE, "run": self.run, "sequence": self.next, "generation": self.generation}
        played = {"games": 100 * (self.generation + 1), "nodes": 10**6 * (self.generation + 1), "mean": score / 2}
        return about | played | {"level": 1, "members": 20, "best": best} | more

    async def say(self, report: dict[str, Any]) -> tuple[int, Any]:
        """Report what is given."""
        return await self.post(f"/islands/{self.id}/reports", report)

    async def report(self, score: float = 0.5, **more: Any) -> Any:
        """Report, and go on; returns the answer."""
        status, answer = await self.say(self.reporting(score, **more))
        assert status == 200, answer
        self.next += 1
        self.generation += 1
        return answer

    async def shown(self) -> Any:
        """Return what everybody sees."""
        return await get(self.door, f"/islands/{self.id}", "IslandDetailAnswer")


async def invited(door: Door, name: str) -> Island:
    """Let an island in."""
    token = make_token()
    row = await door.arena.part(Exchange).records.add(name, hash_token(token))
    return Island(door, name, {"Authorization": f"Bearer {token}"}, row.id)


async def joined(door: Door, name: str) -> Island:
    """Let an island in, and let it join."""
    island = await invited(door, name)
    status, answer = await island.join()
    assert status == 200, answer
    return island


async def tried(
    door: Door, headers: dict[str, str], score: float | Callable[[int], float], pairs: int = 48, **more: Any
) -> Any:
    """Try the claim that is due, with a result, which may depend on whose it is."""
    status, answer = await post(door, "/verifications", {}, headers)
    assert status == 200, answer
    task = answer["task"]
    if task is None:
        return None
    own = score if isinstance(score, float) else score(task["island"])
    about = {"digest": task["digest"], "level": task["level"], "pairs": pairs, "points": 2 * pairs * own}
    counts = {"moves": 900, "nodes": 900_000, "rival_moves": 900, "rival_nodes": 9_000_000}
    status, judged = await post(door, f"/islands/{task['island']}/verifications", about | counts | more, headers)
    assert status == 200, judged
    return {"island": task["island"], **judged}


async def test_an_island_joins_reports_and_everybody_sees_it(here: Door) -> None:
    island = await invited(here, "island")
    await here.arena.part(Exchange).islands.tidy()
    (listed,) = (await get(here, "/islands", "IslandsAnswer"))["items"]
    assert (listed["name"], listed["game"], listed["live"]) == ("island", None, False)
    status, answer = await island.join()
    assert (status, answer["island"], answer["next"], answer["terms"]["nodes"]) == (200, island.id, 1, NODES)
    assert await island.join() == (status, answer)
    await island.report(0.25)
    await island.report(0.5, seed=2, level=2)
    shown = await island.shown()
    assert (shown["live"], shown["generation"], shown["level"], shown["reports"]) == (True, 1, 2, 2)
    assert (shown["best"]["score"], shown["best"]["games"], shown["waiting"]) == (0.5, 40, True)
    assert [point["best"] for point in shown["course"]] == [0.25, 0.5]
    assert shown["genome"] == {key: value for key, value in genome(2).items() if key != "lineage"}
    assert shown["best"]["formula"] == shown["genome_view"]["formula"]
    assert [len(module["genes"]) for module in shown["genome_view"]["modules"]] == [len(SEARCH.genes), 5]


async def test_a_genome_of_an_older_version_has_no_view(here: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    island = await joined(here, "leif")
    await island.report(0.6)
    assert (await island.shown())["genome_view"] is not None

    def refuse(genomes: Genomes, text: bytes) -> GenomeView:
        raise ValueError("the genome is of version 4; this program reads version 5")

    monkeypatch.setattr(Genomes, "view", refuse)
    shown = await island.shown()
    assert shown["genome_view"] is None
    assert shown["best"]["score"] == 0.6


async def test_a_report_that_is_repeated_does_nothing_more(here: Door) -> None:
    island = await joined(here, "echo")
    report = island.reporting()
    answers = [await island.say(report) for _ in range(3)]
    assert answers == [(200, {"sequence": 1, "mates": [], "quarantined": ""})] * 3
    shown = await island.shown()
    assert (shown["reports"], shown["repeated"], len(shown["course"]), shown["refusals"]) == (1, 2, 1, {})


async def test_what_is_tried_and_holds_goes_to_the_weaker_one(here: Door) -> None:
    headers = await operator(here)
    strong, weak = await joined(here, "strong"), await joined(here, "weak")
    await weak.report(0.2, seed=3)
    assert (await strong.report(0.8, seed=4))["mates"] == []
    assert (await weak.report(0.2, seed=3))["mates"] == [], "what was not tried spreads to nobody"
    verdicts = [await tried(here, headers, score) for score in (0.78, 0.2)]
    assert [(each["island"], each["verdict"]) for each in verdicts] == [
        (strong.id, "confirmed"),
        (weak.id, "confirmed"),
    ]
    assert await tried(here, headers, 0.5) is None
    (mate,) = (await weak.report(0.2, seed=3))["mates"]
    assert (mate["giver_name"], mate["level"], mate["score"]) == ("strong", 1, pytest.approx(0.78))
    assert mate["genome"]["program"] == genome(4)["program"]
    assert (await strong.report(0.8, seed=4))["mates"] == []
    assert (await weak.report(0.2, seed=3))["mates"] == [mate], "it is offered until it has come in"
    (migration,) = (await get(here, "/migrations?game=checkers", "MigrationsAnswer"))["items"]
    assert (migration["giver"], migration["taker"], migration["arrived"]) == (strong.id, weak.id, None)
    assert (await weak.report(0.2, seed=3, received=[mate["number"]]))["mates"] == []
    found = await get(here, f"/migrations/{mate['number']}", "MigrationDetailAnswer")
    assert found["arrived"] is not None
    assert found["genome"] == mate["genome"]
    assert ((await strong.shown())["given"], (await weak.shown())["taken"]) == (1, 1)


async def test_what_held_is_shown_with_what_it_does(here: Door) -> None:
    headers, island = await operator(here), await joined(here, "shown")
    await island.report(0.5, seed=7)
    branch = {"parent": -1, "move": "11-15", "given": 1.0, "reach": 2, "nodes": 9}
    search = {"name": "its best", "nodes": 10, "depth": 2, "move": "11-15", "branches": [branch]}
    look = {"position": "B:W21:B1", "diagram": "." * 64, "to_move": 0, "searches": [search]}
    assert (await tried(here, headers, 0.5, search_traces=[look]))["verdict"] == "confirmed"
    await island.report(0.7, seed=8)
    shown = (await island.shown())["genome_view"]
    assert shown["formula"] == (await island.shown())["confirmed"]["formula"], "what held, not what is claimed since"
    assert [one["searches"][0]["branches"] for one in shown["search_traces"]] == [[branch]]
    # of each island the newest that held has looks, and nothing else of an earlier one is lost
    (before,) = (await get(here, "/verifications", "VerificationsAnswer"))["items"]
    assert (await tried(here, headers, 0.7, search_traces=[look, look]))["verdict"] == "confirmed"
    assert len((await island.shown())["genome_view"]["search_traces"]) == 2
    rows = (await here.arena.part(Exchange).records.verifications()).items
    assert ['"search_traces":""' in row.body.decode() for row in rows] == [False, True]
    assert (await get(here, "/verifications", "VerificationsAnswer"))["items"][1] == before


async def test_a_liar_is_in_quarantine_until_it_is_lifted(here: Door) -> None:
    headers = await operator(here)
    liar, weak = await joined(here, "liar"), await joined(here, "weak")
    await liar.report(0.95, seed=5)
    await weak.report(0.1, seed=6)
    judged = await tried(here, headers, 0.2, pairs=96)
    assert (judged["island"], judged["verdict"]) == (liar.id, "refuted")
    assert judged["likelihood"] < 1e-4
    answer = await liar.report(0.95, seed=5)
    assert "0.950" in answer["quarantined"]
    assert answer["mates"] == []
    assert (await weak.report(0.1, seed=6))["mates"] == []
    shown = await liar.shown()
    assert (shown["confirmed"], shown["waiting"], shown["reports"]) == (None, False, 2)
    assert "0.200" in shown["quarantined"]["why"]
    (verification,) = shown["verifications"]
    assert (verification["verdict"], verification["claimed"]["score"], verification["measured"]["games"]) == (
        "refuted",
        0.95,
        192,
    )
    assert (await get(here, f"/verifications/{verification['id']}", "VerificationDetailAnswer"))["genome"][
        "program"
    ] == genome(5)["program"]
    assert (await post(here, f"/islands/{liar.id}/lift", {}))[0] == 401
    assert (await post(here, f"/islands/{liar.id}/lift", {}, headers)) == (200, {"island": liar.id, "lifts": 1})
    assert (await liar.report(0.3, seed=5))["quarantined"] == ""
    assert (await liar.shown())["waiting"]
    await here.arena.part(Exchange).islands.tidy()
    assert (await liar.shown())["quarantined"] is None


@pytest.mark.parametrize(
    ("change", "status", "code", "why"),
    [
        ({"exchange": 1}, 426, "version", "version 6; the client speaks 1"),
        ({"exchange": 7, "news": 1}, 426, "version", "the client speaks 7"),
        ({"surprise": 1}, 400, "malformed", "surprise"),
        ({"generation": -1}, 400, "malformed", "generation"),
        ({"mean": 2.0}, 400, "malformed", "mean"),
        ({"run": "somebody-else"}, 409, "run", "another client"),
        ({"sequence": 4}, 409, "order", "the island's next report has number 3"),
        ({"sequence": 1}, 409, "order", "the island's next report has number 3"),
        ({"generation": 0}, 400, "statistics", "generation was 1"),
        ({"level": 3}, 400, "statistics", "rise by at most 1"),
        ({"level": 9, "generation": 99}, 400, "statistics", "7 plies"),
        ({"best": {"points": 41}}, 400, "statistics", "41 points in 40 games"),
        ({"best": {"genome": {"kind": "steered"}}}, 400, "genome", "no genome"),
        ({"best": {"genome": genome(1) | {"version": 1}}}, 400, "genome", "version 1"),
        ({"best": {"genome": genome(1) | {"schema_version": 9}}}, 400, "genome", "version"),
        ({"best": {"genome": genome(1) | {"program": ["+", "horizon"]}}}, 400, "genome", "ends before"),
        ({"best": {"genome": genome(1) | {"program": ["<", 1, 2]}}}, 400, "genome", "number should be"),
        ({"best": {"genome": genome(1) | {"program": ["deeper"] * 63 + ["horizon"]}}}, 400, "genome", "10 words deep"),
        ({"best": {"genome": genome(1) | {"program": ["deeper"] * 64 + ["horizon"]}}}, 400, "genome", "at most 64"),
        ({"best": {"genome": genome(1) | {"program": ["explode"]}}}, 400, "genome", "unknown word"),
        ({"best": {"genome": genome(1) | {"weights": {}}}}, 400, "genome", "not in both"),
        ({"best": {"genome": genome(1, nodes=10**6)}}, 400, "genome", "1,000,000 nodes"),
        ({"best": {"genome": genome(1, "chess")}}, 409, "game", "for chess"),
    ],
)
async def test_what_cannot_be_is_refused_counted_and_shown(
    here: Door, change: dict[str, Any], status: int, code: str, why: str
) -> None:
    island = await joined(here, "careless")
    await island.report()
    await island.report()
    before = await island.shown()
    report = island.reporting(seed=2)
    report = report | {**change, "best": report["best"] | change.get("best", {})}
    found, answer = await island.say(report)
    assert (found, answer["error"]["code"]) == (status, code), answer
    assert why in answer["error"]["message"]
    after = await island.shown()
    assert after["refusals"] == {code: 1}
    assert {**after, "refusals": {}} == before
    await island.report()


async def test_nothing_is_taken_from_strangers_and_forgers(here: Door) -> None:
    one, other = await joined(here, "one"), await joined(here, "other")
    forged = other.reporting(1.0)
    for headers, status, code in (
        ({}, 401, "not-allowed"),
        ({"Authorization": "Bearer arena_nonsense"}, 401, "not-allowed"),
        (await operator(here), 401, "not-allowed"),
        (one.headers, 403, "forged"),
    ):
        found, answer = await post(here, f"/islands/{other.id}/reports", forged, headers)
        assert (found, answer["error"]["code"]) == (status, code)
    assert (await other.shown())["reports"] == 0
    assert (await one.shown())["refusals"] == {"forged": 1}
    assert (await get(here, "/islands", "IslandsAnswer"))["strangers"] == {"not-allowed": 2}
    for path, body in (("/verifications", {}), (f"/islands/{one.id}/verifications", {"digest": "0" * 64})):
        assert (await one.post(path, body))[0] == 401, "an island does not judge itself"


async def test_bodies_that_are_cut_or_too_large_are_refused_and_counted(here: Door) -> None:
    island = await joined(here, "cut")
    whole = msgspec.json.encode(island.reporting())
    url = f"/api/v1/islands/{island.id}/reports"
    for body, status in ((whole[:-20], 400), (b"", 400), (b"[" * 5000, 400), (b"\xff", 400), (b" " * 10**6, 413)):
        async with here.http.post(url, data=body, headers=island.headers) as response:
            assert response.status == status, await response.text()
    padded = whole + b" " * (MAX_REPORT + 1 - len(whole))
    async with here.http.post(url, data=padded, headers=island.headers) as response:
        assert (await response.json())["error"]["code"] == "too-large"
    host, port = here.address.split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    lines = [f"POST {url} HTTP/1.1", f"Host: {here.address}", f"Authorization: {island.headers['Authorization']}"]
    head = "\r\n".join([*lines, f"Content-Length: {len(whole)}", "Expect: 100-continue", "", ""])
    writer.write(head.encode())
    async with asyncio.timeout(600):
        assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n", "it reads the body now"
    writer.write(whole[:100])
    await writer.drain()
    writer.close()
    await writer.wait_closed()
    async with asyncio.timeout(600):
        while (refused := (await island.shown())["refusals"])["malformed"] < 5:  # noqa: ASYNC110  # in another task
            await asyncio.sleep(0.05)
    assert refused == {"malformed": 5, "too-large": 2}
    await island.report()


async def test_islands_of_other_games_get_the_list_of_admitted_ones(here: Door) -> None:
    island = await invited(here, "astray")
    for game in ("tictactoe", "chess", "no such game"):
        status, answer = await island.join(game=game)
        assert (status, answer["error"]["code"]) == (409, "game")
        assert "accepted games: checkers" in answer["error"]["message"]
    assert (await island.join())[0] == 200
    assert (await island.join(exchange=99))[0] == 426
    assert (await island.shown())["refusals"] == {"game": 3, "version": 1}


async def test_another_client_with_the_token_takes_the_place_of_the_one_before(here: Door) -> None:
    island = await joined(here, "moved")
    await island.report(0.4)
    await island.report(0.5)
    late = island.reporting()
    island.run = "another-run"
    status, answer = await island.join()
    assert (status, answer["next"]) == (200, 3)
    assert (await island.say(late))[1]["error"]["code"] == "run"
    island.generation = 0
    await island.report(0.1)
    shown = await island.shown()
    assert (shown["generation"], [point["best"] for point in shown["course"]]) == (0, [0.1])


async def test_nothing_is_lost_over_a_restart(tmp_path: Path) -> None:
    async with opened(tmp_path, SETTINGS) as door:
        headers = await operator(door)
        strong, weak, liar = [await joined(door, name) for name in ("strong", "weak", "liar")]
        await strong.report(0.8, seed=4)
        assert (await tried(door, headers, 0.75))["verdict"] == "confirmed"
        await liar.report(0.99, seed=5)
        assert (await tried(door, headers, 0.2))["verdict"] == "refuted"
        report = weak.reporting(0.1, seed=6)
        answer = await weak.say(report)
        assert [mate["giver_name"] for mate in answer[1]["mates"]] == ["strong"]
        await weak.say({**weak.reporting(), "sequence": 9})
        before = await get(door, "/islands", "IslandsAnswer")
    async with opened(tmp_path, SETTINGS) as door:
        strong.door = weak.door = door
        after = await get(door, "/islands", "IslandsAnswer")
        for one, other in zip(after["items"], before["items"], strict=True):
            assert one == other
        assert await weak.say(report) == answer
        weak.next, weak.generation = 2, 1
        number = answer[1]["mates"][0]["number"]
        assert (await weak.report(0.1, seed=6, received=[number]))["mates"] == []
        assert await tried(door, await operator(door), 0.1) is not None
        checked = await door.arena.store.audit(lambda audit: verify(audit))
        assert checked.clean, checked.findings


async def test_commands_beside_the_server_are_followed(here: Door) -> None:
    headers = await operator(here)
    liar = await joined(here, "liar")
    await liar.report(1.0, seed=5)
    assert (await tried(here, headers, 0.2))["verdict"] == "refuted"
    await here.arena.part(Exchange).records.lift("liar")
    await here.arena.part(Exchange).islands.tidy()
    shown = await liar.shown()
    assert (shown["quarantined"], shown["lifts"], shown["waiting"]) == (None, 1, True)
    await here.arena.part(Exchange).records.remove("liar")
    await here.arena.part(Exchange).islands.tidy()
    assert (await liar.say(liar.reporting()))[0] == 401


async def test_reports_at_once_are_taken_in_one_by_one(here: Door) -> None:
    island = await joined(here, "hasty")
    reports = [island.reporting(seed=seed) for seed in range(1, 6)]
    answers = await asyncio.gather(*(island.say(report) for report in reports))
    assert sorted(status for status, _ in answers) == [200, 409, 409, 409, 409]
    assert (await island.shown())["refusals"] == {"order": 4}


async def test_an_island_that_hurries_has_to_wait(tmp_path: Path) -> None:
    slow = VolunteerSettings(volunteer_interval=3600)
    async with opened(tmp_path, unhurried("checkers", ladder=False, features=(slow,))) as door:
        island = await joined(door, "hasty")
        await island.report()
        status, answer = await island.say(island.reporting())
        assert (status, answer["error"]["code"]) == (429, "too-soon")


@pytest.mark.parametrize("path", [each.path.replace("{id}", "1") for each in ENDPOINTS if each.method == "POST"])
@pytest.mark.parametrize("deep", DEEP)
async def test_what_is_nested_too_deeply_is_no_failure_of_the_arena(door: Door, path: str, deep: int) -> None:
    island = await invited(door, secrets.token_hex(8))
    statuses = set()
    for headers in (await operator(door), island.headers):
        async with door.http.post(path, data=nested(deep), headers=headers) as response:
            statuses.add(response.status)
    assert statuses in ({401, 400}, {401, 413})


async def test_the_audit_log_leaves_out_what_the_verifier_does(door: Door) -> None:
    token = make_token()
    door.arena.store.operators.admit(VERIFIER, hash_token(token))
    headers = {"Authorization": f"Bearer {token}"}
    before = await door.arena.store.audit_log.page()
    assert (await post(door, "/verifications", {}, headers))[0] == 200
    assert await door.arena.store.audit_log.page() == before


async def test_the_pages_bring_their_first_data(door: Door) -> None:
    document = await page(door, "/islands")
    assert set(data(document)) == {"games", "islands", "migrations", "verifications"}
    src = door.application[ASSETS].url("volunteers/islands.js")
    assert ("script", {"type": "module", "src": src}) in document.elements
    [style] = [each["href"] for tag, each in document.elements if tag == "link" and each["rel"] == "stylesheet"]
    async with door.http.get(str(style)) as response:
        assert door.application[ASSETS].read("volunteers/islands.css") in await response.read()
    await page(door, "/islands/99999999", 404)
