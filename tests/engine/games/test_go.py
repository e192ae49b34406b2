# SPDX-License-Identifier: GPL-3.0-or-later
"""Go against OpenSpiel and against slow rules: captures, suicide, ko, superko, area, notation, random moves."""

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import Game, Moves, State, pick
from engine.games import find
from engine.games.go.notation import area_lead, bit_named, is_ko, name_of
from engine.hints.playouts import light_move
from engine.kernel import compiled
from engine.match.ending import Ending, Termination
from engine.match.events import Ended
from engine.match.machine import Match
from engine.walks.playout import playout, playouts
from tests.engine.games.go_oracle import Board
from tests.openspiel import play_in_lockstep

NAMES = ("go/9x9", "go/13x13", "go/19x19")
SMALL = find("go/9x9")
every_size = pytest.mark.parametrize("name", NAMES)
seeds = st.integers(0, 2**32)


def position(rows: str, rest: str = "b") -> State:
    """A position on 9×9 whose lowest rows are given, from above; the other rows are empty."""
    lines = rows.split()
    return SMALL.parse_position("/".join(["9"] * (9 - len(lines)) + lines) + f" {rest}")


def played(start: str, *moves: str) -> Match:
    match = Match(SMALL, start=start)
    for move in moves:
        match.play(match.position.to_move, move)
    return match


# ---------------------------------------------------------------- rules


def test_random_games_agree_with_openspiel() -> None:
    assert sum(play_in_lockstep("go/9x9", seed) for seed in range(25)) > 2000


