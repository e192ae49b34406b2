# SPDX-License-Identifier: GPL-3.0-or-later
"""Views of positions: how to draw a position, its legal moves with their squares, and its result."""

from collections.abc import Sequence

import msgspec

from arena.protocol.watching import Decision
from arena.watching.diagrams import decision_of
from engine.game import CHANCE, Game, Position, State
from engine.match.ending import Ending, Termination
from engine.match.events import Ended, Moved
from engine.match.machine import Match


class LegalMove(msgspec.Struct, frozen=True):
    """A legal move, or a possible roll of the dice."""

    move: str
    """The text that bots send."""
    said: str
    """The move in the usual notation."""
    squares: list[int]
    """Squares of the move, from first to last, as indices into the diagram."""


class PositionView(msgspec.Struct, frozen=True):
    """A position, its legal moves and its result."""

    position: str
    """The position as text, as in `start` of a match."""
    diagram: str
    """The position as a diagram: a letter for each square, top row first."""
    squares: list[int]
    """Squares of the last move; empty without one."""
    to_move: int | None
    """The seat to move; null before a roll of the dice, and after the end."""
    legal: list[LegalMove]
    """Legal moves in the order of the rules; before a roll of the dice the possible rolls; none after the end."""
    ending: Ending | None
    """The result and its reason; null while the game goes on."""
    decision: Decision | None
    """What decided the game; null unless it ended by its rules."""
    line: list[str]
    """The moves of the request that led here, as people read them."""


def view(game: Game, state: State, last_move: tuple[State, int] | None = None) -> PositionView:
    """Return the view of a state, without draws that depend on earlier moves.

    ``last_move``: the state before the last move, and the move.
    """
    position = game.look(state)
    last = None if last_move is None else (game.look(last_move[0]), last_move[1])
    return _view(game, position, last, _result(position))


def reached(game: Game, start: str | None, moves: Sequence[str], played: int = 0) -> PositionView:
    """Return the view of the position after ``moves`` from ``start`` (None: the initial position of the game).

    Rolls of the dice are moves too. Draws by repetition, by the no-progress rule and by the ply limit count the moves
    from ``start`` on. ``played``: number of moves that do not count in messages, because a match had them before.
    Raises ValueError if ``start`` is not a position, or if a move is not legal.
    """
    first = game.look(game.start() if start is None else game.parse_position(start))
    if first.over:
        if moves:
            raise ValueError("the game is over in this position")
        return view(game, first.state)
    match = Match(game, start=start)
    before = position = match.position
    line = list[str]()
    for number, text in enumerate(moves, start=1 - played):
        before = position
        if match.ending is not None:
            raise ValueError(f"the game is over before move {number}")
        if before.to_move == CHANCE:
            try:
                match.apply(Moved(match.ply + 1, CHANCE, text))
            except ValueError as error:
                raise ValueError(f"move {number}: {error}") from None
            made = True
        else:
            events = match.play(before.to_move, text)
            for each in events:
                if isinstance(each, Ended) and each.ending.termination is Termination.ILLEGAL_MOVE:
                    raise ValueError(f"move {number}: {each.ending.detail}")
            made = bool(events)
        # a choice that waits for the other seat's
        position = match.position if made else game.play(before, game.parse_move(before, text))
        if number > 0:
            line.append(game.write_move(before, game.parse_move(before, text)))
    last = (before, game.parse_move(before, moves[-1])) if moves else None
    return _view(game, position, last, match.ending, line)


def _view(
    game: Game,
    position: Position,
    last: tuple[Position, int] | None,
    ending: Ending | None,
    line: Sequence[str] = (),
) -> PositionView:
    state = position.state
    decided = ending is not None and ending.termination is Termination.DECIDED
    moves = () if ending is not None else position.moves
    return PositionView(
        position=game.format_position(state),
        diagram=game.diagram(state),
        squares=[] if last is None else list(game.squares(last[0].state, last[1])),
        to_move=None if ending is not None or position.to_move < 0 else position.to_move,
        legal=[
            LegalMove(game.format_move(state, move), game.write_move(position, move), list(game.squares(state, move)))
            for move in moves
        ],
        ending=ending,
        decision=decision_of(game, position, last) if decided else None,
        line=list(line),
    )


def _result(position: Position) -> Ending | None:
    """Return the result by the rules of the game."""
    if not position.over:
        return None
    first, second = position.payoffs
    return Ending("1-0" if first > second else "0-1" if first < second else "1/2-1/2", Termination.DECIDED)
