# SPDX-License-Identifier: GPL-3.0-or-later
import asyncio
import json
import time
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from arena.application import Arena
from arena.protocol.codec import encode
from arena.protocol.messages import Player
from arena.protocol.watching import Follow, FollowLobby, Lobby, Seen, SpectatorMessage, Unfollow
from arena.store import Store
from arena.watching import live_view as view
from arena.watching.live_view import SNAPSHOTS_KEPT
from arena.watching.lobby import LOBBIES_KEPT, changed
from tests.arena.conftest import OpenArena
from tests.arena.peers import PATIENCE, Carrier, Duel, Message, Peer, duel, left_by_a_restart, until


class Viewer:
    """A spectator who reads only when asked to."""

    def __init__(self, arena: Arena) -> None:
        self.spectator = arena.watch("test")
        self.frames = Carrier(self.spectator).frames()

    def say(self, message: SpectatorMessage) -> None:
        self.spectator.receive(encode(message))

    async def frame(self) -> str:
        async with asyncio.timeout(PATIENCE):
            return await anext(self.frames)

    async def next(self, *types: str) -> Message:
        while True:
            message: Message = json.loads(await self.frame())
            if not types or message["type"] in types:
                return message


async def play(game: Duel) -> None:
    await asyncio.gather(game.first.play(), game.second.play())


async def test_a_spectator_sees_every_move_and_the_end(open_arena: OpenArena) -> None:
    arena = await open_arena(moves_behind=100)
    game = await duel(arena, rated=True)
    viewer = Viewer(arena)
    viewer.say(Follow(match=game.match))
    snapshot = await viewer.next()
    assert (snapshot["type"], snapshot["seen"]["match"]) == ("snapshot", game.match)
    await play(game)
    seen = [snapshot]
    while seen[-1]["type"] != "match-over":
        seen.append(await viewer.next())
    made = [message["made"] for message in seen[1:-1]]
    shown = len(snapshot["moves"])
    assert [move["ply"] for move in made] == list(range(shown + 1, shown + 1 + len(made)))
    assert all(len(move["diagram"]) == 9 for move in made)
    assert seen[-1]["ending"]["termination"] == "decided"
    assert len(seen[-1]["ending"]["ratings"]) == 2


async def test_a_slow_spectator_holds_nobody_up_and_gets_the_newest_state_at_once(open_arena: OpenArena) -> None:
    arena = await open_arena(moves_behind=2)
    game = await duel(arena)
    slow, stuck = Viewer(arena), Viewer(arena)
    for viewer in slow, stuck:
        viewer.say(Follow(match=game.match))
    assert (await slow.next())["type"] == "snapshot"
    await play(game)
    newest = await slow.next()
    assert newest["type"] == "snapshot"
    assert newest["seen"]["ending"]["termination"] == "decided"
    known = newest.get("after", 0)
    assert [move["ply"] for move in newest["moves"]] == list(range(known + 1, newest["seen"]["ply"] + 1))


async def test_a_message_is_encoded_once_for_all(open_arena: OpenArena) -> None:
    arena = await open_arena()
    game = await duel(arena)
    viewers = [Viewer(arena) for _ in range(3)]
    for viewer in viewers:
        viewer.say(Follow(match=game.match))
    first = [await viewer.frame() for viewer in viewers]
    await game.move(game.first, "a1")
    second = [await viewer.frame() for viewer in viewers]
    assert len({id(frame) for frame in first}) == len({id(frame) for frame in second}) == 1


async def test_a_client_that_knows_the_first_moves_gets_only_the_others(open_arena: OpenArena) -> None:
    arena = await open_arena()
    game = await duel(arena)
    for peer, move in (game.first, "a1"), (game.second, "a2"), (game.first, "b1"):
        await game.move(peer, move)
    viewer = Viewer(arena)
    viewer.say(Follow(match=game.match, after=2))
    snapshot = await viewer.next()
    assert (snapshot["after"], [move["move"] for move in snapshot["moves"]]) == (2, ["b1"])


