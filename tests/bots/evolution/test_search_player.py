# SPDX-License-Identifier: GPL-3.0-or-later
"""Players with evolved searches: their nodes, their parameters, and what they keep from move to move."""

from dataclasses import replace

import pytest

from bots.evolution.evochess.genome import PLAIN, SEARCH, express, margins_of, schema_for, standard
from bots.evolution.evochess.player import CAP, Player, SearchSettings
from bots.evolution.rivals import default_evaluation
from engine.games import find
from engine.search.margins import MARGINS, NEUTRAL, PARAMETERS, Margins
from engine.search.programs.program import Program
from tests.engine.search.oracle import random_position
from tests.engine.search.programs.cases import RUNAWAY

CHESS = find("chess")
PROGRAMS: tuple[Program, ...] = (PLAIN, ("if", "threatens", "deeper", "horizon", "if", "loses", -1.0, "horizon"))


def settings(name: str, program: Program = PLAIN, margins: Margins = NEUTRAL) -> SearchSettings:
    """Return search settings with the default evaluation of a game."""
    return SearchSettings(program, margins, default_evaluation(find(name)))


def test_genes_are_the_rows_of_the_table_in_its_order() -> None:
    rows = {name: row for name, row in PARAMETERS.items() if not row.models}
    assert [gene.name for gene in SEARCH.genes] == list(rows)
    for gene, row in zip(SEARCH.genes, rows.values(), strict=True):
        assert gene.low == row.least <= gene.standard <= row.most == gene.high
    values = margins_of(SEARCH.standard)
    assert all(getattr(values, name) == getattr(NEUTRAL, name) for name in rows)
    assert margins_of(tuple(float(row.default) for row in rows.values())) == MARGINS


@pytest.mark.parametrize("name", ["chess", "checkers"])
@pytest.mark.parametrize("program", [*PROGRAMS, *RUNAWAY])
@pytest.mark.parametrize("margins", [NEUTRAL, MARGINS], ids=["neutral", "tuned"])
def test_no_program_exceeds_its_nodes(name: str, program: Program, margins: Margins) -> None:
    game = find(name)
    nodes = 200
    player = Player(game, settings(name, program, margins), nodes)
    position = game.look(game.start())
    for ply in range(30):
        if position.over:
            break
        found = player.choose(position)
        assert found.move in position.moves
        assert found.nodes <= CAP * nodes
        assert player.nodes <= nodes * (ply + 1)
        position = game.play(position, found.move)


def test_with_too_few_nodes_for_a_ply_the_first_legal_move_is_played() -> None:
    position = CHESS.look(CHESS.start())
    found = Player(CHESS, settings("chess"), 10).choose(position)
    assert (found.move, found.nodes, found.depth) == (position.moves[0], 0, 0)
    with pytest.raises(ValueError, match="at least one node"):
        Player(CHESS, settings("chess"), 0)


def test_unused_nodes_of_one_move_are_spent_on_later_ones() -> None:
    player = Player(CHESS, settings("chess", margins=MARGINS), 1_000)
    position = CHESS.look(CHESS.start())
    for _ in range(30):
        found = player.choose(position)
        assert found.move is not None
        position = CHESS.play(position, found.move)
    assert 0.8 * 1_000 * player.moves <= player.nodes <= 1_000 * player.moves


@pytest.mark.parametrize("name", ["chess", "checkers"])
def test_a_game_depends_on_no_game_before(name: str) -> None:
    game = find(name)
    used, fresh = (Player(game, settings(name, margins=MARGINS), 500) for _ in range(2))
    for seed in range(3):
        used.choose(random_position(game, seed))
    used.begin()
    position = random_position(game, 3)
    for _ in range(3):
        one, other = used.choose(position), fresh.choose(position)
        assert (one.move, one.value, one.nodes, one.pv) == (other.move, other.value, other.nodes, other.pv)
        if position.over or one.move is None:
            break
        position = game.play(position, one.move)
        if position.over:
            break


def test_neutral_parameters_prune_and_reduce_nothing() -> None:
    """Without pruning, the first plies of two sets of margins that rules do not use give the same search."""
    other = NEUTRAL._replace(
        **{
            name: row.least
            for name, row in PARAMETERS.items()
            if name.endswith(("_margin", "_base", "_slope", "_reduction")) and name != "delta_margin"
        }
    )
    for seed in range(4):
        position = random_position(CHESS, seed)
        one, two = (Player(CHESS, settings("chess", margins=margins), 5_000) for margins in (NEUTRAL, other))
        first, second = one.choose(position), two.choose(position)
        assert (first.value, first.nodes, first.pv) == (second.value, second.nodes, second.pv)


def test_no_iteration_begins_after_its_share_of_the_nodes() -> None:
    position = CHESS.look(CHESS.start())
    early, late = (
        Player(CHESS, settings("chess", margins=MARGINS._replace(iteration_share=share)), 20_000).choose(position)
        for share in (100, 1000)
    )
    assert early.depth < late.depth
    assert sum(iteration.nodes for iteration in early.iterations[:-1]) < 0.1 * 20_000
    assert late.nodes > early.nodes


def test_a_mate_is_found_and_a_left_out_branch_causes_none() -> None:
    mate = CHESS.look(CHESS.parse_position("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1"))
    found = Player(CHESS, settings("chess"), 100_000).choose(mate)
    position = mate
    assert len(found.pv) == 3
    for move in found.pv:
        position = CHESS.play(position, move)
    assert position.over
    # after most of Black's moves White mates on the eighth rank
    held = CHESS.look(CHESS.parse_position("6k1/r4ppp/8/8/7R/8/5PPP/6K1 w - - 0 1"))
    evaluation = default_evaluation(CHESS)
    assert abs(Player(CHESS, settings("chess", margins=MARGINS), 5_000).choose(held).value) < evaluation.win // 2


@pytest.mark.parametrize("game", ["chess", "checkers"])
def test_the_default_genome_is_the_plain_program_with_neutral_parameters(game: str) -> None:
    schema = schema_for(game)
    expressed = express(schema, standard(schema))
    assert replace(expressed, evaluation=default_evaluation(find(game))) == replace(
        settings(game), margins=expressed.margins
    )
