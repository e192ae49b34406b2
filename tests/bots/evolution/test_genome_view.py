# SPDX-License-Identifier: GPL-3.0-or-later
"""Search traces: they show what a search did, and tracing changes nothing."""

from dataclasses import replace

import msgspec
import pytest

from arena.protocol.genome_views import GenomeView, Searched, SearchTrace
from bots.evolution.evochess.genome import SEARCH, Genome, Read, champion, express, schema_for
from bots.evolution.evochess.genome_view import genome_view, search_traces
from bots.evolution.steered.player import Player
from bots.evolution.steered.search_trace import DEPTH, PASS, SHOWN, positions, search_trace
from bots.evolution.steered.steering import alpha_beta, negascout
from engine.game import Position
from engine.games import find
from engine.search.programs.program import Program

CHECKERS = schema_for("checkers")


def own(told: SearchTrace) -> Searched:
    """The player's search."""
    return told.searches[0]


def behind(told: Searched, place: int) -> list[int]:
    """The places of the branches that grow from one."""
    return [other for other, one in enumerate(told.branches) if one.parent == place]


def steered(program: Program, position: Position, **changes: float) -> Searched:
    """What a program does on a position of checkers, with nodes for a few plies."""
    names = [gene.name for gene in SEARCH.genes]
    values = tuple(changes.get(name, standard) for name, standard in zip(names, SEARCH.standard, strict=True))
    kept = Read(CHECKERS, Genome(program, values, CHECKERS.standard), 3_000)
    return own(search_trace(find("checkers"), express(CHECKERS, kept.genome), kept.nodes, position, "mine"))


def test_a_plain_search_gives_every_branch_the_same_depth() -> None:
    game = find("checkers")
    told = search_trace(game, alpha_beta(game, 3), 1, game.look(game.start()), "plain")
    search = own(told)
    roots = behind(search, -1)
    assert [search.branches[place].move for place in roots] == list(game.move_texts(game.look(game.start())))
    assert sum(search.branches[place].nodes for place in roots) + 1 == search.nodes
    deep = {-1: 3}
    for place, branch in enumerate(search.branches):
        deep[place] = deep[branch.parent] - 1
        assert branch.parent < place
        assert branch.given == deep[place]
        assert branch.reach == 3
        assert sum(search.branches[other].nodes for other in behind(search, place)) <= branch.nodes
    assert search.left_out == 0 or len(search.branches) == SHOWN
    assert (told.position, told.to_move) == (game.format_position(game.start()), 0)


def test_telling_changes_nothing_and_the_rivals_are_the_frozen_ones() -> None:
    game = find("checkers")
    for position in positions("checkers"):
        _, first, second = search_trace(game, negascout(game, 2), 1, position, "mine").searches
        for told, make in ((first, negascout), (second, alpha_beta)):
            thought = Player(game, make(game, DEPTH)).choose(position)
            assert (told.nodes, told.depth) == (thought.nodes, DEPTH)
            assert told.move == game.write_move(position, thought.move)
        assert first.branches
        assert not second.branches


def test_a_trace_shows_the_decisions_of_a_program() -> None:
    position = positions("checkers")[1]
    plain, leafy = (steered(program, position) for program in (("horizon",), (0.0,)))
    assert max(branch.reach for branch in plain.branches) > 2
    assert {(branch.given, branch.reach) for branch in leafy.branches} == {(0.0, 1)}
    late: Program = ("if", "<", "place", 1.0, "horizon", "shallower", "horizon")
    told = steered(late, position)
    given = [told.branches[place].given for place in behind(told, -1)]
    assert given == [told.depth - 1, *[told.depth - 2] * (len(given) - 1)]
    # a branch that is searched again has the usual depth at last
    assert (
        max(branch.given for branch in steered(late, position, **{"full-depth re-search": 1.0}).branches) <= told.depth
    )


def test_passing_is_a_branch() -> None:
    game = find("chess")
    steering = replace(negascout(game, 1), depth=None).changed(null_move=1)
    searches = [own(search_trace(game, steering, 20_000, position, "mine")) for position in positions("chess")]
    assert any(branch.move == PASS for search in searches for branch in search.branches)
    for search in searches:
        assert all(search.branches[branch.parent].move != PASS for branch in search.branches if branch.move == PASS)


def test_a_rival_that_takes_too_long_is_stopped_and_that_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.evolution.steered.search_trace.MOST", 500)
    game = find("checkers")
    _, *rivals = search_trace(game, negascout(game, 1), 1, positions("checkers")[1], "mine").searches
    assert all(rival.capped and rival.nodes == 500 and rival.depth == 0 for rival in rivals)


def test_champions_have_a_genome_view() -> None:
    kept = champion("chess")
    shown = genome_view(kept, search_traces(kept, "evochess"))
    body = msgspec.json.encode(shown)
    assert msgspec.json.decode(body, type=GenomeView) == shown
    assert len(body) < 48_000, "it must fit into a request"
    assert [len(module.genes) for module in shown.modules] == [10, 29, 21]
    assert [one.searches[0].name for one in shown.search_traces] == ["evochess"] * 3
    assert len({one.position for one in shown.search_traces}) == 3


@pytest.mark.long  # compiles the evolved search for tic-tac-toe
def test_short_games_have_positions_too() -> None:
    assert len(positions("tictactoe")) == 3
    assert not any(position.over for position in positions("tictactoe"))
