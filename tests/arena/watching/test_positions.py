# SPDX-License-Identifier: GPL-3.0-or-later
from random import Random

import pytest

from arena.watching.positions import reached, view
from engine.game import CHANCE
from engine.games import find
from engine.match.ending import Ending, Termination

GAMES = ["checkers", "checkers/lecture", "chess", "einstein", "nim", "tictactoe"]


@pytest.mark.parametrize("name", GAMES)
def test_a_view_lists_each_legal_move_once_with_its_squares(name: str) -> None:
    game, random = find(name), Random(20)
    position, last = game.look(game.start()), None
    moves: list[str] = []
    for _ in range(60):
        seen = view(game, position.state, last)
        assert [each.move for each in seen.legal] == list(game.move_texts(position))
        assert len({each.move for each in seen.legal}) == len(position.moves)
        assert len({each.said for each in seen.legal}) == len(position.moves)
        for each, move in zip(seen.legal, position.moves, strict=True):
            assert each.squares == list(game.squares(position.state, move))
            assert each.squares
            assert all(0 <= square < len(seen.diagram) for square in each.squares)
        assert seen.squares == ([] if last is None else list(game.squares(*last)))
        assert seen.to_move == (None if position.over or position.to_move == CHANCE else position.to_move)
        assert (seen.ending is not None) == position.over
        assert game.parse_position(seen.position) == position.state
        if len(moves) % 12 == 0:
            by_moves = reached(game, None, moves)
            assert (by_moves.position, by_moves.squares) == (seen.position, seen.squares)
            assert by_moves.legal == ([] if by_moves.ending else seen.legal)
        if position.over:
            return
        move = random.choice(position.moves)
        moves.append(game.format_move(position.state, move))
        last, position = (position.state, move), game.play(position, move)


def test_moves_have_the_usual_notation() -> None:
    seen = reached(find("chess"), None, ["e2e4", "e7e5"])
    assert next(each.said for each in seen.legal if each.move == "g1f3") == "Nf3"
    assert seen.to_move == 0


def test_moves_of_a_line_have_the_usual_notation() -> None:
    chess = find("chess")
    assert reached(chess, None, ["e2e4", "e7e5", "g1f3"], 1).line == ["e5", "Nf3"]
    assert reached(chess, None, []).line == []


def test_a_view_has_the_result_of_the_game() -> None:
    mate = reached(find("chess"), None, ["f2f3", "e7e5", "g2g4", "d8h4"])
    assert (mate.ending, mate.to_move, mate.legal) == (Ending("0-1", Termination.DECIDED), None, [])
    assert view(find("chess"), find("chess").parse_position(mate.position)).ending == mate.ending
    assert reached(find("chess"), mate.position, []).ending == mate.ending


def test_moves_that_repeat_a_position_end_the_game() -> None:
    shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"]
    assert reached(find("chess"), None, shuffle).ending is None
    drawn = reached(find("chess"), None, 2 * shuffle)
    assert drawn.ending == Ending("1/2-1/2", Termination.REPETITION)
    assert drawn.legal == []


def test_before_a_roll_the_legal_moves_are_the_rolls() -> None:
    seen = reached(find("einstein"), None, [])
    assert seen.to_move is None
    assert [each.move for each in seen.legal] == ["1", "2", "3", "4", "5", "6"]
    assert reached(find("einstein"), None, ["3"]).to_move == 0


@pytest.mark.parametrize(
    ("start", "moves", "message"),
    [
        (None, ["e2e4", "e2e4"], "move 2: 'e2e4' is not a legal move here"),
        (None, ["f2f3", "e7e5", "g2g4", "d8h4", "e1f2"], "the game is over before move 5"),
        ("rubbish", [], "rubbish"),
    ],
)
def test_errors_name_the_move(start: str | None, moves: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        reached(find("chess"), start, moves)


def test_there_are_no_moves_after_the_end() -> None:
    mate = reached(find("chess"), None, ["f2f3", "e7e5", "g2g4", "d8h4"]).position
    with pytest.raises(ValueError, match="the game is over"):
        reached(find("chess"), mate, ["e1f2"])


def test_a_choice_may_wait_for_the_other_seat() -> None:
    dilemma = find("dilemma")
    waiting = reached(dilemma, "2", ["C"])
    assert (waiting.position, waiting.to_move, [each.move for each in waiting.legal]) == ("2 !C", 1, ["C", "D"])
    both = reached(dilemma, "2", ["C", "D", "D"], 2)
    assert (both.position, both.to_move, both.line) == ("2 C D !D", 1, ["D"])
    assert reached(dilemma, "1", ["C", "D"]).ending is not None
    with pytest.raises(ValueError, match="move 2: 'X' is not a legal move here"):
        reached(dilemma, "2", ["C", "X"])
