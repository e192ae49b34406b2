# SPDX-License-Identifier: GPL-3.0-or-later
"""The REST API: answers and errors."""

from urllib.parse import quote

import pytest

from engine.time_control import TimeControl
from tests.web.door import Door
from tests.web.players import connected
from tests.web.test_match import get
from web.api.leaderboard import TIME_CLASSES

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_games(door: Door) -> None:
    answer = await get(door, "/games", "GamesAnswer")
    assert [game["name"] for game in answer["items"]] == ["nim", "nim/7", "tictactoe"]
    game = await get(door, "/games/tictactoe", "GameAnswer")
    assert game == answer["items"][2]
    assert game["board"]["rows"] * game["board"]["columns"] == 9
    assert game["time_class"] == "bullet"
    for path in ("/games/nim/7", "/games/nim%2F7"):
        assert (await get(door, path, "GameAnswer"))["name"] == "nim/7"


async def test_status(door: Door) -> None:
    assert (await get(door, "/status", "StatusAnswer"))["live"] >= 0


async def test_a_position_has_its_legal_moves(door: Door) -> None:
    start = await get(door, "/positions?game=tictactoe", "PositionView")
    assert (start["diagram"], start["to_move"], len(start["legal"])) == ("." * 9, 0, 9)
    after = await get(door, "/positions?game=tictactoe&moves=b2,a1", "PositionView")
    assert (after["squares"], len(after["legal"]), after["ending"]) == ([6], 7, None)
    assert {"move": "c3", "said": "c3", "squares": [2]} in after["legal"]
    again = await get(door, f"/positions?game=tictactoe&position={quote(after['position'])}", "PositionView")
    assert after["line"] == ["b2", "a1"]
    assert again == {**after, "squares": [], "line": []}


async def test_a_game_that_is_not_compiled_yet_has_no_positions(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door.arena.registry, "is_ready", lambda name: False)
    async with door.http.get("/api/v1/positions?game=tictactoe") as response:
        assert (response.status, response.headers["Retry-After"]) == (503, "5")


async def test_lists_are_read_page_by_page(door: Door) -> None:
    names = [(await door.register())[0] for _ in range(5)]
    seen: list[str] = []
    after = ""
    while True:
        page = await get(door, f"/bots?limit=2{after}", "BotsAnswer")
        assert len(page["items"]) <= 2
        seen += [bot["name"] for bot in page["items"]]
        if page["next"] is None:
            break
        after = f"&after={page['next']}"
    assert len(seen) == len(set(seen))
    assert set(names) <= set(seen)


async def test_bots_are_found_by_name_and_connection(door: Door) -> None:
    (name, token), (other, _) = await door.register(), await door.register()
    found = await get(door, f"/bots?name={name.upper()}", "BotsAnswer")
    assert name in [bot["name"] for bot in found["items"]]
    async with connected(door.play_url) as bot:
        await bot.hello(token, ["tictactoe"], ladder=False)
        page = await get(door, "/bots?limit=500&sort=status", "BotsAnswer")
        states = [bot["connected"] for bot in page["items"]]
        assert states == sorted(states, reverse=True)
        page = await get(door, "/bots?limit=500&status=connected", "BotsAnswer")
        names = [bot["name"] for bot in page["items"]]
        assert name in names
        assert other not in names


async def test_a_removed_bot_keeps_its_page_and_leaves_the_list(door: Door) -> None:
    name, _ = await door.register()
    row = await door.arena.store.bots.remove(name)
    assert (await get(door, f"/bots/{row.id}", "BotDetailAnswer"))["removed"] is not None
    page = await get(door, "/bots?limit=500", "BotsAnswer")
    assert name not in [bot["name"] for bot in page["items"]]


async def test_a_leaderboard_without_players_is_empty(door: Door) -> None:
    order = await get(door, "/leaderboard/certainty?game=nim/7&time_class=classical", "CertaintyAnswer")
    assert (order["players"], order["superiority"], order["rated"]) == ([], [], 0)
    page = await get(door, "/leaderboard?game=nim/7&system=glicko-2&time_class=classical", "LeaderboardAnswer")
    assert (page["items"], page["next"]) == ([], None)


