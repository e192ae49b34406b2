# SPDX-License-Identifier: GPL-3.0-or-later
"""The API of the search explorer: trees, counts and analysis by a process of its own, its limits and refusals."""

import asyncio
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from arena.features.explorer.jobs import Failed, Job, Outcome
from arena.features.explorer.part import ExplorerPart
from engine.games import find
from engine.search import Limits, Searcher
from tests.arena.peers import duel, ready
from tests.features.accounts.people import browser
from tests.features.people.seats import opponent, resign, sit_down
from tests.web.door import Door, opened, unhurried
from tests.web.test_match import get
from tests.web.test_peepers import challenged, seated

pytestmark = pytest.mark.asyncio(loop_scope="session")

WON = "xxx/oo./..."
EXPLAIN = "/explain?game=tictactoe&algorithm=alphabeta&depth=2"


async def refusal(door: Door, path: str) -> tuple[int, str]:
    """Return the status and the message of a refused request."""
    async with door.http.get(f"/api/v1{path}") as response:
        return response.status, (await response.json())["error"]["message"]


@pytest.mark.parametrize(("game", "algorithm", "depth"), [("tictactoe", "advanced", 2), ("einstein", "star2", 2)])
async def test_a_tree_has_the_nodes_of_the_search(door: Door, game: str, algorithm: str, depth: int) -> None:
    found = await get(door, f"/explain?game={game}&algorithm={algorithm}&depth={depth}", "Explanation")
    rules = find(game)
    expected = Searcher(rules, algorithm).search(rules.start(), Limits(depth))
    assert (found["complete"], found["nodes"], found["value"]) == (True, expected.nodes, expected.value)
    assert len(found["tree"]) + sum(node["scored"] for node in found["tree"]) == expected.nodes


async def test_sentences_come_in_the_language_of_the_request(door: Door) -> None:
    tree = (await get(door, f"{EXPLAIN}&language=de", "Explanation"))["tree"]
    assert tree[0]["words"] == "Die Suche beginnt; ihre Tiefe: 2 Halbzüge. Der Wert ist 1."
    assert any("Hier schneidet sie ab: −1 ≤ Alpha −1. 7 Züge werden" in node["words"] for node in tree)
    # the next request has its own language
    tree = (await get(door, EXPLAIN, "Explanation"))["tree"]
    assert tree[0]["words"] == "The search begins, to a depth of 2 plies. Its value is 1."


async def test_a_tree_is_cut_off_at_the_limit_of_the_settings(door: Door) -> None:
    found = await get(door, "/explain?game=tictactoe&algorithm=minimax&depth=4", "Explanation")
    assert (found["complete"], len(found["tree"])) == (False, 200)


async def test_counts_compare_the_algorithms(door: Door) -> None:
    found = await get(door, "/explain/counts?game=tictactoe&depth=3", "Counts")
    nodes = {(each["algorithm"], each["depth"]): each["nodes"] for each in found["counts"]}
    assert [nodes["minimax", depth] for depth in (1, 2, 3)] == [10, 82, 586]
    assert nodes["alphabeta", 3] < nodes["minimax", 3]


async def test_analysis_tells_the_best_line(door: Door) -> None:
    query = urlencode({"game": "tictactoe", "position": "xx./oo./...", "nodes": 500})
    found = await get(door, f"/analysis?{query}", "Analysis")
    assert (found["to_move"], found["decided"], found["algorithm"]) == (0, True, "play")
    assert found["score"] > 0
    assert [(move["move"], move["squares"]) for move in found["line"]] == [("c3", [2])]
    assert found["nodes"] <= 500


@pytest.mark.parametrize(
    ("path", "status", "message"),
    [
        ("/explain?game=go&algorithm=minimax&depth=1", 404, "unknown game"),
        ("/explain?game=tictactoe&algorithm=best&depth=1", 400, "no algorithm is called 'best'"),
        ("/explain?game=tictactoe&algorithm=minimax&depth=0", 400, "'depth'"),
        ("/explain?game=tictactoe&algorithm=minimax&depth=99", 400, "'depth'"),
        ("/explain?game=tictactoe&algorithm=minimax&depth=1&position=oops", 400, "'oops' is not a position"),
        ("/explain?game=tictactoe&algorithm=minimax&depth=1&evaluation=oops", 400, "oops"),
        ("/explain?game=tictactoe&algorithm=minimax&depth=1&switches=oops", 400, "no switch is called 'oops'"),
        (f"{EXPLAIN}&language=xx", 400, "no sentences in the language 'xx'; there are en, de"),
        ("/explain/counts?game=tictactoe&depth=2&evaluation=oops", 400, "oops"),
        (f"/analysis?game=tictactoe&position={WON}", 400, "the game is over"),
        ("/analysis?game=tictactoe&time=-1", 400, "'time'"),
    ],
)
async def test_invalid_requests_are_refused(door: Door, path: str, status: int, message: str) -> None:
    found = await refusal(door, path)
    assert found[0] == status
    assert message in found[1]


