# SPDX-License-Identifier: GPL-3.0-or-later
"""The rivals search exactly and know draws; ``tests.goldens`` holds their nodes."""

import subprocess
import sys

from bots.evolution.rivals import ALPHA_BETA, Rival, default_evaluation
from engine.games import find
from engine.search import Limits, Searcher


def test_the_rivals_agree_with_the_engine_s_own_search() -> None:
    """Where nothing can be captured and nobody is in check at the horizon, quiescence makes no difference."""
    game = find("chess")
    for fen in ("8/5k2/8/8/8/3K4/4P3/8 w - - 0 1", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1"):
        position = game.look(game.parse_position(fen))
        own = Searcher(game, "alphabeta", default_evaluation(game)).search(position.state, Limits(depth=4))
        assert Rival(game, 4).choose(position).value == own.value


def test_order_saves_nodes() -> None:
    game = find("chess")
    position = game.look(game.parse_position("r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 1"))
    plain, ordered = (rival.choose(position) for rival in (Rival(game, 4, ALPHA_BETA), Rival(game, 4)))
    assert plain.value == ordered.value
    assert ordered.nodes * 2 < plain.nodes


def test_a_losing_side_finds_the_third_repetition() -> None:
    game = find("chess")
    position = game.look(game.parse_position("8/7k/8/8/8/1Q6/7r/1K6 b - - 0 1"))
    after = game.play(position, game.parse_move(position, "h7h8"))
    assert Rival(game, 2).choose(position).value < 0
    held = Rival(game, 2).choose(position, [after.key, after.key])
    assert (held.value, held.move) == (0, game.parse_move(position, "h7h8"))


def test_cached_code_searches_the_same_in_another_process() -> None:
    code = (
        "from bots.evolution.rivals import Rival; from engine.games import find; game = find('checkers');"
        "found = Rival(game, 5).choose(game.look(game.start())); print(found.value, found.nodes, found.pv)"
    )
    game = find("checkers")
    own = Rival(game, 5).choose(game.look(game.start()))
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert other.stdout.strip() == f"{own.value} {own.nodes} {own.pv}"