async def test_unfollowed_matches_and_unknown_ones_tell_nothing(open_arena: OpenArena) -> None:
    arena = await open_arena()
    game = await duel(arena)
    viewer = Viewer(arena)
    viewer.say(Follow(match=game.match))
    await viewer.next()
    viewer.say(Unfollow(match=game.match))
    await game.move(game.first, "a1")
    viewer.say(Follow(match=12345))
    refused = await viewer.next()
    assert (refused["type"], refused["code"], refused["match"]) == ("refused", "unknown-match", 12345)


async def test_a_follow_of_a_match_that_waits_to_be_resumed_is_held(open_arena: OpenArena) -> None:
    arena = await open_arena()
    game = await duel(arena)
    await game.move(game.first, "a1")
    await arena.stop()
    store = await Store.open(f"sqlite:///{arena.store.file}")
    arena = Arena(arena.settings, store)
    try:
        early, other, gone = Viewer(arena), Viewer(arena), Viewer(arena)
        early.say(Follow(match=game.match))
        other.say(Follow(match=12345))  # nobody can tell yet that there is no such match
        gone.say(Follow(match=game.match))
        gone.say(Unfollow(match=game.match))
        assert early.spectator.next_frame() is other.spectator.next_frame() is None
        await arena.start()
        assert (await other.next())["code"] == "unknown-match"
        snapshot = await early.next()
        assert (snapshot["type"], snapshot["seen"]["match"], snapshot["seen"]["ply"]) == ("snapshot", game.match, 1)
        assert gone.spectator.next_frame() is None
    finally:
        await arena.stop()
        await store.close()


async def test_a_follow_of_a_match_that_cannot_be_resumed_is_refused_when_it_is_void(open_arena: OpenArena) -> None:
    arena = await open_arena()
    stored = await left_by_a_restart(arena, ["one", "other"])
    viewer, left = Viewer(arena), Viewer(arena)
    for each in viewer, left:
        each.say(Follow(match=stored.row.id))
        assert each.spectator.next_frame() is None
    left.spectator.lost()
    await arena.conductor.resume(stored, None)
    assert (await viewer.next())["code"] == "unknown-match"
    void = await arena.store.matches.get(stored.row.id)
    assert void is not None
    assert void.row.termination == "void", "the record says so before the spectator learns it"


async def test_an_ended_match_can_be_followed_for_a_while(open_arena: OpenArena) -> None:
    arena = await open_arena()
    game = await duel(arena)
    await play(game)
    await until(lambda: not arena.live)
    viewer = Viewer(arena)
    viewer.say(Follow(match=game.match))
    assert (await viewer.next())["seen"]["ending"]["termination"] == "decided"


async def test_ended_matches_are_shown_again_after_a_restart(open_arena: OpenArena) -> None:
    arena = await open_arena(games="nim/7,tictactoe")
    rated = await duel(arena, rated=True)
    await asyncio.gather(rated.first.play(matches=2), rated.second.play(matches=2))
    heaps, last = await duel(arena, "nim/7"), await duel(arena)
    await play(last)
    await play(heaps)
    await until(lambda: not arena.live)
    shown = arena.lobby().recent
    assert [seen.match for seen in shown[:2]] == [heaps.match, last.match]
    await arena.stop()

    again = await open_arena(games="nim/7,tictactoe", recent_matches=3)
    await until(lambda: len(again.lobby().recent) == 3)
    for seen, before in zip(again.lobby().recent, shown, strict=False):
        assert replace(seen, clocks_at=0.0) == replace(before, clocks_at=0.0)
    assert [bool(seen.ending and seen.ending.ratings) for seen in again.lobby().recent] == [False, False, True]
    viewer = Viewer(again)
    viewer.say(Follow(match=last.match))
    snapshot = await viewer.next()
    assert (len(snapshot["moves"]), snapshot["seen"]["ending"]["result"]) == (snapshot["seen"]["ply"], "1-0")
    newer = await rematch(again, last)
    assert [seen.match for seen in again.lobby().recent] == [newer, heaps.match, last.match]
    await again.store.prune(time.time() + 1)
    await again.stop()

    other = await open_arena()
    newest = await rematch(other, last)
    assert [seen.match for seen in other.lobby().recent] == [newest]


