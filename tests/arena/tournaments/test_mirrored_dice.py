# SPDX-License-Identifier: GPL-3.0-or-later
"""Tournaments with mirrored dice: both games of a pair have the same rolls by seat, and their secret stays secret."""

import asyncio
import json
from collections import defaultdict

import msgspec
import pytest

from arena.matches.new_match import PlannedMatch
from arena.protocol.messages import commitment
from arena.records.export import as_record, tournament_of
from arena.records.verification import check_rolls, verify
from arena.store.rows import StoredMatch
from arena.tournaments.machine.config import Config, Entry, check
from arena.tournaments.machine.formats.round_robin import RoundRobin
from arena.tournaments.machine.invalid import InvalidSetting
from engine.game import CHANCE
from engine.games import find
from engine.match.dice import roller
from engine.match.events import Moved, decode_event
from engine.time_control import TimeControl
from tests.arena.conftest import CONTROL, OpenArena
from tests.arena.peers import Peer, seat
from tests.arena.tournaments.test_manager import become, chooser, eventually, over

GAME = find("einstein")
NAMES = ("anna", "bert")


def config(**changed: object) -> Config:
    given: dict[str, object] = {"name": "Cup", "game": "einstein", "format": RoundRobin(), "games": 4}
    given |= {"entries": tuple(Entry(name) for name in NAMES), "mirrored_dice": True}
    return msgspec.convert(msgspec.to_builtins(given | changed), Config)


def rolls(stored: StoredMatch) -> dict[int, list[str]]:
    """The rolls of each seat."""
    found: dict[int, list[str]] = defaultdict(list)
    position = GAME.look(GAME.start())
    for event in (decode_event(event.body) for event in stored.events):
        if isinstance(event, Moved):
            if event.seat == CHANCE:
                found[roller(GAME, position)].append(event.move)
            position = GAME.play(position, GAME.parse_move(position, event.move))
    return found


async def test_both_games_of_a_pair_have_the_same_rolls_and_are_verified(open_arena: OpenArena) -> None:
    options = {"games": "einstein", "time_controls": f"einstein={CONTROL}"}
    arena = await open_arena(**options)
    peers = [await seat(arena, name, ["einstein"], capacity=1) for name in NAMES]
    row = await arena.store.tournaments.add("Cup", "einstein", msgspec.json.encode(config()))
    await become(arena, row.id, "running")
    tasks = [asyncio.create_task(peer.play(chooser(place), matches=1)) for place, peer in enumerate(peers)]
    await asyncio.gather(*tasks)

    async def one_is_over() -> bool:
        matches = await arena.store.tournaments.matches(row.id)
        return any(each.status == "finished" for each in matches)

    await eventually(one_is_over)
    first = (await arena.store.tournaments.matches(row.id))[0]
    stored = await arena.store.matches.get(first.id)
    assert stored is not None
    # the other game of the pair is not over: nobody learns the secret
    assert first.dice_secret
    told = json.dumps([peer.log for peer in peers])
    assert first.dice_secret not in told
    assert commitment(first.dice_secret) in told
    assert as_record(stored, await tournament_of(arena.store, first)).seed is None
    await arena.stop()
    # after a restart the second game still has the dice of the first
    arena = await open_arena(**options)
    again = []
    for place, peer in enumerate(peers):
        back = Peer(arena)
        await back.hello(peer.token, ["einstein"], capacity=4)
        again.append(asyncio.create_task(back.play(chooser(place), matches=100)))
    shown = await over(arena, row.id)
    for task in again:
        task.cancel()
    assert (shown.played, shown.mirrored_dice) == (4, True)
    played = [await arena.store.matches.get(each.id) for each in await arena.store.tournaments.matches(row.id)]
    by_pair: dict[str, list[StoredMatch]] = defaultdict(list)
    for each in played:
        assert each is not None
        assert not each.row.rated
        by_pair["1-2" if each.row.round in ("1.1.1", "1.1.2") else "3-4"].append(each)
    assert [len(pair) for pair in by_pair.values()] == [2, 2]
    secrets = set()
    for one, other in by_pair.values():
        assert one.row.dice_secret == other.row.dice_secret
        secrets.add(one.row.dice_secret)
        for seat_number in (0, 1):
            shared = zip(rolls(one)[seat_number], rolls(other)[seat_number], strict=False)
            assert all(mine == yours for mine, yours in shared)
        for match in (one, other):
            record = as_record(match, await tournament_of(arena.store, match.row))
            assert check_rolls(record, match.row.dice_commitment) > 0
    assert len(secrets) == 2
    assert (await arena.store.audit(verify)).findings == []


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"rated": True}, "rated games have no mirrored dice: a bot could remember the rolls"),
        ({"game": "tictactoe"}, "tictactoe has no dice that could be mirrored"),
        ({"games": 1}, "need 2 games or more"),
    ],
)
def test_mirrored_dice_that_would_be_unfair_or_impossible_are_refused(changed: dict[str, object], why: str) -> None:
    with pytest.raises(InvalidSetting, match=why) as refused:
        check(config(**changed))
    assert refused.value.field == "mirrored_dice"


async def test_no_rated_match_has_mirrored_dice(open_arena: OpenArena) -> None:
    arena = await open_arena(games="einstein")
    for name in NAMES:
        await seat(arena, name, ["einstein"])
    one, other = (arena.roster.named(name) for name in NAMES)
    assert one is not None
    assert other is not None
    control = TimeControl.parse(CONTROL)
    with pytest.raises(ValueError, match="a rated match has no mirrored dice"):
        PlannedMatch(GAME, (one, other), "challenge", True, control, 1, mirrored_dice=True)
