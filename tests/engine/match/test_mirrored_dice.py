# SPDX-License-Identifier: GPL-3.0-or-later
"""Mirrored dice: each seat has the same rolls in all matches with a seed, and a series of pairs has less variance."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable
from statistics import variance

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from arena.records.verification import check_rolls
from bots.catalogue import maker_of
from bots.local import Entrant
from bots.series import Played, Setting, series
from engine.formats import json_lines
from engine.game import CHANCE, Game
from engine.games import find
from engine.games.tree import Dice, Nested, from_lists
from engine.match.dice import mirrored_roll, roller
from engine.match.machine import Match
from engine.match.record import PlayedMove, Player, Record

EINSTEIN = find("einstein")
EVALUATION = next(iter(EINSTEIN.evaluations.values()))

DIE = (1, 2, 3, 4, 5, 6)


def uneven(depth: int) -> Nested:
    """A tree in which seat 0 rolls alone after its second choice, and both roll in turn after the others."""
    if not depth:
        return 0
    rolled = Dice(tuple((1, [uneven(depth - 1), [Dice(tuple((1, [0]) for _ in DIE))]]) for _ in DIE))
    return [rolled, rolled]


def played(game: Game, seed: int, choices: list[int]) -> Match:
    """A match with mirrored dice in which these numbers choose the moves."""
    match = Match(game, seed=seed, mirrored_dice=True)
    for choice in choices:
        if match.to_move is None:
            break
        match.play(match.to_move, match.legal[choice % len(match.legal)])
    return match


def rolls(match: Match) -> dict[int, list[str]]:
    """The rolls of each seat."""
    found: dict[int, list[str]] = defaultdict(list)
    position = match.game.look(match.game.parse_position(match.start))
    for moved in match.moves:
        if moved.seat == CHANCE:
            found[roller(match.game, position)].append(moved.move)
        position = match.game.play(position, match.game.parse_move(position, moved.move))
    return found


CHOICES = st.lists(st.integers(0, 20), max_size=40)


@settings(max_examples=50)
@given(seed=st.integers(0, 2**128 - 1), one=CHOICES, other=CHOICES)
def test_the_nth_roll_of_a_seat_is_the_same_in_both_matches_whatever_is_played(
    seed: int, one: list[int], other: list[int]
) -> None:
    first, second = rolls(played(EINSTEIN, seed, one)), rolls(played(EINSTEIN, seed, other))
    for seat in (0, 1):
        both = list(zip(first[seat], second[seat], strict=False))
        assert all(mine == yours for mine, yours in both)
    assert first[0][0] == second[0][0]


def test_rolls_are_counted_by_seat_where_the_seats_do_not_roll_in_turn() -> None:
    game = from_lists(uneven(3))
    one, other = played(game, 5, [0, 0, 0, 0, 0, 0]), played(game, 5, [0, 1, 0])
    for seat in (0, 1):
        shared = zip(rolls(one)[seat], rolls(other)[seat], strict=False)
        assert all(mine == yours for mine, yours in shared)
        for number, text in enumerate(rolls(one)[seat]):
            # all faces of all rolls are equally frequent, so the same number shows the same face anywhere
            position = EINSTEIN.look(EINSTEIN.start())
            assert str(mirrored_roll(EINSTEIN, position, 5, seat, number)) == text


def test_the_rolls_of_both_seats_and_of_different_numbers_are_independent() -> None:
    position = EINSTEIN.look(EINSTEIN.start())
    rows = [[mirrored_roll(EINSTEIN, position, seed, seat, 3) for seat in (0, 1)] for seed in range(3000)]
    # five standard deviations of a share of 1/6
    assert abs(sum(one == other for one, other in rows) / 3000 - 1 / 6) < 0.035
    counts = Counter(mirrored_roll(EINSTEIN, position, 7, 1, number) for number in range(6000))
    assert all(abs(counts[face] - 1000) < 150 for face in DIE)


def test_a_replay_goes_on_with_the_same_mirrored_rolls() -> None:
    whole = played(EINSTEIN, 9, [0] * 100)
    assert whole.ending is not None
    for count in range(len(whole.events)):
        match = Match.replay(EINSTEIN, events=whole.events[:count], seed=9, mirrored_dice=True)
        assert match.events == whole.events[: len(match.events)]
        assert match.to_move != CHANCE


def test_records_of_mirrored_dice_are_verified() -> None:
    match = played(EINSTEIN, 3, [0] * 100)
    record = Record.from_match(match, (Player("one"), Player("other")), seed=3)
    assert record.mirrored_dice
    [again] = json_lines.read(json_lines.write([record]))
    assert again == record
    assert check_rolls(record) == sum(moved.seat == CHANCE for moved in match.moves)
    other = PlayedMove(str(int(record.moves[2].move) % 6 + 1))
    with pytest.raises(ValueError, match="dice should show"):
        check_rolls(structs.replace(record, moves=(*record.moves[:2], other)))
    with pytest.raises(ValueError, match="dice should show"):
        check_rolls(structs.replace(record, mirrored_dice=False))


def run(games: int, *, mirrored: bool) -> list[Played]:
    async def collect() -> list[Played]:
        entered = [Entrant(name, maker_of("random")) for name in ("one", "other")]
        setting = Setting(EINSTEIN, 11, mirrored_dice=mirrored)
        return [one async for one in series(setting, entered[0], entered[1], range(games))]

    return asyncio.run(collect())


def test_both_games_of_a_pair_have_the_same_rolls_with_swapped_entrants() -> None:
    for mirrored in (True, False):
        found = run(10, mirrored=mirrored)
        for first, second in zip(found[::2], found[1::2], strict=True):
            assert (first.record.seed == second.record.seed) is mirrored
        assert all(check_rolls(each.record) for each in found)


def luck(seed: int, *, mirrored: bool) -> int:
    """The payoff of the first entrant in a pair of games in which only the dice decide."""
    total = 0
    for seat in (0, 1):
        match = Match(LUCK, seed=seed if mirrored else 2 * seed + seat, mirrored_dice=mirrored)
        while match.to_move is not None:
            match.play(match.to_move, "1")
        assert match.ending is not None
        assert match.ending.payoffs is not None
        total += int(match.ending.payoffs[seat])
    return total


FACES = (1, 2, 3)
LUCK = from_lists([Dice(tuple((1, [Dice(tuple((1, one - other) for other in FACES))]) for one in FACES))])
"""Both seats roll once; the payoff is the difference."""


def test_pairs_with_mirrored_dice_have_no_variance_where_only_dice_decide() -> None:
    assert {luck(seed, mirrored=True) for seed in range(50)} == {0}
    assert variance(luck(seed, mirrored=False) for seed in range(50)) > 1


Policy = Callable[[Match], str]


def greedy(match: Match) -> str:
    """Return the move to the position with the best static evaluation."""
    position = match.position

    def value(move: int) -> float:
        after = EINSTEIN.play(position, move)
        score = EINSTEIN.score(after.state, EVALUATION)
        return 1e9 if after.over else score if position.to_move == 0 else -score

    return EINSTEIN.format_move(position.state, max(position.moves, key=value))


def late(match: Match) -> str:
    """Return the first legal move in the first two turns, then the best by static evaluation."""
    return match.legal[0] if match.ply < 4 else greedy(match)


def scored(one: Policy, other: Policy, seed: int, *, mirrored: bool) -> float:
    """The score of a player in a pair of games against another one."""
    total = 0.0
    for seat in (0, 1):
        match = Match(EINSTEIN, seed=seed if mirrored else 2 * seed + seat, mirrored_dice=mirrored)
        while match.to_move is not None:
            match.play(match.to_move, (one if match.to_move == seat else other)(match))
        assert match.ending is not None
        assert match.ending.scores is not None
        total += match.ending.scores[seat]
    return total


def test_pairs_with_mirrored_dice_have_less_variance() -> None:
    """On EinStein, with fixed seeds: the test cannot fail by chance. Equal players have no variance at all."""
    assert {scored(greedy, greedy, seed, mirrored=True) for seed in range(20)} == {1.0}
    same, other = ([scored(greedy, late, seed, mirrored=mirrored) for seed in range(150)] for mirrored in (True, False))
    assert variance(same) < 0.85 * variance(other)
