# SPDX-License-Identifier: GPL-3.0-or-later
import sys
from random import Random

import pytest

from arena.watching.diagrams import Diagrams, draw_part
from engine.games import find
from engine.match.events import Candidate, Info, Moved
from engine.match.machine import Match
from engine.viewpoint import Viewpoint


def played(name: str, seed: int, opening: int = 2) -> Match:
    """Play random moves to the end."""
    random = Random(seed)
    game = find(name)
    first = Match(game)
    for _ in range(opening):
        first.play(first.to_move or 0, random.choice(first.legal))
    match = Match(game, opening=[move.move for move in first.moves])
    while match.to_move is not None:
        match.play(match.to_move, random.choice(match.legal), info=Info(score=0.5, depth=3, pv=("a", "b")))
    return match


@pytest.mark.parametrize("name", ["tictactoe", "nim"])
@pytest.mark.parametrize("seed", range(5))
def test_a_picture_ends_where_the_match_ends(name: str, seed: int) -> None:
    match = played(name, seed)
    picture = Diagrams(Viewpoint.full(match.game), None, match.opening, match.moves)
    assert picture.initial == match.game.diagram(match.game.start())
    assert picture.diagram == match.game.diagram(match.position.state)
    assert [made.ply for made in picture.moves] == list(range(1, match.ply + 1))
    assert [made.opening for made in picture.moves] == [True] * 2 + [False] * len(match.moves)
    assert [made.seat for made in picture.moves[2:]] == [move.seat for move in match.moves]
    assert all(0 <= square < len(picture.initial) for made in picture.moves for square in made.squares)


@pytest.mark.parametrize("after", range(12))
@pytest.mark.parametrize("limit", [1, 3, 100])
def test_a_part_of_a_match_is_a_part_of_its_picture(after: int, limit: int) -> None:
    match = played("tictactoe", 3)
    picture = Diagrams(Viewpoint.full(match.game), None, match.opening, match.moves)
    part = draw_part(Viewpoint.full(match.game), None, match.opening, match.moves, after, limit)
    assert part.moves == picture.moves[after : after + limit]
    assert (part.initial, part.diagram, part.ply) == (picture.initial, picture.diagram, picture.ply)


def test_what_a_bot_reported_stands_beside_its_move() -> None:
    match = played("tictactoe", 1)
    info = Diagrams(Viewpoint.full(match.game), None, match.opening, match.moves).moves[-1].info
    assert info is not None
    assert (info.score, info.depth, info.nodes, info.pv) == (0.5, 3, None, ["a", "b"])


def test_candidates_are_shown_if_they_are_legal() -> None:
    tried = (
        Candidate("b2", 70, 0.75),
        Candidate("\x1b[2J", 20, 0.5),
        Candidate("a1", 9, 0.25),
        Candidate("c3", 1, 0.0),
    )
    moved = [Moved(2, 1, "b2", info=Info(candidates=tried))]
    picture = Diagrams(Viewpoint.full(find("tictactoe")), None, ("a1",), moved)
    info = picture.moves[-1].info
    assert info is not None
    assert [(one.move, one.visits, one.win) for one in info.candidates] == [("b2", 70, 0.75), ("c3", 1, 0.0)]
    shown, _, _ = picture.thought(Info(candidates=tried))
    assert [one.move for one in shown.candidates] == ["c3"], "the newest position has both other squares taken"


def test_moves_and_lines_of_chess_are_written_as_people_write_them() -> None:
    game = find("chess")
    pv = ("g1f3", "b8c6", "f1b5", "a7a6", "b5c6", "d7c6", "e1g1", "c8g4", "f3e5", "d8d4", "e5g4")
    infos = [Info(pv=pv), Info(pv=("b8c6", "no move")), Info(score=0.0)]
    moved = [Moved(3 + index, index % 2, pv[index], info=info) for index, info in enumerate(infos)]
    made = Diagrams(Viewpoint.full(game), None, ("e2e4", "e7e5"), moved).moves
    assert [each.text for each in made] == ["e4", "e5", "Nf3", "Nc6", "Bb5"]
    assert made[2].line == ["Nf3", "Nc6", "Bb5", "a6", "Bxc6", "dxc6", "O-O", "Bg4", "Nxe5", "Qd4"]
    assert made[3].line == ["Nc6"], "a line ends where it breaks the rules"
    assert made[4].line == []


def test_moves_of_a_game_with_one_notation_are_written_once() -> None:
    match = played("tictactoe", 1)
    made = Diagrams(Viewpoint.full(match.game), None, match.opening, match.moves).moves
    assert all(each.text == "" and each.line == [] for each in made)


def test_lines_are_shown_as_far_as_they_are_legal() -> None:
    infos = [Info(pv=("a1", "b2", "c3", "a1", "b1")), Info(pv=("\x1b[2J", "b2"))]
    moved = [Moved(1, 0, "a1", info=infos[0]), Moved(2, 1, "b2", info=infos[1])]
    made = Diagrams(Viewpoint.full(find("tictactoe")), None, (), moved).moves
    assert [each.line for each in made] == [["a1", "b2", "c3"], []]


def test_what_nobody_watches_keeps_no_positions() -> None:
    match = played("checkers", 1)
    again = Match(match.game, opening=match.opening)
    live = Diagrams(Viewpoint.full(match.game), None, match.opening)
    earlier = []
    for move in match.moves:
        again.apply(move)
        assert again.made is not None
        live.add(move, again.made, again.position)
        earlier.append(again.position)
    assert all(sys.getrefcount(earlier[index]) <= 2 for index in range(len(earlier) - 2)), "the list's own, and here"
    assert live.moves == Diagrams(Viewpoint.full(match.game), None, match.opening, match.moves).moves


@pytest.mark.parametrize("name", ["tictactoe", "chess", "checkers"])
def test_a_picture_grows_move_by_move_into_the_same_one(name: str) -> None:
    match = played(name, 2)
    again = Match(match.game, opening=match.opening)
    live = Diagrams(Viewpoint.full(match.game), None, match.opening)
    for move in match.moves:
        again.apply(move)
        assert again.made is not None
        live.add(move, again.made, again.position)
        if move.ply % 7 in (1, 5, 6):
            whole = Diagrams(Viewpoint.full(match.game), None, match.opening, again.moves)
            assert (live.ply, live.diagram, live.squares) == (whole.ply, whole.diagram, whole.squares)
            if move.ply % 7 != 1:  # somebody looks now and then
                assert live.moves == whole.moves
    assert live.moves == Diagrams(Viewpoint.full(match.game), None, match.opening, match.moves).moves


def test_a_move_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="not a legal move"):
        Diagrams(Viewpoint.full(find("tictactoe")), None, (), [Moved(1, 0, "z9")])