async def rematch(arena: Arena, game: Duel) -> int:
    """Let two bots come back and play again; returns the number of the match."""
    peers = [Peer(arena), Peer(arena)]
    for peer, old in zip(peers, (game.first, game.second), strict=True):
        await peer.hello(old.token, ["tictactoe"])
    one, other = arena.roster
    match = await arena.conductor.meet(arena.registry.games["tictactoe"], (one, other), kind="challenge", rated=False)
    await asyncio.gather(*(peer.play() for peer in peers))
    await until(lambda: not arena.live)
    return match


async def test_the_lobby_tells_what_goes_on(open_arena: OpenArena) -> None:
    arena = await open_arena()
    viewer = Viewer(arena)
    viewer.say(FollowLobby(boards=1))
    assert (await viewer.next("lobby"))["live"] == 0
    games = [await duel(arena), await duel(arena)]
    lobby: dict[str, Any] = {"live": 0}
    while lobby["live"] < 2:
        lobby = await viewer.next("lobby")
    assert (len(lobby["boards"]), lobby["bots"], lobby["spectators"]) == (1, 4, 1)
    await play(games[0])
    while not lobby.get("recent"):
        lobby = await viewer.next("lobby")
    assert lobby["recent"][0]["match"] == games[0].match


async def test_changes_make_the_whole_lobby(open_arena: OpenArena) -> None:
    # only the test renews the lobby
    arena = await open_arena(lobby_interval=3600.0)
    whole, changes, late = Viewer(arena), Viewer(arena), Viewer(arena)
    whole.say(FollowLobby())
    for viewer in (changes, late):
        viewer.say(FollowLobby(changes=True))
        assert (await viewer.next())["type"] == "lobby"
    held = await whole.next("lobby")
    games = [await duel(arena)]
    for step in ("began", "begins", "ends", "ends", "nothing"):
        if step == "begins":
            games.append(await duel(arena))
        elif step == "ends":
            await play(games.pop())
        arena.broadcast.refresh()
        change, lobby = await changes.next(), await whole.next("lobby")
        assert change.pop("type") == "lobby-changed"
        assert change.pop("since") == held["version"] < change["version"]
        boards = {seen["match"]: seen for seen in (*held["boards"], *change.pop("boards"))}
        order = change.pop("order", [seen["match"] for seen in held["boards"]])
        held |= change | {"boards": [boards[match] for match in order]}
        held = {name: value for name, value in held.items() if value is not None}
        assert held == lobby
    # what a spectator missed does not follow in pieces
    assert (await late.next())["type"] == "lobby"


async def test_a_change_names_only_what_changed() -> None:
    one, other = _board(1), _board(2)
    before = Lobby(boards=[one, other], live=2, bots=4, spectators=1, version=7)
    moved = replace(other, ply=1, diagram="x........")
    now = replace(before, boards=[one, moved], version=9)
    frame = json.loads(encode(changed(before, now)))
    assert frame.keys() == {"type", "version", "since", "boards"}
    assert (frame["since"], frame["version"]) == (7, 9)
    assert [seen["match"] for seen in frame["boards"]] == [2]
    gone = json.loads(encode(changed(now, replace(now, boards=[moved], live=1, version=10, featured=moved))))
    assert gone.keys() == {"type", "version", "since", "boards", "order", "live", "featured"}
    assert (gone["boards"], gone["order"]) == ([], [2])
    assert json.loads(encode(changed(replace(now, featured=one), now)))["featured"] is None


def _board(match: int) -> Seen:
    return Seen(
        match=match,
        game="tictactoe",
        time_class="blitz",
        players=(Player("anna", "1"), Player("bert", "1")),
        rated=True,
        time_control="10+1",
        started=1.0,
        ply=0,
        diagram=".........",
        squares=[],
        to_move=0,
        clocks=(1, 1),
        clocks_at=1.0,
    )


