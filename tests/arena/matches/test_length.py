# SPDX-License-Identifier: GPL-3.0-or-later
"""No new match goes on for ever; matches that began without a limit stay as they are."""

import json
from functools import cache
from random import Random

import pytest

from arena.matches.replay import adjudication
from arena.records.export import as_text
from arena.records.verification import check_play
from arena.settings import Settings
from arena.store.rows import NewMatch
from engine.formats import find as find_format
from engine.games import catalogue, find
from engine.match.events import encode_event
from engine.match.machine import Match
from tests.arena.conftest import OpenArena
from tests.arena.peers import Peer, duel, ready, register, until

PLAYABLE = [name for name, game in catalogue().items() if game.playable]
LONG = 1300


@cache
def long_game(plies: int = LONG) -> Match:
    """A game of chess of so many plies that no rule of chess ends: pieces wander, and seldom a pawn moves."""
    game, chance = find("chess"), Random("long")
    match = Match(game)
    seen: set[tuple[int, int]] = set()
    quiet = 0
    while match.ply < plies:
        position = match.position
        steps = [(text, game.play(position, move)) for text, move in game.move_texts(position).items()]
        open_ = [
            (text, after)
            for text, after in steps
            if not after.over and len(after.moves) > 8 and (after.key, after.to_move) not in seen
        ]
        # a pawn's step before the rule of fifty moves applies; captures never
        men = game.diagram(position.state).count(".")
        calm = [(text, after) for text, after in open_ if game.diagram(after.state).count(".") == men]
        pawns = [each for each in calm if each[1].irreversible]
        pieces = [each for each in calm if not each[1].irreversible]
        text, after = chance.choice(pawns if (quiet > 85 and pawns) or not pieces else pieces)
        quiet = 0 if after.irreversible else quiet + 1
        seen.add((after.key, after.to_move))
        match.play(match.position.to_move, text)
        assert match.ending is None
    return match


@pytest.mark.parametrize("name", PLAYABLE)
async def test_every_playable_game_has_a_limit_of_plies(open_arena: OpenArena, name: str) -> None:
    match = await duel(await open_arena(games=name, time_controls=""), name)
    stored = await match.stored()
    rules = adjudication(stored.row)
    assert rules is not None
    own = find(name).most_plies
    longest = 0 if own is None else own(find(name).start())
    assert rules.plies == max(Settings().max_plies, longest) >= 1000
    assert find(name).opening.plies < Settings().max_plies


async def test_a_match_is_a_draw_at_its_limit_and_verifies(open_arena: OpenArena) -> None:
    arena = await open_arena(games="chess", time_controls="chess=60+0", max_plies=50)
    match = await duel(arena, "chess")
    moves = [moved.move for moved in long_game().moves]
    for ply in range(50):
        await match.move((match.first, match.second)[ply % 2], moves[ply])
    for over in await match.over():
        assert (over["result"], over["termination"], over["detail"]) == (
            "1/2-1/2",
            "adjudication",
            "the limit of 50 plies",
        )
    await until(lambda: arena.conductor.referee(match.match) is None)
    assert not list(check_play(await match.stored(), find("chess")))


@pytest.mark.parametrize(("name", "plies"), [("dilemma", 400), ("dilemma/noise-5", 800), ("leduc", 1000)])
async def test_a_game_of_rounds_is_not_cut(open_arena: OpenArena, name: str, plies: int) -> None:
    match = await duel(await open_arena(games=name, time_controls="", max_plies=60), name)
    rules = adjudication((await match.stored()).row)
    assert rules is not None
    assert rules.plies == plies


async def test_both_matches_of_a_pair_have_the_limit(open_arena: OpenArena) -> None:
    arena = await open_arena(max_plies=60)
    match = await duel(arena, rated=True)
    for peer in (match.first, match.second):
        peer.send(type="resign", match=match.match)
    await match.first.next("over")
    second = await match.first.next("match")
    stored = await arena.store.matches.get(second["match"])
    assert stored is not None
    assert stored.row.adjudication is not None
    assert json.loads(stored.row.adjudication) == {"plies": 60}


async def test_a_long_match_from_before_the_limit_goes_on_is_verified_and_exported(open_arena: OpenArena) -> None:
    arena = await open_arena(games="chess", time_controls="chess=60+0")
    tokens = {name: await register(arena, name) for name in ("one", "two")}
    versions = []
    for name in tokens:
        bot = await arena.store.bots.named(name)
        assert bot is not None
        versions.append((await arena.store.bots.version(bot.id, "1")).id)
    new = NewMatch(
        game="chess", time_class="bullet", time_control=None, rated=False, seed=1, start=None, opening=(),
        players=(versions[0], versions[1]),
    )  # fmt: skip
    number = await arena.store.matches.start(new)
    events = [(index, encode_event(event)) for index, event in enumerate(long_game().events)]
    await arena.store.matches.append(number, events)
    await arena.stop()
    await arena.store.close()

    arena = await open_arena(games="chess", time_controls="chess=60+0")
    await ready(arena)
    peers = [Peer(arena), Peer(arena)]
    for peer, token in zip(peers, tokens.values(), strict=True):
        await peer.hello(token, ["chess"])
    turn = await peers[LONG % 2].next("turn")
    assert (turn["match"], turn["ply"]) == (number, LONG)
    peers[LONG % 2].send(type="move", match=number, ply=LONG, move=turn["legal_moves"][0])
    assert (await peers[LONG % 2].next("accepted", "error"))["type"] == "accepted"
    peers[0].send(type="resign", match=number)
    await peers[1].next("over")
    await until(lambda: arena.conductor.referee(number) is None)
    stored = await arena.store.matches.get(number)
    assert stored is not None
    assert (stored.row.plies, stored.row.adjudication) == (LONG + 1, None)
    assert not list(check_play(stored, find("chess")))
    pgn = find_format("pgn")
    (record,) = pgn.read(as_text(stored, pgn).splitlines())
    assert len(record.moves) == LONG + 1


def test_a_limit_that_no_opening_fits_into_is_refused() -> None:
    with pytest.raises(ValueError, match="max_plies must be 50 or more"):
        Settings(max_plies=49)
