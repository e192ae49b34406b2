# SPDX-License-Identifier: GPL-3.0-or-later
"""Dice in matches: the arena rolls, everybody sees it, nobody knows before, and a restart rolls the same."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from arena.application import Arena
from arena.connections.admission import hash_token
from arena.protocol.codec import encode, to_spectator
from arena.protocol.watching import Follow, MoveMade, Snapshot
from arena.records.export import as_record
from arena.records.verification import check_play, verify
from arena.store.rows import NewMatch, StoredMatch
from engine.formats import json_lines
from engine.game import CHANCE, Position
from engine.games import find
from engine.match.dice import roll
from engine.match.events import Moved, decode_event, encode_event
from tests.arena.conftest import CONTROL, OpenArena
from tests.arena.killed import BOTS
from tests.arena.matches.test_restart import acknowledged_until_killed
from tests.arena.peers import Carrier, Duel, Peer, duel, until

GAME = find("einstein")
DICE = {"games": "einstein", "time_controls": f"einstein={CONTROL}"}
"""Settings of an arena for this game."""


def moved(stored: StoredMatch) -> list[Moved]:
    """The moves and rolls."""
    events = [decode_event(event.body) for event in stored.events]
    return [event for event in events if isinstance(event, Moved)]


def rolls(stored: StoredMatch) -> list[tuple[int, str]]:
    """The rolls, with the plies before them."""
    return [(event.ply - 1, event.move) for event in moved(stored) if event.seat == CHANCE]


def rolled(stored: StoredMatch) -> list[tuple[int, str]]:
    """The rolls as the match's secret has them."""
    found, position = list[tuple[int, str]](), GAME.look(GAME.start())
    for event in moved(stored):
        if position.to_move == CHANCE:
            move = roll(GAME, position, stored.row.dice_seed, event.ply - 1)
            found.append((event.ply - 1, GAME.format_move(position.state, move)))
        position = after(position, event.move)
    return found


def after(position: Position, text: str) -> Position:
    return GAME.play(position, GAME.parse_move(position, text))


async def play_on(game: Duel, moves: int) -> None:
    """Let both play their first legal moves in turn."""
    for ply in range(moves):
        peer = (game.first, game.second)[ply % 2]
        turn = await peer.next("turn")
        await move(peer, turn)


async def move(peer: Peer, turn: dict[str, Any]) -> None:
    peer.send(type="move", match=turn["match"], ply=turn["ply"], move=turn["legal_moves"][0])
    accepted = await peer.next("accepted", "error")
    assert (accepted["type"], accepted["ply"]) == ("accepted", turn["ply"])


async def test_a_roll_is_in_the_record_before_anybody_moves_and_in_all_messages(open_arena: OpenArena) -> None:
    game = await duel(await open_arena(**DICE), "einstein")
    state = await game.first.next("match")
    turn = await game.first.next("turn")
    stored = await game.stored()
    [(ply, shown)] = rolls(stored)
    assert (ply, turn["ply"], turn["last_move"], turn["position"][-1]) == (0, 1, shown, shown)
    assert ([made["move"] for made in state["moves"]], state["to_move"], state["ply"]) == ([shown], 0, 1)
    await move(game.first, turn)
    turn = await game.second.next("turn")
    stored = await game.stored()
    assert (turn["ply"], turn["last_move"]) == (3, rolls(stored)[-1][1])
    assert [event.seat for event in moved(stored)] == [CHANCE, 0, CHANCE]
    assert rolls(stored) == rolled(stored)
    # no player gets the secret
    assert (stored.row.dice_secret or "") not in json.dumps(game.first.log + game.second.log)


async def test_spectators_see_the_dice(open_arena: OpenArena) -> None:
    arena = await open_arena(**DICE)
    game = await duel(arena, "einstein")
    spectator = arena.watch("test")
    spectator.receive(encode(Follow(match=game.match)))
    frames = Carrier(spectator).frames()
    snapshot = to_spectator(await anext(frames))
    assert isinstance(snapshot, Snapshot)
    seen = list(snapshot.moves)
    for peer in (game.first, game.second, game.first):
        await move(peer, await peer.next("turn"))
        told = len(seen)
        while len(seen) < told + 2:  # the move, and the roll after it
            message = to_spectator(await anext(frames))
            if isinstance(message, MoveMade):
                seen.append(message.made)
                assert (message.to_move == CHANCE) == (message.made.seat != CHANCE)
    made = moved(await game.stored())
    assert [(each.ply, each.seat, each.move) for each in seen] == [(each.ply, each.seat, each.move) for each in made]
    position = GAME.look(GAME.start())
    for each in seen:
        position = after(position, each.move)
        assert GAME.diagram(position.state) == each.diagram


