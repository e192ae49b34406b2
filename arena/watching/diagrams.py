# SPDX-License-Identifier: GPL-3.0-or-later
"""Diagrams and highlighted squares of the moves of a match, live or from the record."""

from array import array
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from arena.matches.timings import TimedMove
from arena.protocol.messages import Candidate, Expected, Info
from arena.protocol.watching import Aside, Decision, Ghost, SeenMove
from engine.decision import End
from engine.drawing import Aside as Beside
from engine.game import Game, Position, State
from engine.match.events import Info as Reported
from engine.match.events import Moved
from engine.viewpoint import Viewpoint

LINE = 10
"""Maximum moves of a principal variation that are shown."""


class Diagrams:
    """Diagrams of a match, drawn lazily: most live matches have no spectators, so moves are drawn on first access."""

    def __init__(
        self, viewpoint: Viewpoint, start: str | None, opening: Sequence[str], moved: Iterable[Moved] = ()
    ) -> None:
        """Draw the initial position, the opening and the moves so far, as a viewer sees them. Raises ValueError for
        illegal moves.
        """
        game = viewpoint.game
        self._game = game
        self._viewpoint = viewpoint
        self._opening = len(opening)
        self._position = game.look(game.start() if start is None else game.parse_position(start))
        self._newest: tuple[Position, int] | None = None
        """The position before the newest move, and the move's number in the game's encoding."""
        self._drawn: list[SeenMove] = []
        self._drawn_to = self._position
        """The position after the drawn moves."""
        self._undrawn: list[Moved] = []
        self._numbers = array("q")
        """Numbers of the moves that are not drawn yet, in the game's encoding."""
        self.initial = viewpoint.diagram(self._position.state)
        for text in opening:
            self.replay(Moved(self.ply + 1, self._position.to_move, text))
            self._draw()
        for event in moved:
            self.replay(event)
            self._draw()

    def replay(self, event: Moved) -> None:
        """Add the next move by its text. Raises ValueError if it is illegal."""
        move = self._game.parse_move(self._position, event.move)
        self.add(event, move, self._game.play(self._position, move))

    def add(self, event: Moved, move: int, after: Position) -> None:
        """Add the next move: its event, its number in the game's encoding, and the position after it."""
        self._undrawn.append(event)
        self._numbers.append(move)
        self._newest = self._position, move
        self._position = after

    @property
    def ply(self) -> int:
        """Moves made so far, those of the opening included."""
        return len(self._drawn) + len(self._undrawn)

    @property
    def moves(self) -> list[SeenMove]:
        """All moves."""
        self._draw()
        return self._drawn

    @property
    def diagram(self) -> str:
        """The newest position."""
        return self._viewpoint.diagram(self._position.state)

    @property
    def aside(self) -> Aside | None:
        """Additional data of the newest position."""
        return aside_of(self._viewpoint, self._position.state)

    @property
    def decision(self) -> Decision | None:
        """What decided the match, if the newest position is over by the rules."""
        return decision_of(self._game, self._position, self._newest)

    @property
    def squares(self) -> list[int]:
        """What the newest move touched."""
        if self._newest is None:
            return []
        before, move = self._newest
        return list(self._viewpoint.squares(before.state, move))

    def thought(self, info: Reported) -> tuple[Info, list[str], list[int]]:
        """Return search info about the newest position as spectators see it, the legal moves of its principal variation
        in standard notation, and the squares of the first.
        """
        game, position = self._game, self._position
        if not game.perfect_information:
            return Info(), [], []
        shown, line = _shown(game, position, info), _line(game, position, info.pv)
        if not line:
            return shown, [], []
        return shown, line, list(game.squares(position.state, game.parse_move(position, info.pv[0])))

    def _draw(self) -> None:
        """Draw what is not drawn yet; all but the newest move is made again for it."""
        if not self._undrawn:
            return
        for event, move in zip(self._undrawn[:-1], self._numbers, strict=False):
            self._draw_move(event, move, self._game.play(self._drawn_to, move))
        self._draw_move(self._undrawn[-1], self._numbers[-1], self._position)
        self._undrawn.clear()
        del self._numbers[:]

    def _draw_move(self, event: Moved, move: int, after: Position) -> None:
        ply = len(self._drawn) + 1
        opening = ply <= self._opening
        self._drawn.append(draw_move(self._viewpoint, event, self._drawn_to, move, after, ply=ply, opening=opening))
        self._drawn_to = after


class DrawnMoves(NamedTuple):
    """Some moves of a match, drawn, with its first and its newest position."""

    initial: str
    diagram: str
    moves: list[SeenMove]
    ply: int
    """Moves made, those of the opening included."""
    aside: Aside | None
    """Additional data of the newest position."""
    decision: Decision | None
    """What decided the match, if its newest position is over by the rules."""
    observation: str = ""
    """In the view of a seat: what the seat saw before the first move, as text."""


