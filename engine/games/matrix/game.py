# SPDX-License-Identifier: GPL-3.0-or-later
"""Make a ``Game`` of a repeated matrix game from its actions and payoffs."""

from collections.abc import Callable
from functools import partial

from engine.decision import MARGIN, Decision, End, Endings, by_points
from engine.evaluation import Evaluation
from engine.game import Game, State
from engine.games.matrix import notation
from engine.games.matrix.notation import Actions, Payoffs
from engine.games.matrix.rules import MOST_PAYOFF, MOST_ROUNDS, UNIT, Repeated
from engine.time_control import TimeControl

MORE, EQUAL, EQUAL_ONE = "with {0} to {1} points", "with {0} points each", "with one point each"

EVALUATIONS = {"payoffs": Evaluation("payoffs", (1,), "difference of the payoffs so far", man=UNIT)}


def repeated_game(
    name: str,
    title: str,
    actions: Actions,
    payoffs: Payoffs,
    rounds: int,
    *,
    description: str,
    rules: str,
    most: float = MOST_PAYOFF,
    noise: int = 0,
    zero_sum: bool = False,
    link: str = "",
    texts: tuple[Callable[[str], State], Callable[[State], str]] | None = None,
) -> Game:
    """Return the game of a matrix with this number of rounds.

    ``most``: the largest absolute payoff; ``zero_sum``: whether the payoffs of both seats always add up to 0;
    ``texts``: what reads and writes positions, if it is not ``notation`` with these payoffs.
    """
    parse = partial(notation.parse_position, actions, payoffs)
    write = partial(notation.format_position, actions)
    return Game(
        name=name,
        title=title,
        state=Repeated,
        start=lambda: notation.state_of(payoffs, rounds, noise),
        parse_position=texts[0] if texts else parse,
        format_position=texts[1] if texts else write,
        format_move=lambda state, move: actions.words[move],
        diagram=notation.diagram,
        squares=lambda state, move: (),
        board=notation.board_of(actions),
        width=len(actions),
        evaluations=EVALUATIONS,
        time_control=TimeControl(60_000, 500),
        description=description,
        rules=rules,
        link=link,
        chance=noise > 0,
        simultaneous=True,
        stakes=MOST_ROUNDS * most,
        loss=_loss if zero_sum else None,
        points_given_up=None if zero_sum else _given_up,
        points_so_far=lambda state: (state.first / UNIT, state.second / UNIT),
        # with noise, a chance node for each seat follows the choices
        most_plies=lambda state: (4 if state.noise else 2) * (state.rounds - state.round),
        read_move=lambda state, text: actions.accepted.get(text.strip().lower(), text),
        aside=notation.aside,
        endings=Endings(_decide_margin if zero_sum else _decide, (MORE, EQUAL, EQUAL_ONE, *MARGIN), "points", "points"),
        scale=rounds / 20,
    )


def _rest(state: State, seat: int) -> tuple[float, float]:
    """Return the lowest and the highest payoff that the remaining rounds can bring a seat."""
    cells = [cell[seat] for row in notation.payoffs_of(state) for cell in row]
    left = state.rounds - state.round
    return left * min(cells), left * max(cells)


def _given_up(state: State, seat: int) -> tuple[float, float]:
    """Return the payoffs if a seat gives up: the lowest of each remaining round for it, the highest for the other.

    It gets no more than the other seat.
    """
    so_far = state.first / UNIT, state.second / UNIT
    points = [so_far[each] + _rest(state, each)[each != seat] for each in (0, 1)]
    points[seat] = min(points)
    return points[0], points[1]


def _loss(state: State, seat: int) -> float:
    """Return the points that a seat loses by giving up: what it is behind, and the worst of the remaining rounds."""
    so_far = (state.first if seat == 0 else state.second) / UNIT
    return max(1.0, -(so_far + _rest(state, seat)[0]))


def _decide_margin(end: End) -> Decision:
    return _decide(end) if end.winner is None else by_points(end.points)


def _decide(end: End) -> Decision:
    first, second = end.state.first / UNIT, end.state.second / UNIT
    if end.winner is None:
        return Decision(EQUAL_ONE if first == 1 else EQUAL, (first,))
    return Decision(MORE, (max(first, second), min(first, second)))
