# SPDX-License-Identifier: GPL-3.0-or-later
"""The pure updates of pages: messages that come twice, late, in another order or not at all make no wrong board."""

import json
from typing import Any

from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from tests.browser.conftest import Site, page_of
from tests.browser.held import held
from web.application import STATIC
from web.assets import read_assets

FOLDER = read_assets(STATIC).url("game_record.js").rpartition("/")[0]

PLAYERS = [{"name": "anna", "version": "1"}, {"name": "bert", "version": "1"}]
MOVES = [
    {"ply": ply, "move": f"m{ply}", "seat": (ply - 1) % 2, "diagram": f"d{ply}", "squares": [ply]}
    for ply in range(1, 7)
]


def seen(ply: int, **changed: Any) -> dict[str, Any]:
    """Return the state of match 7 after some moves."""
    return {
        "match": 7,
        "game": "tictactoe",
        "time_class": "blitz",
        "players": PLAYERS,
        "rated": True,
        "time_control": "10+1",
        "started": 1.0,
        "ply": ply,
        "diagram": f"d{ply}",
        "squares": [],
        "to_move": ply % 2,
        "clocks": [9000, 9000],
        "clocks_at": 100.0 + ply,
    } | changed


def snapshot(after: int, ply: int, **changed: Any) -> dict[str, Any]:
    """Return a snapshot with the moves after a ply."""
    return {
        "type": "snapshot",
        "seen": seen(ply, **changed),
        "initial": "d0",
        "moves": MOVES[after:ply],
        "after": after,
    }


def made(ply: int, match: int = 7) -> dict[str, Any]:
    """Return the message about a move."""
    return {"type": "move-made", "match": match, "made": MOVES[ply - 1], "to_move": ply % 2, "clocks": [8000, 8000]}


OVER = {"type": "match-over", "match": 7, "ending": {"result": "1-0", "termination": "decided"}}

FOLLOWED = """
async ([folder, first, messages]) => {
  const { advance, misses } = await import(`${folder}/game_record.js`);
  let match = { seen: first.seen, initial: first.initial, moves: first.moves };
  return messages.map((message) => {
    const missed = misses(match, message);
    const next = advance(match, message);
    const plies = next.moves.map(({ ply }) => ply);
    const told = { same: next === match, missed, plies, ply: next.seen.ply, over: next.seen.ending != null };
    match = next;
    return told;
  });
}
"""


