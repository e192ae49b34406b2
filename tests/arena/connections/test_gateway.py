# SPDX-License-Identifier: GPL-3.0-or-later
import asyncio
import json

import pytest

from arena.connections.admission import hash_token, make_token
from arena.feature import Feature
from tests.arena.conftest import OpenArena
from tests.arena.peers import Peer, duel, register, seat, until


async def test_welcome_tells_what_is_known_of_the_bot(open_arena: OpenArena) -> None:
    arena = await open_arena()
    peer = Peer(arena)
    welcome = await peer.hello(await register(arena, "Bo"), ["go", "tictactoe", "tictactoe"], version="2.1")
    assert (welcome["bot"], welcome["version"], welcome["protocol"]) == ("Bo", "2.1", 1)
    assert (welcome["games"], welcome["matches"]) == (["tictactoe"], [])
    bot = await arena.store.bots.named("Bo")
    assert bot is not None
    assert [version.label for version in await arena.store.bots.versions(bot.id)] == ["2.1"]


async def test_a_bot_says_what_it_is_in_one_clean_line(open_arena: OpenArena) -> None:
    arena = await open_arena()
    token = await register(arena, "Bo")

    async def described(**more: str) -> str:
        await Peer(arena).hello(token, ["tictactoe"], **more)
        bot = await arena.store.bots.named("Bo")
        assert bot is not None
        return bot.description

    hostile = "looks \u202eahead\u2066\n\tand \x1b[31mback\x00"
    assert await described(description=hostile) == "looks ahead and [31mback"
    assert await described() == "looks ahead and [31mback"
    assert await described(description="d" * 200) == "d" * 200
    error = await Peer(arena).hello(token, ["tictactoe"], description="d" * 201)
    assert error["type"] == "error"
    assert await described(description="\u202e \n") == "d" * 200


async def test_descriptions_of_the_arenas_own_bots_do_not_change(open_arena: OpenArena) -> None:
    arena = await open_arena(features=(Feature(name="teams", owners=("team ",)),))
    tokens = [make_token(), make_token()]
    await arena.store.bots.admit_built_in("built-in", hash_token(tokens[0]), description="ours")
    await arena.store.bots.seat("bred", hash_token(tokens[1]), owner="team some", description="ours")
    for name, token in zip(("built-in", "bred"), tokens, strict=True):
        await Peer(arena).hello(token, ["tictactoe"], description="another")
        bot = await arena.store.bots.named(name)
        assert bot is not None
        assert bot.description == "ours"


async def test_an_unknown_token_is_turned_away(open_arena: OpenArena) -> None:
    peer = Peer(await open_arena())
    error = await peer.hello("guess", ["tictactoe"])
    assert (error["code"], error["fatal"]) == ("unknown-token", True)
    assert (await peer.next("closed"))["code"] == 4401


async def test_a_silent_socket_is_closed(open_arena: OpenArena) -> None:
    peer = Peer(await open_arena(hello_timeout=0.05))
    assert (await peer.next("closed"))["code"] == 4408


async def test_another_protocol_is_refused(open_arena: OpenArena) -> None:
    peer = Peer(await open_arena())
    peer.send(type="hello", protocol=2, token="t", games=["tictactoe"])
    assert (await peer.next("error"))["code"] == "unsupported-protocol"
    assert (await peer.next("closed"))["code"] == 4426


async def test_a_full_arena_takes_no_more(open_arena: OpenArena) -> None:
    arena = await open_arena(max_connections=1)
    first = await seat(arena, "first", ["tictactoe"])
    assert (await Peer(arena).hello(await register(arena, "second"), ["tictactoe"]))["code"] == 4503
    assert first.connection.open
    again = await Peer(arena).hello(first.token, ["tictactoe"])
    assert again["type"] == "welcome"  # in its own place


async def test_a_removed_bot_is_let_go(open_arena: OpenArena) -> None:
    arena = await open_arena()
    peer = await seat(arena, "gone", ["tictactoe"])
    await arena.store.bots.remove("gone")
    assert (await peer.next("closed"))["code"] == 4403


async def test_a_rotated_token_lets_go_and_the_new_one_lets_in(open_arena: OpenArena) -> None:
    arena = await open_arena()
    peer = await seat(arena, "bot", ["tictactoe"])
    token = make_token()
    await arena.store.bots.rotate("bot", hash_token(token))
    assert (await peer.next("closed"))["code"] == 4403
    assert (await Peer(arena).hello(peer.token, ["tictactoe"]))["type"] == "error"
    assert (await Peer(arena).hello(token, ["tictactoe"]))["type"] == "welcome"


async def test_a_bot_that_does_not_read_is_disconnected_and_others_play_on(open_arena: OpenArena) -> None:
    arena = await open_arena(outbox_messages=20)
    game = await duel(arena)
    deaf = arena.accept("deaf")
    token = await register(arena, "deaf")
    deaf.receive(json.dumps({"type": "hello", "protocol": 1, "token": token, "games": ["tictactoe"]}))
    await until(lambda: len(arena.roster) == 3)
    for _ in range(30):
        deaf.receive('{"type":"sync","match":99}')
    assert deaf.close_code == 4430
    assert not deaf.open
    await asyncio.gather(game.first.play(), game.second.play())