@pytest.mark.long
@pytest.mark.parametrize(("name", "games"), [("go/9x9", 20_000), ("go/13x13", 500), ("go/19x19", 100)])
@pytest.mark.parametrize("part", range(10))
def test_many_random_games_agree_with_openspiel(name: str, games: int, part: int) -> None:
    seeds = range(games // 10 * part, games // 10 * (part + 1))
    assert sum(play_in_lockstep(name, seed) for seed in seeds) > 80 * len(seeds)


@every_size
def test_random_games_agree_with_slow_rules(name: str) -> None:
    game, chance = find(name), random.Random(7)
    side = game.board.rows
    match, board = Match(game), Board(side, {})
    earlier = [board]
    for _ in range({9: 110, 13: 12, 19: 5}[side]):
        following = board.moves(match.position.to_move, earlier)
        points = {name_of(side, (side + 1) * row + column): (column, row) for column, row in following}
        assert set(match.legal) == {"pass", *points}
        assert area_lead(match.position.state) == board.lead()
        text = chance.choice(match.legal)
        board = following[points[text]] if text in points else board
        earlier.append(board)
        match.play(match.position.to_move, text)
        if match.ending is not None:
            break
    while match.ending is None:
        match.play(match.position.to_move, "pass")
    lead = board.lead() - (7 if side == 9 else 7.5)
    assert match.ending == Ending("1-0" if lead > 0 else "0-1" if lead < 0 else "1/2-1/2", Termination.DECIDED)


def test_two_passes_end_the_game_and_komi_decides_an_empty_board() -> None:
    for name in NAMES:
        match = Match(find(name))
        match.play(0, "pass")
        match.play(1, "pass")
        assert match.ending == Ending("0-1", Termination.DECIDED)


def test_equal_areas_with_komi_are_a_draw() -> None:
    rows = ["x1xxxxx1x", *["xxxxxxxxx"] * 3, "xxxxxxxxo", *["ooooooooo"] * 3, "o1ooooo1o"]
    looked = SMALL.look(SMALL.parse_position("/".join(rows) + " b pass pass"))
    assert area_lead(looked.state) == 44 - 37
    assert (looked.over, looked.payoffs) == (True, (0.0, 0.0))


def test_a_capture_removes_all_chains_without_liberty() -> None:
    match = played("9/9/9/9/9/9/oo7/xxo6/1xo6 w", "A1")
    assert SMALL.format_position(match.position.state) == "9/9/9/9/9/9/oo7/2o6/o1o6 b"


def test_suicide_is_illegal_unless_it_captures() -> None:
    texts = SMALL.move_texts(SMALL.look(position("o8 1o7")))
    assert "A1" not in texts
    texts = SMALL.move_texts(SMALL.look(position("xx7 ox7 1ox6")))
    assert "A1" in texts


KO = "9/9/9/9/9/3xo4/2x1xo3/3xo4/9 w"


def test_a_ko_may_not_be_taken_back_at_once() -> None:
    match = played(KO, "D3")
    assert SMALL.format_position(match.position.state).endswith("b ko E3")
    assert "E3" not in match.legal
    match.play(0, "A9")
    match.play(1, "A8")
    assert "E3" in match.legal


def test_a_pass_lifts_the_simple_ko_but_not_superko() -> None:
    match = played(KO, "D3", "pass")
    assert SMALL.format_position(match.position.state).endswith(" w pass")
    match.play(1, "A9")
    assert "E3" in match.legal
    state = SMALL.look(SMALL.parse_position("9/9/9/9/9/3xo4/2xo1o3/3xo4/9 b ko E3"))
    assert "E3" not in SMALL.move_texts(state)


def test_sending_two_and_returning_one_is_superko() -> None:
    """Black captures two stones, White captures one back: the board of before, which no simple ko forbids."""
    match = played("9/9/9/9/9/9/9/oxx6/1o1x5 w", "C1", "A1")
    assert SMALL.format_position(match.position.state) == "9/9/9/9/9/9/9/oxx6/x2x5 w"
    assert "B1" in SMALL.move_texts(SMALL.look(match.position.state))
    assert "B1" not in match.legal
    match.play(1, "B1")
    detail = "'B1' repeats an earlier position (superko)"
    assert match.ending == Ending("1-0", Termination.ILLEGAL_MOVE, detail)


def test_superko_forbids_a_longer_cycle() -> None:
    """A random game meets repetitions that no simple ko forbids, and the match refuses each with the reason."""
    found = 0
    for seed in range(400):
        chance = random.Random(seed)
        match = Match(
            SMALL, start="xxxxxxxxx/xxxxxxxxx/xxxxxxxxx/x1x1xx1xx/ooooooooo/o1oo1o1oo/ooooooooo/ooooooooo/1ooooooo1 b"
        )
        while match.ending is None and match.ply < 120:
            legal = [text for text in match.legal if text != "pass"] or ["pass"]
            match.play(match.position.to_move, chance.choice(legal))
            simple = SMALL.look(match.position.state)
            forbidden = set(simple.moves) - set(match.position.moves)
            if match.to_move is not None and forbidden:
                text = SMALL.format_move(simple.state, forbidden.pop())
                last = match.play(match.to_move, text)[-1]
                assert isinstance(last, Ended)
                assert last.ending.detail == f"{text!r} repeats an earlier position (superko)"
                found += 1
        if found > 2:
            break
    assert found > 2


# ---------------------------------------------------------------- notation


@every_size
def test_points_are_named_without_the_letter_i(name: str) -> None:
    game = find(name)
    side = game.board.rows
    texts = game.move_texts(game.look(game.start()))
    assert len(texts) == game.width == side**2 + 1
    assert "A1" in texts
    assert not any(text.startswith("I") for text in texts)
    assert f"{'J' if side == 9 else 'N' if side == 13 else 'T'}{side}" in texts
    for text, move in texts.items():
        assert bit_named(side, text) == (None if text == "pass" else move)


@pytest.mark.parametrize(
    ("text", "move"),
    [("e5", "E5"), ("PASS", "pass"), (" j9 ", "J9"), ("[ee]", "E5"), ("[]", "pass"), ("[aa]", "A9"), ("[ii]", "J1")],
)
def test_other_spellings_are_accepted(text: str, move: str) -> None:
    looked = SMALL.look(SMALL.start())
    assert SMALL.format_move(looked.state, SMALL.parse_move(looked, text)) == move


@pytest.mark.parametrize("text", ["I5", "A0", "A10", "K1", "5E", "", "resign", "[zz]", "[é1]", "E5E5", "ß1"])
def test_other_texts_are_no_moves(text: str) -> None:
    with pytest.raises(ValueError, match="legal"):
        SMALL.parse_move(SMALL.look(SMALL.start()), text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "9 rows"),
        ("9/9", "9 rows"),
        ("9/9/9/9/9/9/9/9/8 b", "not one of 9 points"),
        ("9/9/9/9/9/9/9/9/10 b", "not one of 9 points"),
        ("9/9/9/9/9/9/9/9/8z b", "not one of 9 points"),
        ("9/9/9/9/9/9/9/9/99999999999999 b", "not one of 9 points"),
        ("9/9/9/9/9/9/9/9/9 x", "b or w"),
        ("9/9/9/9/9/9/9/9/9 b ko", "ko"),
        ("9/9/9/9/9/9/9/9/9 b ko E5", "ko"),
        ("9/9/9/9/9/9/9/9/9 b pass pass pass", "does not end"),
        ("9/9/9/9/9/9/9/9/9 b E5", "does not end"),
        ("9/9/9/9/9/9/9/o8/xo7 b", "the black stone on A1 has no liberty"),
        ("9/" * 3000, "at most"),
    ],
)
def test_bad_positions_are_refused_with_a_reason(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        SMALL.parse_position(text)


def test_positions_may_be_written_with_dots() -> None:
    dots = "/".join(["........."] * 8 + ["..x.O...."]) + " w"
    assert SMALL.format_position(SMALL.parse_position(dots)) == "9/9/9/9/9/9/9/9/2x1o4 w"
    assert SMALL.parse_position("/".join("9" * 9)) == SMALL.start()


def test_a_ko_is_one_stone_for_one() -> None:
    own = sum(1 << bit for bit in (bit_named(9, point) or 0 for point in ("B1", "A2", "C2", "B3")))
    assert not is_ko(9, own, 0, bit_named(9, "B2") or 0)


# ---------------------------------------------------------------- random moves


@compiled
def drawn(state: State, chance: int, light: bool, out: Moves) -> int:
    return light_move(state, chance, out) if light else pick(state, chance, out)


def draws(game: Game, state: State, light: bool, count: int) -> Counter[int]:
    out, chance = np.empty(game.width, np.int64), np.random.default_rng(1)
    return Counter(
        int(drawn(game.pack(state), number, light, out))
        for number in chance.integers(0, 2**32, count, np.uint64).tolist()
    )


@pytest.mark.parametrize("seed", range(3))
def test_legal_moves_are_drawn_equally_often(seed: int) -> None:
    chance, looked = random.Random(seed), SMALL.look(SMALL.start())
    while not looked.over and len(looked.moves) > 25:
        looked = SMALL.play(looked, chance.choice(looked.moves))
    count = 400 * len(looked.moves)
    found = draws(SMALL, looked.state, False, count)
    assert set(found) == set(looked.moves)
    assert all(280 < number < 520 for number in found.values())


def test_a_light_playout_fills_no_own_eye_and_passes_last() -> None:
    rows = ["xxxxxxxxx", "x1xxxxx1x", *["xxxxxxxxx"] * 2, *["ooooooooo"] * 4, "1ooooooo1"]
    looked = SMALL.look(SMALL.parse_position("/".join(rows) + " b"))
    assert len(looked.moves) == 3
    assert set(draws(SMALL, looked.state, True, 50)) == {SMALL.parse_move(looked, "pass")}
    assert len(draws(SMALL, SMALL.start(), True, 5000)) == 81


def test_a_false_eye_is_filled() -> None:
    state = position("oxo6 x1x6 1xo6")
    assert SMALL.parse_move(SMALL.look(state), "B2") in draws(SMALL, state, True, 3000)


@every_size
def test_light_playouts_end_by_themselves(name: str) -> None:
    game = find(name)
    tally = playouts(game, 20, 1, light=True)
    assert tally.plies < 20 * 4 * game.width
    moves, payoffs = playout(game, 1, 3, light=True)
    looked = game.look(game.start())
    for move in moves:
        looked = game.play(looked, move)
    assert looked.over
    assert looked.payoffs == payoffs


@settings(max_examples=30, deadline=None)
@given(seed=seeds)
def test_games_of_random_moves_are_legal(seed: int) -> None:
    moves, payoffs = playout(SMALL, seed)
    looked = SMALL.look(SMALL.start())
    for move in moves:
        looked = SMALL.play(looked, move)
    assert (looked.over, looked.payoffs) == (True, payoffs)