async def test_a_restart_rolls_the_same_dice(open_arena: OpenArena) -> None:
    arena = await open_arena(**DICE)
    game = await duel(arena, "einstein")
    await play_on(game, 3)
    before = rolls(await game.stored())
    await arena.stop()
    arena = await open_arena(**DICE)
    await until(lambda: game.match in arena.live)
    peers = [Peer(arena), Peer(arena)]
    for peer, token in zip(peers, (game.first.token, game.second.token), strict=True):
        await peer.hello(token, ["einstein"])
    await play_on(Duel(arena, game.match, peers[1], peers[0]), 2)
    stored = await arena.store.matches.get(game.match)
    assert stored is not None
    assert rolls(stored)[: len(before)] == before
    assert rolls(stored) == rolled(stored)
    assert len(rolls(stored)) > len(before)


async def test_kill_minus_nine_changes_no_dice(tmp_path: Path, open_arena: OpenArena) -> None:
    url = f"sqlite:///{tmp_path / 'arena.db'}"
    accepted, _ = await asyncio.to_thread(acknowledged_until_killed, url, "einstein")
    arena = await open_arena(url, **DICE)
    peers = [Peer(arena) for _ in BOTS]
    for peer, name in zip(peers, BOTS, strict=True):
        await peer.hello(f"token of {name}", ["einstein"])
    playing = [asyncio.create_task(peer.play(matches=1000)) for peer in peers]
    await until(lambda: not arena.live)
    for task in playing:
        task.cancel()
    for number in {number for number, _ in accepted}:
        stored = await arena.store.matches.get(number)
        assert stored is not None
        told = {(of, ply): text for (of, ply), text in accepted.items() if of == number}
        assert told.items() <= {(number, event.ply - 1): event.move for event in moved(stored)}.items()
        assert rolls(stored) == rolled(stored)
    assert (await arena.store.audit(verify)).findings == []


async def left_without_events(arena: Arena) -> int:
    """Leave a match in the store that was begun and in which nothing is written down."""
    versions = []
    for name in ("one", "other"):
        bot = await arena.store.bots.add(name, hash_token(name))
        versions.append((await arena.store.bots.version(bot.id, "1")).id)
    return await arena.store.matches.start(
        NewMatch("einstein", "bullet", CONTROL, False, 77, None, (), (versions[0], versions[1]))
    )


async def test_a_match_that_was_killed_before_its_first_roll_was_stored_begins_with_it(open_arena: OpenArena) -> None:
    arena = await open_arena(**DICE)
    number = await left_without_events(arena)
    await arena.stop()
    arena = await open_arena(**DICE)
    await until(lambda: number in arena.live)
    peers = [Peer(arena), Peer(arena)]
    for peer, token in zip(peers, ("one", "other"), strict=True):
        await peer.hello(token, ["einstein"])
    await play_on(Duel(arena, number, peers[0], peers[1]), 4)
    stored = await arena.store.matches.get(number)
    assert stored is not None
    assert [event.number for event in stored.events] == list(range(len(stored.events)))
    assert rolls(stored) == rolled(stored)


async def test_the_matches_of_a_pair_have_dice_of_their_own(open_arena: OpenArena) -> None:
    arena = await open_arena(**DICE)
    game = await duel(arena, "einstein", rated=True)
    first, second = game.first, game.second
    for peer, other in ((first, second), (second, first)):
        while True:
            turn = await peer.next("turn", "over")
            if turn["type"] == "over":
                break
            await move(peer, turn)
            peer, other = other, peer
        await other.next("over")
    await until(lambda: not arena.live)
    rows = (await arena.store.matches.page("finished", limit=9)).items
    assert len(rows) == 2
    assert rows[0].dice_secret != rows[1].dice_secret
    assert (await arena.store.audit(verify)).findings == []
    for row in rows:
        stored = await arena.store.matches.get(row.id)
        assert stored is not None
        record = as_record(stored)
        assert record.seed == row.dice_seed == int(row.dice_secret or "", 16)
        assert list(json_lines.read(json_lines.write([record]))) == [record]
        assert [position.over for position in record.positions()][-1]
        assert list(record.positions())[-1].payoffs == {"1-0": (1.0, -1.0), "0-1": (-1.0, 1.0)}[record.result]


async def test_the_export_of_a_match_that_goes_on_keeps_its_seed_a_secret(open_arena: OpenArena) -> None:
    game = await duel(await open_arena(**DICE), "einstein")
    await play_on(game, 1)
    stored = await game.stored()
    assert as_record(stored).seed is None
    assert str(stored.row.dice_seed) not in "".join(json_lines.write([as_record(stored)]))


@pytest.mark.parametrize("place", [0, 2])
async def test_dice_that_were_tampered_with_are_found(open_arena: OpenArena, place: int) -> None:
    game = await duel(await open_arena(**DICE), "einstein")
    await play_on(game, 3)
    stored = await game.stored()
    assert not list(check_play(stored, GAME))
    events = list(stored.events)
    event = decode_event(events[place].body)
    assert isinstance(event, Moved)
    other = Moved(event.ply, event.seat, str(int(event.move) % 6 + 1))
    events[place] = events[place]._replace(body=encode_event(other))
    [finding] = check_play(StoredMatch(stored.row, events), GAME)
    assert "dice should show" in finding.what