REFUSED = [
    ("/leaderboard?game=nim&system=fide", 400, "'system'"),
    ("/leaderboard?game=nim&system=glicko-2&after=rubbish", 400, "cursor"),
    ("/leaderboard/certainty?game=nim&players=1", 400, "'players'"),
    ("/leaderboard", 400, "'game' is missing"),
    ("/leaderboard?game=go", 404, "unknown game 'go'"),
    ("/leaderboard?game=nim&limit=0", 400, "parameter 'limit' must be 1 or more (got '0')"),
    ("/leaderboard?game=nim&limit=many", 400, "parameter 'limit' must be a whole number (got 'many')"),
    ("/leaderboard?game=nim&limit=501", 400, "parameter 'limit' must be 500 or less (got '501')"),
    ("/matches?bot=null", 400, "'bot'"),
    ("/leaderboard?game=nim&after=%00rubbish", 400, "cursor"),
    ("/leaderboard?game=nim&game=tictactoe", 400, "twice"),
    ("/leaderboard?game=nim&sort=name", 400, "unknown parameter 'sort'"),
    ("/matches?status=lost", 400, "'status'"),
    ("/matches?after=rubbish", 400, "cursor"),
    ("/matches?before=rubbish", 400, "cursor"),
    ("/matches?after=MQ&before=MQ", 400, "give only one"),
    ("/matches?until=never", 400, "parameter 'until' must be a number (got 'never')"),
    ("/search?text=" + "x" * 101, 400, "parameter 'text' must have at most 100 characters"),
    ("/matches?bot=-1", 400, "'bot'"),
    ("/matches/0", 400, "'id'"),
    ("/matches/abc", 400, "parameter 'id' must be a whole number (got 'abc')"),
    ("/matches/99999999", 404, "no match has the number 99999999"),
    ("/matches/9999999999999999999999", 400, "'id'"),
    ("/bots/99999999", 404, "no bot has the number 99999999"),
    ("/bots?after=rubbish", 400, "cursor"),
    ("/positions?game=go", 404, "unknown game 'go'"),
    ("/positions?game=tictactoe&moves=b2,b2", 400, "move 2: 'b2' is not a legal move here"),
    ("/positions?game=tictactoe&moves=" + ",".join(["b2"] * 401), 400, "at most 400 moves (got 401)"),
    ("/positions?game=tictactoe&position=rubbish", 400, "rubbish"),
    ("/games/go", 404, "choose one of: nim, nim/7, tictactoe"),
    ("/nothing", 404, "there is nothing at /api/v1/nothing"),
    ("/", 404, "there is nothing at /api/v1/"),
]


@pytest.mark.parametrize(("path", "status", "words"), REFUSED)
async def test_errors_have_codes_and_messages(door: Door, path: str, status: int, words: str) -> None:
    async with door.http.get(f"/api/v1{path}") as response:
        answer = await response.json()
        assert (response.status, set(answer)) == (status, {"error"}), answer
        assert set(answer["error"]) == {"code", "message"}
        assert words in answer["error"]["message"]


async def test_browsers_save_answers_and_never_show_them(door: Door) -> None:
    for path, saved in (
        ("/api/v1/games", 'attachment; filename="api.json"'),
        ("/api/v1/bots/99999", 'attachment; filename="api.json"'),
        ("/api/v1/openapi.json", 'attachment; filename="openapi.json"'),
        ("/games", None),
    ):
        async with door.http.get(path) as response:
            assert response.headers.get("Content-Disposition") == saved, path


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
async def test_only_reading_is_allowed(door: Door, method: str) -> None:
    async with door.http.request(method, "/api/v1/games", data="{}") as response:
        assert response.status == 405
        assert response.headers["Allow"] == "GET,HEAD"
        assert (await response.json())["error"]["code"] == "method-not-allowed"


async def test_internal_errors_show_no_traceback(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*arguments: object, **options: object) -> None:
        raise RuntimeError("a secret of the inside")

    monkeypatch.setattr(door.arena.store.bots, "get", fail)
    async with door.http.get("/api/v1/bots/1") as response:
        text = await response.text()
        assert response.status == 500
        assert (await response.json())["error"]["code"] == "internal-error"
        assert "secret" not in text
    async with door.http.get("/bots/1") as response:
        assert response.status == 500
        assert "secret" not in await response.text()


async def test_an_unchanged_answer_has_status_304(door: Door) -> None:
    async with door.http.get("/api/v1/games") as response:
        etag = response.headers["ETag"]
    async with door.http.get("/api/v1/games", headers={"If-None-Match": etag}) as response:
        assert response.status == 304
        assert await response.read() == b""


async def test_head_answers_without_a_body(door: Door) -> None:
    async with door.http.head("/api/v1/games") as response:
        assert response.status == 200
        assert await response.read() == b""


async def test_health_and_metrics(door: Door) -> None:
    async with door.http.get("/healthz") as response:
        assert (await response.json())["status"] == "ok"
    async with door.http.get("/metrics") as response:
        text = await response.text()
    assert 'arena_http_requests_total{method="GET",route="/healthz",status="200"}' in text
    assert "arena_matches_live" in text


async def test_every_time_control_has_a_class_that_is_listed() -> None:
    listed = {TimeControl(seconds * 1000).time_class for seconds in (1, 60, 179, 180, 479, 480, 1499, 1500, 10_000)}
    assert listed | {TimeControl.by_instructions(1).time_class} == set(TIME_CLASSES)
