# SPDX-License-Identifier: GPL-3.0-or-later
"""EinStein würfelt nicht! compared with a slow implementation of its rules."""

import random
from dataclasses import dataclass

import pytest

from engine.game import CHANCE, Position
from engine.games import find
from engine.walks.perft import perft

GAME = find("einstein")
Square = tuple[int, int]
"""Column and row, from 0 at the bottom left."""
DIRECTIONS = ((0, 1), (1, 0), (1, 1))


@dataclass
class Oracle:
    """The stones of both sides by number; ``shown`` is None before the roll."""

    sides: tuple[dict[int, Square], dict[int, Square]]
    seat: int
    shown: int | None

    @classmethod
    def read(cls, text: str) -> "Oracle":
        board, side, shown = text.split()
        sides: tuple[dict[int, Square], dict[int, Square]] = ({}, {})
        for down, row in enumerate(board.split("/")):
            for column, letter in enumerate(row):
                for seat, letters in enumerate(("123456", "abcdef")):
                    if letter in letters:
                        sides[seat][letters.index(letter) + 1] = (column, 4 - down)
        return cls(sides, "dl".index(side), None if shown == "-" else int(shown))

    def winner(self) -> int | None:
        for seat, goal in enumerate(((4, 4), (0, 0))):
            if goal in self.sides[seat].values() or not self.sides[1 - seat]:
                return seat
        return None

    def movable(self) -> list[int]:
        stones, shown = self.sides[self.seat], self.shown
        assert shown is not None
        if shown in stones:
            return [shown]
        return [*sorted(stone for stone in stones if stone < shown)[-1:], *sorted(n for n in stones if n > shown)[:1]]

    def moves(self) -> dict[str, "Oracle"]:
        """What each move, by its text, leads to."""
        if self.shown is None:
            return {str(face): Oracle(self.sides, self.seat, face) for face in range(1, 7)}
        found = {}
        for stone in self.movable():
            column, row = self.sides[self.seat][stone]
            for right, up in DIRECTIONS:
                sign = 1 if self.seat == 0 else -1
                target = column + sign * right, row + sign * up
                if min(target) < 0 or max(target) > 4:
                    continue
                left = [{n: at for n, at in side.items() if at != target} for side in self.sides]
                capture = left != list(self.sides)
                left[self.seat][stone] = target
                text = f"{name((column, row))}{'x' if capture else '-'}{name(target)}"
                found[text] = Oracle((left[0], left[1]), 1 - self.seat, None)
        return found

    def leaves(self, depth: int) -> int:
        if depth == 0:
            return 1
        return 0 if self.winner() is not None else sum(after.leaves(depth - 1) for after in self.moves().values())


def name(square: Square) -> str:
    return "abcde"[square[0]] + str(square[1] + 1)


def agree(oracle: Oracle, position: Position) -> None:
    winner = oracle.winner()
    assert position.over == (winner is not None)
    if winner is not None:
        assert position.payoffs == ((1.0, -1.0), (-1.0, 1.0))[winner]
        return
    assert position.to_move == (CHANCE if oracle.shown is None else oracle.seat)
    assert sorted(GAME.move_texts(position)) == sorted(oracle.moves())
    if oracle.shown is not None:
        stones = {name(oracle.sides[oracle.seat][stone]) for stone in oracle.movable()}
        assert {text[:2] for text in GAME.move_texts(position)} == stones


def test_random_games_agree_with_the_reference_rules() -> None:
    ends = [0, 0]
    for seed in range(150):
        chance = random.Random(seed)
        position = GAME.look(GAME.start())
        oracle = Oracle.read(GAME.format_position(position.state))
        while True:
            agree(oracle, position)
            if position.over:
                break
            text = chance.choice(sorted(oracle.moves()))
            oracle = oracle.moves()[text]
            position = GAME.play(position, GAME.parse_move(position, text))
            assert Oracle.read(GAME.format_position(position.state)) == oracle
        ends[oracle.winner() or 0] += 1
    assert min(ends) > 30


def test_leaf_counts_agree_with_the_reference_rules() -> None:
    state = GAME.start()
    assert [perft(GAME, state, depth) for depth in range(6)] == [
        Oracle.read(GAME.format_position(state)).leaves(depth) for depth in range(6)
    ]


def test_a_roll_of_a_captured_stone_moves_the_next_higher_or_lower_stone() -> None:
    position = GAME.look(GAME.parse_position("....b/...../.5..a/2..../..... d 4"))
    assert sorted(GAME.move_texts(position)) == ["a2-a3", "a2-b2", "a2xb3", "b3-b4", "b3-c3", "b3-c4"]
    rolled = GAME.look(GAME.parse_position("....b/...../.5..a/2..../..... d -"))
    # the squares of the stones that a roll lets go
    assert [GAME.squares(rolled.state, face) for face in (1, 2, 3, 4, 5, 6)] == [
        (15,),
        (15,),
        (11, 15),
        (11, 15),
        (11,),
        (11,),
    ]


def test_a_player_may_capture_its_own_stone() -> None:
    position = GAME.look(GAME.start())
    rolled = GAME.play(position, 2)
    after = GAME.play(rolled, GAME.parse_move(rolled, "A1xB2"))
    assert GAME.format_position(after.state) == "..dfb/...ea/3...c/12.../.64.. l -"


def test_capturing_all_stones_or_reaching_the_corner_wins() -> None:
    position = GAME.look(GAME.parse_position("...../...../..a../.1.../..... d 1"))
    assert GAME.play(position, GAME.parse_move(position, "b2xc3")).payoffs == (1.0, -1.0)
    position = GAME.look(GAME.parse_position("...../...../...1./.a.../..... l 6"))
    assert GAME.play(position, GAME.parse_move(position, "b2a1")).payoffs == (-1.0, 1.0)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not a position"),
        ("..dfb/...ea/3...c/15.../264.. d", "not a position"),
        ("..dfb/...ea/3...c/15.../264.. x 1", "not a position"),
        ("..dfb/...ea/3...c/15.../264.. d 7", "not a position"),
        ("..dfb/...ea/3...c/15.../2644. d 1", "at most one stone 4"),
        ("....1/...../...../...../a.... d -", "only one side"),
        ("...../...../...../...../..... d -", "only one side"),
    ],
)
def test_invalid_positions_are_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        GAME.parse_position(text)
