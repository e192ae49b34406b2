# SPDX-License-Identifier: GPL-3.0-or-later
"""Battleship: rules in lockstep with slow ones, positions, secrecy, and fleets that fit an observation."""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import Game, information_key
from engine.games import find
from engine.games.battleship.board import APART, LENGTHS, SILENT, SQUARES
from engine.games.battleship.notation import Shots, cells_of, read_view, touching
from engine.games.battleship.possible import chances, sample_fleet, seen_of, tables
from engine.kernel import compiled
from engine.match.machine import Match
from engine.secrets import HIDDEN
from tests.engine.games.battleship_oracle import Oracle

NAMES = ("battleship", "battleship/silent", "battleship/no-touching", "battleship/silent-no-touching")
FLEET = "A1-A5,C1-C4,E1-E3,G1-G3,I1-I2"

variants = pytest.mark.parametrize("game", [find(name) for name in NAMES], ids=lambda game: game.name)
seeds = st.integers(0, 2**32)
few = settings(max_examples=10, deadline=None)


@compiled
def known(state: Any, seat: int) -> Any:
    """Return the key of what a seat knows."""
    return information_key(state, seat)


def played(game: Game, seed: int, plies: int) -> Match:
    """Return a match after random moves, or its end."""
    chance, match = Random(seed), Match(game, seed=seed)
    while match.ending is None and match.ply < plies:
        for seat in match.asked:
            match.play(seat, chance.choice(match.legal_of(seat)))
    return match


# ---------------------------------------------------------------- rules


@variants
@given(seed=seeds)
@settings(max_examples=2, deadline=None)
def test_random_games_go_as_by_slow_rules(game: Game, seed: int) -> None:
    chance, oracle = Random(seed), Oracle(apart="no-touching" in game.name)
    position = game.look(game.start())
    while oracle.winner is None:
        assert not position.over
        assert position.to_move == oracle.to_move
        assert position.simultaneous == (oracle.placing and oracle.to_move == 0)
        texts = game.move_texts(position)
        assert set(texts) == set(oracle.legal())
        if not oracle.placing:
            shown = [oracle.told(seat, silent="silent" in game.name) for seat in (0, 1)]
            assert game.format_position(position.state).split()[2:] == shown
        text = chance.choice(sorted(texts))
        position = game.play(position, texts[text])
        oracle.play(text)
    assert position.over
    assert position.payoffs == ((1.0, -1.0) if oracle.winner == 0 else (-1.0, 1.0))


def test_a_hit_gives_no_second_shot() -> None:
    position = find("battleship").look(find("battleship").parse_position(f"{FLEET} {FLEET} - -"))
    assert find("battleship").play(position, 0).to_move == 1


