# SPDX-License-Identifier: GPL-3.0-or-later
"""The tree that a program cuts out, searched by plain alpha-beta in plain Python: no null windows, no order, no budget.

For programs that do not look at windows, nodes, merits or registers: what those hold depends on the order of a search.
"""

from bots.evolution.steered.frame import LONGEST
from bots.evolution.steered.steering import Steering
from engine.game import Game, Position
from engine.search.programs.program import Program
from tests.engine.search.kernels import forced, gained, holds, pressed, tactics
from tests.engine.search.programs.interpreter import Machine

BEYOND = 2**62


def value(game: Game, steering: Steering, position: Position, depth: int) -> int:
    """Return the value of a position for the seat to move."""
    return _Tree(game, steering, depth).value(position, float(depth), 0, (), -BEYOND, BEYOND)


class _Tree:
    def __init__(self, game: Game, steering: Steering, root: int) -> None:
        self.game = game
        self.steering = steering
        self.root = root

    def value(self, position: Position, depth: float, ply: int, line: tuple[int, ...], alpha: int, beta: int) -> int:
        """Return a position's value, or a bound of it outside the window; ``line``: keys that it can repeat."""
        if depth < 1:
            return self.quiet(position, ply, alpha, beta)
        if position.over:
            return _final(self.steering, position, ply)
        if position.key in line:
            return 0
        best = -BEYOND
        for place, move in enumerate(position.moves):
            child = self.game.play(position, move)
            context = _context(self.game, self.steering, position, child, place, move, depth, ply)
            given = Machine(context, {}).run(self.steering.program)
            if given < 0 and ply and best > -self.steering.evaluation.win // 2:
                continue
            ahead = max(0.0, min(given, depth if ply < LONGEST * self.root else depth - 1))
            before = () if child.irreversible else (*line, position.key)
            best = max(best, -self.value(child, ahead, ply + 1, before, -beta, -max(alpha, best)))
            if best >= beta:
                break
        return best

    def quiet(self, position: Position, ply: int, alpha: int, beta: int) -> int:
        """Search on where captures do not lose by the exchange, or there is a threat, or a capture is compulsory."""
        if position.over:
            return _final(self.steering, position, ply)
        must = pressed(position.state) or forced(self.game, position)
        moves = list(position.moves)
        best = -BEYOND
        if not must:
            moves = [move for move in tactics(self.game, position) if holds(position.state, move)]
            best = self.game.score(position.state, self.steering.evaluation)
        for move in sorted(moves, key=lambda move: -gained(position.state, move)):
            if best >= beta:
                break
            best = max(best, -self.quiet(self.game.play(position, move), ply + 1, -beta, -max(alpha, best)))
        return best


def _context(
    game: Game, steering: Steering, position: Position, child: Position, place: int, move: int, depth: float, ply: int
) -> dict[str, float]:
    evaluation = steering.evaluation
    return {
        "level": ply,
        "horizon": depth - 1,
        "score": evaluation.pawn_units(game.score(position.state, evaluation)),
        "moves": len(position.moves),
        "place": place,
        "gain": gained(position.state, move) / 100,
        "threatened": float(pressed(position.state)),
        "threatens": float(pressed(child.state)),
        "loses": float(not holds(position.state, move)),
        "passes": 0.0,
    }


def _final(steering: Steering, position: Position, ply: int) -> int:
    return round(position.payoffs[position.to_move] * (steering.evaluation.win - ply))


PROGRAMS: tuple[Program, ...] = (
    ("horizon",),
    ("-", "horizon", 1.0),
    ("if", "<", "gain", 0.5, "-", "horizon", "/", "place", 4.0, "horizon"),
    ("if", "threatens", "deeper", "horizon", "if", "loses", "shallower", "horizon", "horizon"),
    ("if", "threatened", "deeper", "horizon", "if", "<", 0.0, "score", "shallower", "horizon", "horizon"),
    ("if", "<", "level", 2.0, "horizon", 0.0),
    ("*", "horizon", "sigmoid", "-", 3.0, "place"),
    ("if", "<", "place", "moves", "-", "horizon", "*", "place", 0.2, -1.0),
    ("if", "loses", -1.0, "if", "<", "+", "score", "gain", -0.5, -1.0, "horizon"),
)
