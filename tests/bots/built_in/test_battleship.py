# SPDX-License-Identifier: GPL-3.0-or-later
"""The bots for Battleship: bulk games are those of observations, fleets are even, and how many shots they need."""

import numpy as np
import pytest

from bots.bot import Reply, Turn
from bots.built_in.kinds.battleship import (
    BOTS,
    DENSITY,
    EVEN,
    HUNT,
    RANDOM,
    place,
    play_sea,
    shoot,
    shots_to_sink,
    weights_of,
)
from engine.games import find
from engine.games.battleship.board import LENGTHS, SHIPS, SQUARES
from engine.games.battleship.notation import read_view, write_ship, write_square
from engine.games.battleship.possible import Numbers, mixed, seen_of, tables
from engine.match.ending import Termination
from engine.match.machine import Match

EXACT = 17 * 101 / 18
"""Mean place of the last of 17 squares in a random order of 100."""


def drawn(rules: int, power: float, chance: int) -> Numbers:
    """Return the indices of the placements of a random fleet."""
    fleet = np.zeros(SHIPS, np.int64)
    for ship in range(SHIPS):
        fleet[ship] = place(tables(), rules, fleet[:ship], weights_of(rules, power), np.uint64(100 * chance + ship))
    return fleet


@pytest.mark.parametrize("name", ["battleship", "battleship/silent"])
@pytest.mark.parametrize("way", [RANDOM, HUNT, DENSITY])
def test_bulk_games_are_those_of_a_match_with_observations(name: str, way: int) -> None:
    """engine.match referees; each shot follows from the text that the seat receives."""
    game, chance = find(name), np.uint64(5)
    rules = int(game.start().rules)
    fleet, shots, out = drawn(rules, 0.0, 1), np.zeros(SQUARES, np.int64), np.zeros(SQUARES)
    count = play_sea(way, tables(), rules, fleet, True, chance, shots, out)  # compiled code takes no keywords
    match = Match(game)
    # seat 1 misses as long as it can, so it does not win first
    owned = {int(cell) for ship, index in enumerate(fleet) for cell in tables().cells[ship, index, : LENGTHS[ship]]}
    water = [write_square(square) for square in range(SQUARES) if square not in owned]
    for ship in range(SHIPS):
        text = write_ship(int(tables().placement[ship, fleet[ship]]), LENGTHS[ship])
        match.play(0, text)
        match.play(1, text)
    for ply in range(count):
        seen = read_view(match.observe(0).position, rules).shots[0]
        open_squares = np.ones(SQUARES, np.int64)
        open_squares[list(seen.squares)] = 0
        drawn_by = mixed(chance + np.uint64(ply))
        square = shoot(way, tables(), seen_of(seen, rules), open_squares, True, np.uint64(drawn_by), out)  # as above
        assert square == shots[ply]
        match.play(0, write_square(square))
        if match.ending is None:
            match.play(1, water.pop() if water else match.legal_of(1)[0])
    assert match.ending is not None
    assert match.ending.result == "1-0"


def test_bots_play_a_match_by_observations() -> None:
    match, bots = Match(find("battleship")), [settings.make() for settings in BOTS]
    while match.ending is None:
        seat = match.asked[0]
        turn = Turn(
            match=3,
            game="battleship",
            ply=match.ply_of(seat),
            position=match.observe(seat).position,
            seat=seat,
            legal_moves=match.legal_of(seat),
        )
        reply = bots[seat].move(turn)
        assert isinstance(reply, Reply)
        assert bots[seat].move(turn) == reply
        match.play(seat, reply.move)
    assert match.ending.termination is Termination.DECIDED


def test_random_shots_need_as_many_as_is_exact() -> None:
    counts = shots_to_sink(find("battleship"), RANDOM, 3000)
    assert abs(counts.mean() - EXACT) < 4 * counts.std() / len(counts) ** 0.5


def test_each_way_to_shoot_is_better_than_the_one_before() -> None:
    means = [shots_to_sink(find("battleship"), way, 300).mean() for way in (RANDOM, HUNT, DENSITY)]
    assert means[0] > 90
    assert 55 < means[1] < 70
    assert means[2] < 46


def test_fleets_do_not_favour_the_squares_that_are_shot_at_first() -> None:
    shares = []
    for power in (0.0, EVEN):
        counts = np.zeros(SQUARES)
        for chance in range(3000):
            for ship, index in enumerate(drawn(0, power, chance)):
                counts[tables().cells[ship, index, : LENGTHS[ship]]] += 1 / 3000
        shares.append(counts)
    middle, corner = [44, 45, 54, 55], [0, 9, 90, 99]
    assert shares[0][middle].mean() > 2 * shares[0][corner].mean()
    assert shares[1][middle].mean() < 1.3 * shares[1][corner].mean()
    assert shares[1].std() < 0.5 * shares[0].std()