async def test_the_lobby_is_updated_a_few_times_a_second_at_most(open_arena: OpenArena) -> None:
    arena = await open_arena(lobby_interval=0.2)
    viewer = Viewer(arena)
    viewer.say(FollowLobby())
    before = arena.broadcast.version
    began = asyncio.get_running_loop().time()
    for _ in range(3):
        await play(await duel(arena))
    elapsed = asyncio.get_running_loop().time() - began
    assert arena.broadcast.version - before <= elapsed / 0.2 + 1


async def test_bad_frames_are_refused_and_too_many_end_the_socket(open_arena: OpenArena) -> None:
    viewer = Viewer(await open_arena(bad_messages=2))
    for _ in range(3):
        viewer.spectator.receive("nonsense")
    frames = [msgspec.json.decode(frame) async for frame in viewer.frames]
    assert {frame["code"] for frame in frames} == {"malformed"}
    assert viewer.spectator.close_code == 4400


async def test_a_crowd_of_spectators_keeps_nobody_else_out(open_arena: OpenArena) -> None:
    arena = await open_arena(max_spectators=10, spectators_each=8)
    crowd = [arena.watch("crowd") for _ in range(20)]
    assert [each.close_code for each in crowd] == [4503] * 12 + [None] * 8
    others = [arena.watch(f"other {number}") for number in range(3)]
    assert [each.close_code for each in others] == [None] * 3
    assert [each.close_code for each in crowd[12:]] == [4503] + [None] * 7
    others[0].lost()
    arena.watch("crowd")
    assert crowd[13].close_code is None


async def test_made_up_wishes_take_no_memory(open_arena: OpenArena) -> None:
    arena = await open_arena(ladder=False, lobby_interval=3600.0)
    game = await duel(arena)
    await play(game)
    for number in range(500):
        arena.broadcast.lobbies.frame(f"game {number}", 12, arena.broadcast.version)
    assert len(arena.broadcast.lobbies) <= LOBBIES_KEPT
    shown = arena.broadcast.view(game.match)
    assert shown is not None
    whole = shown.snapshot_frame()
    for after in range(1, 500):
        shown.snapshot_frame(after)
    assert len(shown._snapshots) <= SNAPSHOTS_KEPT
    assert shown.snapshot_frame() == whole


async def test_a_long_match_comes_in_parts(open_arena: OpenArena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "PART", 2)
    arena = await open_arena()
    game = await duel(arena)
    early = Viewer(arena)
    early.say(Follow(match=game.match))
    assert (await early.next())["type"] == "snapshot"
    await play(game)
    late = Viewer(arena)
    late.say(Follow(match=game.match))
    for viewer in (early, late):
        parts = [await viewer.next("snapshot")]
        while parts[-1].get("after", 0) + len(parts[-1]["moves"]) < parts[-1]["seen"]["ply"]:
            parts.append(await viewer.next())
        assert len(parts) > 1
        assert {part["type"] for part in parts} == {"snapshot"}
        assert [len(part["moves"]) for part in parts[:-1]] == [2] * (len(parts) - 1)
        plies = [move["ply"] for part in parts for move in part["moves"]]
        assert plies == list(range(parts[0].get("after", 0) + 1, parts[-1]["seen"]["ply"] + 1))
        assert parts[-1]["seen"]["ending"]
        assert [part.get("after", 0) for part in parts] == [
            parts[0].get("after", 0) + 2 * number for number in range(len(parts))
        ]


async def test_the_end_is_encoded_once_for_all_spectators(open_arena: OpenArena) -> None:
    arena = await open_arena(moves_behind=100)
    game = await duel(arena)
    viewers = [Viewer(arena) for _ in range(3)]
    for viewer in viewers:
        viewer.say(Follow(match=game.match))
        await viewer.next("snapshot")
    await play(game)

    async def end(viewer: Viewer) -> str:
        while '"match-over"' not in (frame := await viewer.frame()):
            pass
        return frame

    first, *others = [await end(viewer) for viewer in viewers]
    assert all(other is first for other in others)