def draw_part(
    viewpoint: Viewpoint, start: str | None, opening: Sequence[str], moved: Iterable[Moved], after: int, limit: int
) -> DrawnMoves:
    """Draw at most ``limit`` moves of a match, from the one after ``after`` plies on; the others are only made.

    In the view of a seat each move has the observation after it, and only the seat's own moves have search info. Raises
    ValueError when the moves do not fit the game.
    """
    game = viewpoint.game
    position = game.look(game.start() if start is None else game.parse_position(start))
    initial = viewpoint.diagram(position.state)
    observation = "" if viewpoint.viewer is None else viewpoint.observe(position.state).position
    drawn, ply, last = list[SeenMove](), 0, None
    for event in chain((Moved(0, 0, text) for text in opening), moved):
        before, ply = position, ply + 1
        move = game.parse_move(before, event.move)
        position, last = game.play(before, move), (before, move)
        if after < ply <= after + limit:
            drawn.append(draw_move(viewpoint, event, before, move, position, ply=ply, opening=ply <= len(opening)))
    decision = decision_of(game, position, last)
    diagram, aside = viewpoint.diagram(position.state), aside_of(viewpoint, position.state)
    return DrawnMoves(initial, diagram, drawn, ply, aside, decision, observation)


def draw_move(
    viewpoint: Viewpoint, event: Moved, before: Position, move: int, after: Position, *, ply: int, opening: bool
) -> SeenMove:
    """Return a move as a viewer sees it.

    The view of a seat has no search info of the other seat. A principal variation has no ``line`` there: how far it is
    legal can depend on what the seat did not know.
    """
    game, seat = viewpoint.game, viewpoint.viewer
    known = viewpoint.known(before, after)
    if seat is None:
        diagram, aside, observation = viewpoint.diagram(known), viewpoint.aside(known), ""
    else:
        seen = viewpoint.observe(known)
        diagram, aside, observation = seen.diagram, seen.aside, seen.position
    info = event.info if seat in (None, before.to_move) else None
    return SeenMove(
        ply=ply,
        move=viewpoint.move(before.state, move),
        seat=before.to_move,
        diagram=diagram,
        squares=list(viewpoint.squares(before.state, move)) if known is after.state else [],
        opening=opening,
        elapsed=event.elapsed,
        clock=event.clock,
        instructions=event.instructions,
        network=event.network if isinstance(event, TimedMove) else 0,
        waited=event.waited if isinstance(event, TimedMove) else 0,
        info=None if info is None else _shown(game, before, info),
        text=viewpoint.written(before, move, after),
        line=[] if info is None or seat is not None else _line(game, before, info.pv),
        aside=_written(aside),
        observation=observation,
    )


def aside_of(viewpoint: Viewpoint, state: State) -> Aside | None:
    """Return the additional data of a state, as messages have it; None: none."""
    return _written(viewpoint.aside(state))


def _written(shown: Beside | None) -> Aside | None:
    if shown is None:
        return None
    return Aside(shown.counts, list(shown.dice), shown.roller, shown.cube, shown.owner, shown.bets, shown.history)


def decision_of(game: Game, position: Position, last: tuple[Position, int] | None) -> Decision | None:
    """Return what decided a match by the rules of the game; None if they do not end it in this position.

    ``last``: the position before the last move, and the move; None without one.
    """
    if not position.over:
        return None
    first, second = position.payoffs
    winner = 0 if first > second else 1 if second > first else None
    before, move = (None, -1) if last is None else (last[0].state, last[1])
    found = game.endings.decide(End(position.state, position.to_move, winner, abs(first), before, move))
    ghosts = [Ghost(square, letter) for square, letter in found.ghosts]
    return Decision(found.words, list(found.values), list(found.won), list(found.lost), ghosts)


def _line(game: Game, position: Position, pv: Sequence[str]) -> list[str]:
    """Return the start of a principal variation in standard notation, up to the first illegal move."""
    texts = list[str]()
    for text in pv[:LINE]:
        # most texts are in the game's own notation, so comparing formatted moves is the fastest way
        move = next((each for each in position.moves if game.format_move(position.state, each) == text), None)
        if move is None:
            try:
                move = game.parse_move(position, text)
            except ValueError:
                break
        after = game.play(position, move)
        texts.append(game.spell(position, move, after) if game.spell else game.format_move(position.state, move))
        position = after
    return texts


def _shown(game: Game, position: Position, info: Reported) -> Info:
    """Return search info about a position as spectators see it: without candidates that are no legal moves."""
    legal = game.move_texts(position) if info.candidates else {}
    return Info(
        score=info.score,
        depth=info.depth,
        nodes=info.nodes,
        pv=list(info.pv),
        expected=[Expected(one.move, one.probability) for one in info.expected],
        candidates=[Candidate(one.move, one.visits, one.win) for one in info.candidates if one.move in legal],
    )