async def test_waiting_searches_are_limited(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    part = door.arena.part(ExplorerPart)
    begun, let = asyncio.Event(), asyncio.Event()

    async def answer(job: Job) -> Outcome:
        begun.set()
        await let.wait()
        return Failed()

    monkeypatch.setattr(part, "_answer", answer)
    job: Any = None
    each, most = part.settings.explorer_queue_each, part.settings.explorer_queue
    own = [asyncio.create_task(part.ask("127.0.0.1", job)) for _ in range(each)]
    await begun.wait()  # all tasks that were created before have begun too
    async with door.http.get(f"/api/v1{EXPLAIN}") as response:
        assert response.status == 429
        assert int(response.headers["Retry-After"]) > 0
        assert "this address" in (await response.json())["error"]["message"]
    own[0].cancel()  # its client leaves; the search still counts
    others = [asyncio.create_task(part.ask(f"client {number}", job)) for number in range(most + 1 - each)]
    async with door.http.get(f"/api/v1{EXPLAIN}") as response:
        assert response.status == 429
    with pytest.raises(Exception, match="too many searches"):
        await part.ask("another", job)
    let.set()
    answers = await asyncio.gather(*own, *others, return_exceptions=True)
    assert [isinstance(found, Failed) for found in answers].count(False) == 1


async def test_a_killed_process_is_replaced(door: Door) -> None:
    part = door.arena.part(ExplorerPart)
    await get(door, EXPLAIN, "Explanation")
    process = part.process
    assert process is not None
    process.kill()
    found = await get(door, EXPLAIN, "Explanation")
    assert found["complete"]
    assert part.process is not None
    assert part.process is not process


async def test_a_finished_match_has_a_summary(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    async with seated(door, "judge", "judged") as bots:
        match = await challenged(bots[0], bots[1], "judged")
        status, message = await refusal(door, f"/matches/{match}/summary")
        assert (status, message) == (409, "the match is not over yet; try again at its end")
        await bots[0].say("resign", match=match)
        await bots[0].hear("over")
    summary = await get(door, f"/matches/{match}/summary", "MatchSummary")
    assert [side["moves"] for side in summary["sides"]] == [0, 0]

    async def answer(job: Job) -> Outcome:
        raise AssertionError("the server keeps summaries")

    monkeypatch.setattr(door.arena.part(ExplorerPart), "_answer", answer)
    assert await get(door, f"/matches/{match}/summary", "MatchSummary") == summary
    assert (await refusal(door, "/matches/999999/summary"))[0] == 404


async def test_people_at_play_get_no_help(door: Door) -> None:
    query = urlencode({"game": "tictactoe", "position": ".../.../..."})
    async with (
        browser(door) as guest, browser(door) as private, browser(door, "127.0.0.2") as friend,
        opponent(door, ["tictactoe"]) as bot,
    ):  # fmt: skip
        seat = await sit_down(guest, "tictactoe", bot, seat=0)
        for path in (f"/analysis?{query}", EXPLAIN, "/explain/counts?game=tictactoe&depth=1"):
            status, answer = await friend.get(path)
            assert (status, answer["error"]["code"]) == (409, "conflict"), path
            assert "a person plays this position" in answer["error"]["message"]
        other = urlencode({"game": "tictactoe", "position": "x../.o./..."})
        status, answer = await guest.get(f"/analysis?{other}")
        assert (status, answer["error"]["message"]) == (409, "you play a match; try again when it is over")
        assert (await friend.get(f"/analysis?{other}"))[0] == 200
        # a window without cookies at the guest's address
        status, answer = await private.get(f"/analysis?{other}")
        assert (status, "close to this one" in answer["error"]["message"]) == (409, True)
        far = urlencode({"game": "einstein"})
        assert (await private.get(f"/analysis?{far}"))[0] == 200
        await resign(door, seat, "tictactoe")
        assert (await guest.get(f"/analysis?{other}"))[0] == 200
        assert (await private.get(f"/analysis?{other}"))[0] == 200


@pytest.mark.parametrize(("game", "offered"), [("tictactoe", True), ("kuhn", False), ("dilemma", False)])
async def test_only_matches_of_perfect_information_offer_an_analysis(tmp_path: Path, game: str, offered: bool) -> None:
    async with opened(tmp_path, unhurried(game, ladder=False)) as door:
        await ready(door.arena)
        match = (await duel(door.arena, game)).match
        async with door.http.get(f"http://{door.address}/matches/{match}") as response:
            assert ("/explorer/analysis.js" in await response.text()) == offered
