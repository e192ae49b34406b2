# SPDX-License-Identifier: GPL-3.0-or-later
"""Winning strategies: the stored moves win, the solver plays them at once, and damaged files are refused."""

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.game import Game, Position
from engine.games import catalogue, find
from engine.search import Limits, Searcher
from engine.search import strategy as strategies
from engine.search.memory import CELLS
from engine.search.solver import Solver, symmetric
from engine.search.strategy import lost_positions, path_of, positions, read, write
from lab.commands import strategy as command
from lab.commands.strategy import Maker

GAME = find("connect-four")

LATE = replace(GAME, name="connect-four/late", start=lambda: GAME.parse_position("2342261122752571"))
"""Connect Four from a position that the solver proves won within some 20,000 positions."""

FEW = 1_000
"""Positions that shall suffice after the stored moves."""


@pytest.fixture
def late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, ...]]:
    """Store a strategy of LATE, and return its lines."""
    monkeypatch.setattr(strategies, "FOLDER", tmp_path)
    lines = tuple(Maker(LATE, FEW, 21, []).make())
    path_of(LATE).write_bytes(write(LATE, FEW, "", lines))
    yield lines
    strategies._lost.pop(LATE.name, None)


def stored_moves(game: Game, nodes: int) -> Iterator[Position]:
    """Yield the positions after all stored moves that the first player can come to.

    Fails if a position has no stored move, and a solver with an empty table does not prove a win within the nodes. So
    it is a proof of the strategy.
    """
    lost = lost_positions(game)
    solver = Solver(game, np.zeros(CELLS, np.int64), 21)
    left = [game.look(game.start())]
    seen = set()
    while left:
        position = left.pop()
        if position.key in seen:
            continue
        seen.add(position.key)
        following = [game.play(position, move) for move in position.moves]
        stored = next((after for after in following if symmetric(after.state) in lost), None)
        if stored is None:
            solver.clear()
            assert solver.winning_move(position.state, nodes) is not None
        else:
            yield stored
            left.extend(after for move in stored.moves if not (after := game.play(stored, move)).over)


every_file = pytest.mark.parametrize("game", [game for game in catalogue().values() if path_of(game).exists()])


@every_file
def test_the_lines_of_each_file_are_played_by_its_solver(game: Game) -> None:
    stored = read(game, path_of(game).read_bytes())
    lost = lost_positions(game)
    assert len(lost) == len(stored.lines) == len(set(stored.lines))
    for line, position in zip(stored.lines, positions(game, stored.lines), strict=True):
        before, _, _ = line.rpartition(" ")
        assert not before or before.rpartition(" ")[0] in stored.lines
        assert not position.over
    found = Searcher(game, "solve").search(game.start(), Limits(nodes=100_000))
    assert game.format_move(game.start(), found.move or 0) == stored.lines[0]


@pytest.mark.long
@every_file
def test_each_file_is_complete_for_its_nodes(game: Game) -> None:
    stored = read(game, path_of(game).read_bytes())
    assert 0 < len({symmetric(after.state) for after in stored_moves(game, stored.nodes)}) <= len(stored.lines)


def test_a_strategy_is_complete_for_its_nodes(late: tuple[str, ...]) -> None:
    slower = Searcher(GAME, "solve")
    values = [slower.search(after.state, Limits(depth=26)).value for after in stored_moves(LATE, FEW)]
    assert 1 < len(values) <= len(late)
    assert max(values) < 0


def test_the_solver_plays_stored_moves_without_a_proof(late: tuple[str, ...]) -> None:
    start = LATE.look(LATE.start())
    mirrored = GAME.look(GAME.parse_position("6546627766136317"))
    for position, move in ((start, int(late[0])), (mirrored, 8 - int(late[0]))):
        found, without = (Searcher(game, "solve").search(position.state, Limits(nodes=15_000)) for game in (LATE, GAME))
        assert found.value >= LATE.evaluations["threats"].win > without.value
        assert (found.depth, LATE.format_move(position.state, found.move or 0)) == (26, str(move))


def test_a_search_without_limits_proves_everything_itself(late: tuple[str, ...]) -> None:
    values = {Searcher(game, "solve").search(LATE.start(), Limits(depth=26)).value for game in (LATE, GAME)}
    assert len(values) == 1


def test_a_game_that_is_not_won_has_no_strategy() -> None:
    with pytest.raises(ValueError, match="the first player does not win Connect Four 4×4 from"):
        list(Maker(find("connect-four/4x4"), 1, 21, []).make())


def test_the_command_keeps_the_lines_of_an_interrupted_run(
    late: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "find", lambda name: LATE)
    arguments = argparse.Namespace(game=LATE.name, nodes=FEW, table_bits=21, out=None)
    path_of(LATE).unlink()
    assert command.run(arguments) == 0
    whole = path_of(LATE).read_bytes()
    assert read(LATE, whole).lines == late
    assert [line.partition("  ")[0] for line in capsys.readouterr().out.splitlines()] == [*late]
    path_of(LATE).write_bytes(write(LATE, FEW, "", late[:2]))
    assert command.run(arguments) == 0
    assert path_of(LATE).read_bytes() == whole


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (b'"version": 1', b'"version": 2', "the strategy is of version 2; this is version 1"),
        (b'"connect-four"', b'"chess"', "the strategy is for 'chess', not for connect-four"),
        (b'"4 1', b'"4 2', "the strategy is damaged: its checksum does not fit its lines"),
        (b'"lines"', b'"moves"', "unknown field"),
        (b"{", b"x", "JSON is malformed"),
    ],
)
def test_other_files_are_refused(old: bytes, new: bytes, why: str) -> None:
    content = write(GAME, 1, "", ["4", "4 1 4"])
    assert read(GAME, content).lines == ("4", "4 1 4")
    with pytest.raises(ValueError, match=why):
        read(GAME, content.replace(old, new, 1))
