# SPDX-License-Identifier: GPL-3.0-or-later
"""The selective search searches the tree that a program cuts out, and nothing else changes."""

import pytest

from engine.game import Game, Position
from engine.games import find
from engine.search import Limits, Searcher, Switch
from engine.search.programs.memory import GIVEN, PLY, REACH
from engine.search.programs.program import Program
from tests.engine.search.kernels import gained, holds, pressed
from tests.engine.search.oracle import random_position
from tests.engine.search.programs.cases import RUNAWAY
from tests.engine.search.programs.interpreter import Machine

HORIZON: Program = ("horizon",)
PROGRAMS: tuple[Program, ...] = (
    HORIZON,
    ("-", "horizon", 1.0),
    ("if", "<", "gain", 0.5, "-", "horizon", "/", "place", 4.0, "horizon"),
    ("if", "threatens", "deeper", "horizon", "if", "loses", "shallower", "horizon", "horizon"),
    ("if", "threatened", "deeper", "horizon", "if", "<", 0.0, "material", "shallower", "horizon", "horizon"),
    ("if", "<", "level", 2.0, "horizon", 0.0),
    ("*", "horizon", "sigmoid", "-", 3.0, "place"),
    ("if", "<", "place", "moves", "-", "horizon", "*", "place", 0.2, -1.0),
    ("if", "loses", -1.0, "if", "<", "+", "material", "gain", -0.5, -1.0, "horizon"),
)
GAMES = ("chess", "checkers")
EXACT = Switch.CUTS | Switch.PROGRAM


class Tree:
    """The tree of a program, searched in plain Python without cuts, so that each move's place is that of its list."""

    def __init__(self, game: Game, program: Program, root: int) -> None:
        self.game, self.program, self.root = game, program, root
        self.evaluation = next(iter(game.evaluations.values()))

    def value(self, position: Position, depth: float, ply: int) -> int:
        """Return the value of a position for the seat to move."""
        win, sooner = self.evaluation.win, self.evaluation.sooner
        if position.over:
            return round(position.payoffs[position.to_move] * (win + sooner * (self.root - ply)))
        if depth < 1:
            return self.game.score(position.state, self.evaluation)
        best, tried = -(2**62), 0
        for move in position.moves:
            child = self.game.play(position, move)
            given = self.given(position, child, move, depth, ply, tried)
            if given < 0 and ply and tried and best > -win // 2:
                continue
            ahead = max(0.0, min(given, depth if ply < 2 * self.root else depth - 1))
            value = self.value(child, ahead, ply + 1)
            best = max(best, value if child.to_move == position.to_move else -value)
            tried += 1
        return best

    def given(self, position: Position, child: Position, move: int, depth: float, ply: int, tried: int) -> float:
        """Return what the program gives a branch, run by the interpreter."""
        other = self.game.score(position.state, self.evaluation)
        context = {
            "level": ply,
            "horizon": depth - 1,
            "material": self.evaluation.pawn_units(other),
            "moves": len(position.moves),
            "place": tried,
            "gain": gained(position.state, move) / 100,
            "threatened": float(pressed(position.state)),
            "threatens": float(pressed(child.state)),
            "loses": float(not holds(position.state, move)),
        }
        return Machine(context, {}).run(self.program)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("program", PROGRAMS)
def test_it_finds_the_value_of_the_tree(name: str, program: Program) -> None:
    game = find(name)
    evaluation = next(iter(game.evaluations))
    # without cuts a program sees as many moves before each as in plain Python
    searcher = Searcher(game, "minimax", evaluation, switches=Switch.PROGRAM, program=program, table_bits=4)
    for seed in range(3):
        position = random_position(game, seed)
        for depth in (1, 2):
            searcher.clear()
            found = searcher.search(position.state, Limits(depth=depth))
            assert found.value == Tree(game, program, depth).value(position, float(depth), 0), (seed, depth)
            assert found.move in position.moves


@pytest.mark.parametrize("name", GAMES)
def test_the_program_of_a_constant_depth_changes_nothing(name: str) -> None:
    game = find(name)
    plain, steered = (Searcher(game, "play", program=program, table_bits=12) for program in (None, HORIZON))
    for seed in range(4):
        position = random_position(game, seed)
        one, other = (searcher.search(position.state, Limits(nodes=3_000)) for searcher in (plain, steered))
        assert (one.value, one.pv, one.nodes) == (other.value, other.pv, other.nodes)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("program", [*PROGRAMS, *RUNAWAY])
def test_no_program_exceeds_the_limit_of_nodes(name: str, program: Program) -> None:
    game = find(name)
    searcher = Searcher(game, "play", program=program, table_bits=10)
    position = game.look(game.start())
    for _ in range(30):
        if position.over:
            break
        found = searcher.search(position.state, Limits(nodes=200, depth=40))
        assert found.move is not None
        assert found.nodes <= 200
        position = game.play(position, found.move)


def test_branches_that_are_left_out_cost_no_node() -> None:
    game = find("chess")
    position = game.look(game.start())
    plain, narrow = (
        Searcher(game, "minimax", switches=EXACT, program=program).search(position.state, Limits(depth=3))
        for program in (HORIZON, ("if", "<", "level", 1.0, "horizon", -1.0))
    )
    # the root loses no branch, and every other position keeps its first
    assert 2 * len(position.moves) < narrow.nodes < plain.nodes / 3


def test_left_out_branches_cause_no_mate() -> None:
    game = find("chess")
    # after most of Black's moves White mates on the eighth rank
    position = game.look(game.parse_position("6k1/r4ppp/8/8/7R/8/5PPP/6K1 w - - 0 1"))
    program: Program = ("if", "<", "level", 1.0, "horizon", "if", "<", "level", 2.0, -1.0, "horizon")
    for depth in (3, 4):
        searcher = Searcher(game, "minimax", switches=EXACT, program=program)
        found = searcher.search(position.state, Limits(depth=depth))
        assert abs(found.value) < searcher.evaluation.win // 2


def test_registers_of_the_game_outlive_a_search_and_others_do_not() -> None:
    game = find("chess")
    # the first branch of a game ends at once; the register makes all later ones deeper
    program: Program = ("if", "<", "game 0", 1.0, "*", 0.0, "keep game 0", 1.0, "horizon")
    searcher = Searcher(game, "minimax", switches=EXACT, program=program)
    nodes = [searcher.search(game.start(), Limits(depth=3)).nodes for _ in range(2)]
    searcher.clear()
    again = searcher.search(game.start(), Limits(depth=3)).nodes
    assert nodes[0] == again < nodes[1]


def test_branches_near_the_root_are_traced() -> None:
    game = find("chess")
    program: Program = ("-", "horizon", 0.25)
    searcher = Searcher(game, "minimax", switches=EXACT, program=program, traced=10_000)
    searcher.search(game.start(), Limits(depth=4))
    branches = searcher.branches
    roots = branches[branches[:, PLY] == 0]
    assert set(roots[:, REACH].tolist()) == {1}  # until the next row, of the first answer
    assert branches[branches[:, PLY] == 2][:, REACH].max() == 3
    assert len(roots) == 20
    assert set(roots[:, GIVEN].tolist()) == {2750}
    assert set(branches[:, PLY].tolist()) == {0, 1, 2}
    assert Searcher(game, "play", program=program, traced=5).branches.shape == (0, 5)


def test_invalid_programs_and_games_with_dice_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown word 'nonsense' in the program"):
        Searcher(find("chess"), "play", program=("nonsense",))
    with pytest.raises(ValueError, match="games with dice"):
        Searcher(find("einstein"), "play", program=HORIZON)