async def test_two_hellos_at_once_leave_one_connection(open_arena: OpenArena) -> None:
    arena = await open_arena()
    token = await register(arena, "twin")
    one, other = Peer(arena), Peer(arena)
    one.send(type="hello", protocol=1, token=token, games=["tictactoe"])
    other.send(type="hello", protocol=1, token=token, games=["tictactoe"])
    assert (await one.next("closed"))["code"] == 4409
    assert (await other.next("welcome"))["bot"] == "twin"
    assert len(arena.roster) == 1


BAD_FRAMES: list[str | bytes] = [
    "",
    "nonsense",
    "[]",
    '{"type":"dance"}',
    '{"type":"move","match":"one","ply":0,"move":"a1"}',
    '{"type":"move","match":1,"ply":0,"move":"a1","extra":1}',
    '{"type":"hello","protocol":1,"token":"t","games":["g"]}',
    '{"type":"move","match":987654,"ply":0,"move":"a1"}',
    '{"type":"answer-challenge","challenge":5,"accept":true}',
    '{"type":"challenge","opponent":"nobody","game":"tictactoe"}',
    '{"type":"challenge","opponent":"nobody","game":"chess-960"}',
    "{" * 50_000,
    "\ud800",
]


@pytest.mark.parametrize("frame", BAD_FRAMES, ids=range(len(BAD_FRAMES)))
async def test_a_bad_message_is_answered_with_a_code_and_the_match_goes_on(
    open_arena: OpenArena, frame: str | bytes
) -> None:
    game = await duel(await open_arena())
    game.first.connection.receive(frame)
    error = await game.first.next("error", "closed")
    assert error["code"]
    assert "Traceback" not in error["message"]
    await asyncio.gather(game.first.play(), game.second.play())
    assert (await game.stored()).row.termination == "decided"


@pytest.mark.parametrize(("frame", "code"), [(b"\x00\xff", 1003), ("x" * 70_000, 1009)])
async def test_a_frame_that_is_no_message_at_all_ends_the_connection(
    open_arena: OpenArena, frame: str | bytes, code: int
) -> None:
    arena = await open_arena()
    game, villain = await duel(arena), await seat(arena, "villain", ["tictactoe"])
    villain.connection.receive(frame)
    assert (await villain.next("closed"))["code"] == code
    await asyncio.gather(game.first.play(), game.second.play())


async def test_a_bot_that_sends_only_invalid_messages_loses_its_matches(open_arena: OpenArena) -> None:
    game = await duel(await open_arena(bad_messages=3))
    for _ in range(5):
        game.first.connection.receive("nonsense")
    assert (await game.first.next("closed"))["code"] == 4400
    over = await game.second.next("over")
    assert (over["score"], over["termination"]) == (1.0, "bad message")


async def test_a_flood_ends_one_connection_and_stalls_nobody(open_arena: OpenArena) -> None:
    arena = await open_arena()
    game, villain = await duel(arena), await seat(arena, "villain", ["tictactoe"])
    for _ in range(1000):
        villain.connection.receive('{"type":"sync","match":1}')
    assert (await villain.next("closed"))["code"] == 4429
    await asyncio.gather(game.first.play(), game.second.play())


async def test_goodbye_says_when_to_come_back(open_arena: OpenArena) -> None:
    arena = await open_arena(retry_after=1.5)
    peer = await seat(arena, "bot", ["tictactoe"])
    await arena.stop()
    assert (await peer.next("goodbye"))["retry_after"] == 1500
    assert (await peer.next("closed"))["code"] == 1001
    late = Peer(arena)
    assert (await late.next("closed"))["code"] == 1001


async def test_one_version_too_many_is_refused_and_known_ones_come_in(open_arena: OpenArena) -> None:
    arena = await open_arena(versions_per_day=2)
    token = await register(arena, "fickle")
    for label in ("1", "2"):
        assert (await Peer(arena).hello(token, ["tictactoe"], version=label))["type"] == "welcome"
    peer = Peer(arena)
    error = await peer.hello(token, ["tictactoe"], version="3")
    assert (error["code"], error["fatal"]) == ("too-many-versions", True)
    assert "2 new versions within 24 hours" in error["message"]
    assert (await peer.next("closed"))["code"] == 4423
    assert (await Peer(arena).hello(token, ["tictactoe"], version="1"))["type"] == "welcome"


async def test_built_in_bots_and_those_of_features_may_have_any_number_of_versions(open_arena: OpenArena) -> None:
    arena = await open_arena(versions_per_day=1, features=(Feature(name="teams", owners=("team ",)),))
    built_in, bred = await register(arena, "builtin", kind="built-in"), make_token()
    await arena.store.bots.seat("watched-1", hash_token(bred), owner="team watched")
    for token in (built_in, bred):
        for label in ("1", "2", "3"):
            assert (await Peer(arena).hello(token, ["tictactoe"], version=label))["type"] == "welcome"