def followed(site: Site, page: Page, first: dict[str, Any], *messages: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the state of a match after each message."""
    page.goto(site.url + "/connect")
    told: list[dict[str, Any]] = page.evaluate(FOLLOWED, [FOLDER, first, list(messages)])
    for each in told:
        assert each["plies"] == list(range(1, len(each["plies"]) + 1)), told
        assert each["ply"] >= len(each["plies"]), told
    return told


def test_doubled_late_and_missing_moves_change_nothing(site: Site, page: Page) -> None:
    told = followed(
        site,
        page,
        snapshot(0, 2),
        made(3),
        made(3),
        made(2),
        made(5),
        made(4, match=8),
        snapshot(4, 5),
        made(4),
        made(5),
    )
    assert [len(each["plies"]) for each in told] == [3, 3, 3, 3, 3, 3, 4, 5]
    assert [each["missed"] for each in told] == [False, False, False, True, False, True, False, False]
    assert all(each["same"] for each in told[1:6])


def test_a_late_snapshot_takes_no_moves_back(site: Site, page: Page) -> None:
    told = followed(site, page, snapshot(0, 5), snapshot(0, 3), snapshot(1, 6) | {"moves": MOVES[1:3]}, made(6), OVER)
    assert [len(each["plies"]) for each in told] == [5, 5, 6, 6]
    assert told[0]["same"]


def test_nothing_follows_the_end(site: Site, page: Page) -> None:
    ending = {"result": "0-1", "termination": "time"}
    told = followed(site, page, snapshot(0, 4), OVER, OVER, OVER | {"ending": ending}, snapshot(0, 4), made(4))
    assert [each["over"] for each in told] == [True] * 5
    assert all(each["same"] for each in told[1:])


SEARCHES = """
async ([folder, first, messages]) => {
  const { update } = await import(`${folder}/match/state.js`);
  const { serverTime } = await import(`${folder}/time.js`);
  const match = { seen: first.seen, initial: first.initial, moves: first.moves };
  let state = { match, thinking: null, began: null };
  const now = serverTime();
  return messages.map((message) => {
    state = update(state, { type: "message", message });
    const { began, thinking, match } = state;
    const same = began != null && Math.abs(match.seen.clocks_at - began / 1000) < 0.001;
    return { spent: began && now - began, depth: thinking?.info.depth ?? null, same };
  });
}
"""


def search(ply: int, **fields: Any) -> dict[str, Any]:
    """Return the message about a running search."""
    return {"type": "live-thinking", "match": 7, "ply": ply, "seat": ply % 2, "info": {}} | fields


def test_a_clock_runs_from_the_beginning_of_the_turn(site: Site, page: Page) -> None:
    page.goto(site.url + "/connect")
    messages = [
        made(3),  # the server waits before it gives the next turn
        search(3),
        search(3, info={"depth": 5}, elapsed=60_000, age=30_000),
        search(2, info={"depth": 9}),
        made(4),
        search(3, info={"depth": 9}),
        OVER,
        search(4),
    ]
    told = page.evaluate(SEARCHES, [FOLDER, snapshot(0, 2), messages])
    assert [each["depth"] for each in told] == [None, None, 5, 5, None, None, None, None]
    assert [each["same"] for each in told] == [False, True, True, True, False, False, False, False]
    assert [each["spent"] is None for each in told] == [not each["same"] for each in told]
    assert told[1]["spent"] <= 0
    assert 80_000 < told[2]["spent"] <= 90_000, "what passed before the info, and before the page began to follow"


LOBBY = {"type": "lobby", "boards": [seen(1), seen(2, match=8)], "live": 2, "bots": 4, "spectators": 1, "version": 3}

LOBBIES = """
async ([folder, first, messages]) => {
  const { advance, settle } = await import(`${folder}/lobby_state.js`);
  let [lobby, places] = [first, first.boards];
  return messages.map((message) => {
    const next = advance(lobby, message);
    if (!next) return null;
    const kept = next.boards.filter((seen) => lobby.boards.includes(seen)).length;
    lobby = next;
    places = settle(places, lobby);
    return {
      version: next.version,
      kept,
      boards: next.boards.map(({ match, ply }) => [match, ply]),
      places: places.map(({ match }) => match),
      live: next.live,
      featured: next.featured?.match ?? null,
    };
  });
}
"""


def test_the_lobby_takes_changes_in_their_order_only(site: Site, page: Page) -> None:
    change = {"type": "lobby-changed", "since": 3, "version": 4, "boards": [seen(3, match=8)], "live": 3}
    other = {"type": "lobby-changed", "since": 4, "version": 6, "boards": [seen(0, match=9)], "order": [9, 8]}
    other["featured"] = seen(3, match=8)
    whole = LOBBY | {"version": 9, "boards": [seen(3, match=8), seen(0, match=9)]}
    page.goto(site.url + "/connect")
    told = page.evaluate(
        LOBBIES, [FOLDER, LOBBY, [change, change, other, change, other | {"since": 7, "version": 8}, whole]]
    )
    assert [each and each["version"] for each in told] == [4, 4, 6, 6, None, 9]
    assert told[0]["boards"] == [[7, 1], [8, 3]]
    assert (told[0]["live"], told[0]["kept"]) == (3, 1)
    assert told[2]["boards"] == [[9, 0], [8, 3]]
    assert told[2]["places"] == [8, 9]
    assert told[2]["featured"] == 8
    assert told[5]["kept"] == 2
    assert told[5]["featured"] is None


TIMES = """
async ([folder]) => {
  const { serverTime, atLeast, told } = await import(`${folder}/time.js`);
  const begun = serverTime();
  const plain = Date.now;
  Date.now = () => plain() + 3_600_000;
  const jumped = serverTime() - begun;
  atLeast((begun - 60_000) / 1000);
  const older = serverTime() - begun;
  told(new Date(begun + 1000).toUTCString());
  const near = serverTime() - begun;
  told(new Date(begun - 600_000).toUTCString());
  const corrected = serverTime() - begun;
  told(null);
  told("nonsense");
  atLeast((begun + 600_000) / 1000);
  const woken = serverTime() - begun;
  Date.now = plain;
  return { jumped, older, near, corrected, woken, since: performance.now() };
}
"""


def test_the_page_keeps_the_time_of_the_server(site: Site, page: Page) -> None:
    page.goto(site.url + "/connect")
    told = page.evaluate(TIMES, [FOLDER])
    # however slow the page is, no step takes longer than the page has lived
    slow = told["since"]
    for name in ("jumped", "older", "near"):
        assert 0 <= told[name] <= slow, told
    assert -601_000 <= told["corrected"] <= slow - 598_000
    assert 600_000 <= told["woken"] <= slow + 600_000


HIDE = """
(hidden) => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}
"""
REST = 11_000
"""Milliseconds after which a hidden lobby has closed its stream."""


def test_a_page_opens_another_stream_after_a_change_of_the_network_and_when_it_is_visible_again(
    site: Site, page: Page
) -> None:
    page.clock.install()
    with page.expect_websocket() as opened:
        page.goto(site.url)
    opened.value.wait_for_event("framereceived")
    with opened.value.expect_event("close"), page.expect_websocket() as renewed:
        page.evaluate("dispatchEvent(new Event('online'))")
    renewed.value.wait_for_event("framereceived")
    with renewed.value.expect_event("close"):
        page.evaluate(HIDE, True)
        page.clock.fast_forward(REST)
    with page.expect_websocket() as shown:
        page.evaluate(HIDE, False)
    shown.value.wait_for_event("framereceived")
    expect(page.locator("#connection p")).to_have_count(0)


def test_the_page_of_a_match_that_the_arena_does_not_have_any_more_says_so(site: Site, browser: Browser) -> None:
    with held(site, "tictactoe") as bot, page_of(browser, 1440) as page:

        def refuse(socket: WebSocketRoute) -> None:
            refused = {"type": "refused", "code": "unknown-match", "message": "", "match": bot.match}
            socket.on_message(lambda _: socket.send(json.dumps(refused)))

        body = json.dumps({"error": {"code": "not-found", "message": "there is no such match"}})
        page.route_web_socket("**/api/v1/watch", refuse)
        page.route(
            f"**/api/v1/matches/{bot.match}?*",
            lambda route: route.fulfill(status=404, body=body, content_type="application/json"),
        )
        page.goto(f"{site.url}/matches/{bot.match}")
        expect(page.locator(".panels [role=status]")).to_contain_text("does not have this match any more")
        expect(page.locator(".frame svg.board")).to_be_visible()
