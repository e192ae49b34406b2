# SPDX-License-Identifier: GPL-3.0-or-later
"""Search traces: they show what a search did, and tracing changes nothing."""

import msgspec
import pytest

from arena.protocol.genome_views import GenomeView, Searched, SearchTrace
from bots.evolution.evochess.genome import SEARCH, champion
from bots.evolution.evochess.genome_view import genome_view, search_traces
from bots.evolution.evochess.player import Player, SearchSettings
from bots.evolution.evochess.search_trace import DEPTH, SHOWN, positions, search_trace
from bots.evolution.rivals import ALPHA_BETA, NEGASCOUT, Rival, default_evaluation
from engine.game import Position
from engine.games import find
from engine.search import SearchResult
from engine.search.margins import MARGINS, NEUTRAL
from engine.search.programs.program import Program


def own(told: SearchTrace) -> Searched:
    """The player's search."""
    return told.searches[0]


def text(position: Position, found: SearchResult) -> str:
    """The move that a search found, as people write it."""
    assert found.move is not None
    return find("checkers").write_move(position, found.move)


def behind(told: Searched, place: int) -> list[int]:
    """The places of the branches that grow from one."""
    return [other for other, one in enumerate(told.branches) if one.parent == place]


def searched(program: Program, position: Position) -> Searched:
    """What a program does on a position of checkers, with nodes for a few plies."""
    settings = SearchSettings(program, NEUTRAL, default_evaluation(find("checkers")))
    return own(search_trace(find("checkers"), settings, 3_000, position, "mine"))


@pytest.mark.parametrize("name", ["chess", "checkers"])
def test_a_trace_shows_each_branch_once_with_its_nodes(name: str) -> None:
    game = find(name)
    for position in positions(name):
        settings = SearchSettings(("horizon",), MARGINS, default_evaluation(game))
        told = search_trace(game, settings, 4_000, position, "mine")
        search = own(told)
        roots = behind(search, -1)
        assert sorted(search.branches[place].move for place in roots) == sorted(
            game.write_move(position, move) for move in position.moves
        )
        assert 0 < sum(search.branches[place].nodes for place in roots) < search.nodes
        for place, branch in enumerate(search.branches):
            assert branch.parent < place
            assert 0 <= branch.given <= search.depth
            children = behind(search, place)
            assert len({search.branches[other].move for other in children}) == len(children)
            assert sum(search.branches[other].nodes for other in children) <= branch.nodes
            assert all(search.branches[other].reach <= branch.reach for other in children)
        assert search.left_out == 0 or len(search.branches) == SHOWN
        assert (told.position, told.to_move) == (game.format_position(position.state), position.to_move)


def test_tracing_changes_nothing_and_the_rivals_are_the_fixed_ones() -> None:
    game = find("checkers")
    settings = SearchSettings(("horizon",), MARGINS, default_evaluation(game))
    for position in positions("checkers"):
        mine, *rivals = search_trace(game, settings, 2_000, position, "mine").searches
        found = Player(game, settings, 2_000).choose(position)
        assert (mine.nodes, mine.depth, mine.move) == (found.nodes, found.depth, text(position, found))
        for told, kind in zip(rivals, (NEGASCOUT, ALPHA_BETA), strict=True):
            found = Rival(game, DEPTH, kind).choose(position)
            assert (told.nodes, told.depth, told.branches) == (found.nodes, DEPTH, [])
            assert told.move == text(position, found)


def test_a_trace_shows_the_decisions_of_a_program() -> None:
    position = positions("checkers")[1]
    plain, leafy = (searched(program, position) for program in (("horizon",), (0.0,)))
    assert max(branch.reach for branch in plain.branches) > 2
    assert {(branch.given, branch.reach) for branch in leafy.branches} == {(0.0, 1)}
    late: Program = ("if", "<", "place", 1.0, "horizon", "shallower", "horizon")
    told = searched(late, position)
    given = [told.branches[place].given for place in behind(told, -1)]
    assert given == [told.depth - 1, *[told.depth - 2] * (len(given) - 1)]
    # of the branches that the program leaves out, only those of the root are searched
    narrow = searched(("if", "<", "place", 1.0, "horizon", -1.0), position)
    assert len(behind(narrow, -1)) == len(position.moves)
    assert len(narrow.branches) < len(plain.branches)


def test_a_rival_s_search_with_too_many_nodes_is_stopped_and_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.evolution.evochess.search_trace.MOST", 500)
    game = find("checkers")
    settings = SearchSettings(("horizon",), NEUTRAL, default_evaluation(game))
    _, *rivals = search_trace(game, settings, 100, positions("checkers")[1], "mine").searches
    assert all(rival.capped and rival.nodes == 500 and rival.depth == 0 for rival in rivals)


def test_champions_have_a_genome_view() -> None:
    kept = champion("chess")
    shown = genome_view(kept, search_traces(kept, "evochess"))
    body = msgspec.json.encode(shown)
    assert msgspec.json.decode(body, type=GenomeView) == shown
    assert len(body) < 48_000, "it must fit into a request"
    assert [len(module.genes) for module in shown.modules] == [len(SEARCH.genes), 21]
    assert [one.searches[0].name for one in shown.search_traces] == ["evochess"] * 3
    assert len({one.position for one in shown.search_traces}) == 3


@pytest.mark.long  # compiles the evolved search for tic-tac-toe
def test_short_games_have_positions_too() -> None:
    assert len(positions("tictactoe")) == 3
    assert not any(position.over for position in positions("tictactoe"))
