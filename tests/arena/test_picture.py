# SPDX-License-Identifier: GPL-3.0-or-later
from random import Random

import pytest

from arena.picture import Picture
from engine.games import find
from engine.match import Info, Match, Moved


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
    picture = Picture(match.game, None, match.opening, match.moves)
    assert picture.initial == match.game.diagram(match.game.start())
    assert picture.diagram == match.game.diagram(match.position.state)
    assert [made.ply for made in picture.moves] == list(range(1, match.ply + 1))
    assert [made.opening for made in picture.moves] == [True] * 2 + [False] * len(match.moves)
    assert [made.seat for made in picture.moves[2:]] == [move.seat for move in match.moves]
    assert all(0 <= square < len(picture.initial) for made in picture.moves for square in made.squares)


def test_what_a_bot_reported_stands_beside_its_move() -> None:
    match = played("tictactoe", 1)
    info = Picture(match.game, None, match.opening, match.moves).moves[-1].info
    assert info is not None
    assert (info.score, info.depth, info.nodes, info.pv) == (0.5, 3, None, ["a", "b"])


def test_a_picture_grows_move_by_move_into_the_same_one() -> None:
    match = played("tictactoe", 2)
    again = Match(match.game, opening=match.opening)
    live = Picture(match.game, None, match.opening)
    for move in match.moves:
        again.apply(move)
        assert again.made is not None
        live.add(move, again.made, again.position)
        whole = Picture(match.game, None, match.opening, again.moves)
        assert (live.ply, live.diagram, live.squares) == (whole.ply, whole.diagram, whole.squares)
        if live.ply % 2:  # somebody looks now and then
            assert live.moves == whole.moves
    assert live.moves == Picture(match.game, None, match.opening, match.moves).moves


def test_a_move_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="not a legal move"):
        Picture(find("tictactoe"), None, (), [Moved(1, 0, "z9")])