# ---------------------------------------------------------------- texts


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("battleship", "A1-A5", "write both fleets and the shots"),
        ("battleship", f"{FLEET} ? - -", "a position needs both fleets"),
        ("battleship", f"{FLEET} A1-A4 - -", "A1-A4 is not a row or a column of 5 squares, as the carrier has"),
        ("battleship", f"{FLEET} H1-L1 - -", "'H1-L1' is no ship"),
        ("battleship", f"{FLEET} A1-A5,A5-D5 - -", "the battleship A5-D5 overlaps another ship"),
        ("battleship/no-touching", f"{FLEET} A1-A5,B6-E6 - -", "the battleship B6-E6 touches another ship"),
        ("battleship", f"{FLEET},A9-A10 {FLEET} - -", "a fleet has 5 ships"),
        ("battleship", f"A1-A5 {FLEET} - -", "as many ships as seat 1, or one more"),
        ("battleship", "A1-A5 B1-B5 C1 -", "shots before all ships are placed"),
        ("battleship", f"{FLEET} {FLEET} B1,C7? -", "'C7[?]' is no shot"),
        ("battleship", f"{FLEET} {FLEET} B1,B1 D1", "two shots at B1"),
        ("battleship", f"{FLEET} {FLEET} A1 -", "A1 is a miss, but a ship is there"),
        ("battleship", f"{FLEET} {FLEET} B1x -", "B1 is a hit, but no ship is there"),
        ("battleship", f"{FLEET} {FLEET} I1x,I2x B1", "marked as sunk are not those that the hits sink"),
        ("battleship/silent", f"{FLEET} {FLEET} I1x,I2x=destroyer B1", "does not announce sunk ships"),
        ("battleship", f"{FLEET} {FLEET} - B1", "as many shots as seat 1, or one more"),
    ],
)
def test_a_wrong_position_is_refused_with_a_reason(name: str, text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        find(name).parse_position(text)


def test_no_position_has_a_shot_after_the_end() -> None:
    cells = [f"{column}{row}x" for column, length in zip("ACEGI", LENGTHS, strict=True) for row in range(1, length + 1)]
    water = [f"{column}{row}" for column in "BD" for row in range(1, 11)][:17]
    with pytest.raises(ValueError, match="a shot after the last ship was sunk"):
        find("battleship/silent").parse_position(f"{FLEET} {FLEET} {','.join(cells)} {','.join(water)}")


@pytest.mark.parametrize("text", ["a1-a5", "A5-A1", " a1:a5 ", "A1 - A5"])
def test_other_spellings_of_a_placement(text: str) -> None:
    game = find("battleship")
    position = game.look(game.start())
    assert game.format_move(position.state, game.parse_move(position, text)) == "A1-A5"


# ---------------------------------------------------------------- secrecy


@variants
@given(seed=seeds, plies=st.integers(0, 150), viewer=st.sampled_from((0, 1, None)))
@few
def test_states_that_a_viewer_cannot_tell_apart_look_the_same(
    game: Game, seed: int, plies: int, viewer: int | None
) -> None:
    assert game.secrets is not None
    assert game.secrets.determinise is not None
    state = played(game, seed, plies).position.state
    seen = game.secrets.observe(state, viewer)
    twin, chance = state, Random(seed)
    for seat in (0, 1):
        if seat != viewer:
            # another fleet of this seat, as the other one could believe
            twin = game.secrets.determinise(game.secrets.observe(twin, 1 - seat).position, 1 - seat, chance)
    assert game.secrets.observe(twin, viewer) == seen
    if viewer is not None:
        assert known(game.pack(twin), viewer) == known(game.pack(state), viewer)
        assert known(game.pack(twin), 1 - viewer) != known(game.pack(twin), viewer)
    one, other = game.look(state), game.look(twin)
    assert (one.to_move, one.simultaneous, one.over) == (other.to_move, other.simultaneous, other.over)
    for move in set(one.moves) & set(other.moves):
        for told in (game.secrets.disclose, game.secrets.squares):
            assert told(state, move, viewer) == told(twin, move, viewer)
    if one.to_move == viewer:
        assert one.moves == other.moves


@variants
def test_others_see_that_a_ship_is_placed_but_not_where(game: Game) -> None:
    assert game.secrets is not None
    state, move = game.start(), game.look(game.start()).moves[7]
    texts = [game.secrets.disclose(state, move, viewer) for viewer in (0, 1, None)]
    assert texts == [game.format_move(state, move), HIDDEN, HIDDEN]
    assert [bool(game.secrets.squares(state, move, viewer)) for viewer in (0, 1, None)] == [True, False, False]
    after = game.look(state)
    assert game.secrets.observe(game.play(after, move).state, 1) == game.secrets.observe(state, 1)


def test_what_is_announced_is_known() -> None:
    """Two fleets that fit the same hits differ for the shooter only if the sunk ship is announced."""
    rest = "A1-A5,C1-C4,E1-E3"
    one, other = f"{rest},G1-G3,J9-J10", f"{rest},H9-J9,G1-G2"
    shots = "{0} {1} G1x,G2x{2} B1,B2"
    for name, told in (("battleship", "=destroyer"), ("battleship/silent", "")):
        game = find(name)
        states = [game.parse_position(shots.format(FLEET, *each)) for each in ((one, ""), (other, told))]
        assert game.secrets is not None
        texts = {game.secrets.observe(state, 0).position for state in states}
        assert len(texts) == len({known(game.pack(state), 0) for state in states}) == (2 if told else 1)


# ---------------------------------------------------------------- fleets that fit


def fleets(
    shots: Shots, rules: int, ship: int = 0, taken: frozenset[int] = frozenset(), covered: int = 0
) -> Iterator[tuple[int, ...]]:
    """Yield all fleets that fit, ship after ship."""
    if ship == len(LENGTHS):
        if covered == len(shots.hits):
            yield ()
        return
    hits = set(shots.hits)
    for move in range(2 * SQUARES):
        row, column = divmod(move % SQUARES, 10)
        if (row if move >= SQUARES else column) + LENGTHS[ship] > 10:
            continue
        cells = set(cells_of(move, LENGTHS[ship]))
        near = cells.union(*map(touching, cells)) if rules & APART else cells
        if cells & (shots.misses | taken) or (near - cells) & hits:
            continue
        on = cells & hits
        if not rules & SILENT and shots.sunk[ship] != (max(map(shots.hits.index, on)) + 1 if on == cells else 0):
            continue
        for rest in fleets(shots, rules, ship + 1, taken | near, covered + len(on)):
            yield move, *rest


def late(game: Game, seed: int) -> tuple[Shots, list[tuple[int, ...]]]:
    """Return shots of seat 0 of which few fleets fit, because most squares are misses, and these fleets."""
    chance = Random(seed)
    view = read_view(game.format_position(played(game, seed, 10).position.state), int(game.start().rules))
    fleet = view.fleets[1]
    assert fleet is not None
    cells = [cell for move, length in zip(fleet, LENGTHS, strict=True) for cell in cells_of(move, length)]
    hits = tuple(chance.sample(cells, 9))
    rules = int(game.start().rules)
    sunk = [0] * 5
    for ship, (move, length) in enumerate(zip(fleet, LENGTHS, strict=True)):
        if set(cells_of(move, length)) <= set(hits) and not rules & SILENT:
            sunk[ship] = max(hits.index(cell) + 1 for cell in cells_of(move, length))
    water = [square for square in range(SQUARES) if square not in cells]
    shots = Shots(hits, frozenset(chance.sample(water, 72)), tuple(sunk))
    return shots, list(fleets(shots, rules))


@variants
@pytest.mark.parametrize("seed", [1, 2])
def test_samples_are_all_fleets_that_fit_with_equal_chances(game: Game, seed: int) -> None:
    shots, all_fleets = late(game, seed)
    rules = int(game.start().rules)
    draws = 40 * len(all_fleets)
    counted = Counter(sample_fleet(shots, rules, 5, seed) for seed in range(draws))
    assert set(counted) == set(all_fleets)
    # chi-squared: its mean is the degrees of freedom, its variance twice that
    distance = sum((counted[fleet] - 40) ** 2 / 40 for fleet in all_fleets)
    freedom = len(all_fleets) - 1
    assert distance < freedom + 5 * (2 * freedom) ** 0.5 + 1


@variants
def test_chances_of_squares_are_near_those_of_all_fleets_that_fit(game: Game) -> None:
    shots, all_fleets = late(game, 3)
    out = np.zeros(SQUARES)
    assert chances(tables(), seen_of(shots, int(game.start().rules)), out) > 0
    exact = np.zeros(SQUARES)
    for fleet in all_fleets:
        for move, length in zip(fleet, LENGTHS, strict=True):
            exact[list(cells_of(move, length))] += 1 / len(all_fleets)
    assert out.sum() == pytest.approx(17)
    assert np.all((out > 0) >= (exact > 0))
    assert np.abs(out - exact).max() < 0.35


def test_an_observation_that_no_fleet_fits_is_refused() -> None:
    game = find("battleship")
    assert game.secrets is not None
    assert game.secrets.determinise is not None
    shot = ",".join(
        f"{column}{row}" for at, column in enumerate("ABCDEFGHIJ") for row in range(1, 11) if (at + row) % 5
    )
    water = ",".join(f"{column}{row}" for column in "BDFHJACEG" for row in range(1, 11) if column in "BDFHJ" or row > 5)
    for text, reason in (
        (f"{FLEET} ? {shot} {water},I3,I4,I5,I6,I7,I8,I9,I10,E4,E5", "no fleet fits"),
        (f"? {FLEET} - -", "is not what seat 0 sees"),
        (f"{FLEET} {FLEET} - -", "is not what seat 0 sees"),
        ("rubbish", "is not a position"),
    ):
        with pytest.raises(ValueError, match=reason):
            game.secrets.determinise(text, 0, Random(1))


def squares_of(names: Sequence[str]) -> list[int]:
    """Return squares by their names."""
    return [(int(name[1:]) - 1) * 10 + ord(name[0]) - ord("A") for name in names]


def test_each_placement_of_a_last_ship_is_equally_likely() -> None:
    """One ship is left, so the chances are exact."""
    hits = [f"{column}{row}" for column, length in zip("ACEG", LENGTHS, strict=False) for row in range(1, length + 1)]
    left = [*hits, "J8", "J9", "J10", "A10"]
    shots = Shots(tuple(squares_of(hits)), frozenset(range(SQUARES)).difference(squares_of(left)), (5, 9, 12, 15, 0))
    out = np.zeros(SQUARES)
    chances(tables(), seen_of(shots, 0), out)
    assert out[squares_of(["J8", "J9", "J10", "A10"])] == pytest.approx([0.5, 1.0, 0.5, 0.0])
