# SPDX-License-Identifier: GPL-3.0-or-later
"""The command that prints what each search visits, held against the oracle on a corpus of positions."""

import dataclasses
from typing import Any

import msgspec
import pytest

from arena.cli import main
from engine.games import find
from engine.search import ALGORITHMS, INEXACT
from lab.commands import table
from lab.commands.table import Row, configurations, rows_of, wrong_values
from tests.engine.search.oracle import minimax

CORPUS = [
    ("chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("chess", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
    ("chess", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
    ("chess", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"),
    ("chess", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"),
    ("chess", "6k1/5ppp/8/8/8/8/r4PPP/1R4K1 b - - 0 1"),
    ("chess", "7k/5K2/8/6P1/8/8/8/8 w - - 0 1"),
    ("checkers", ""),
    ("checkers", "B:W18,24,K10:B12,16,K22"),
    ("checkers", "W:W21,K29,27:B9,K6,14,15"),
    ("checkers/lecture", ""),
    ("checkers/lecture", "W:W18,22,K10:B11,15,K24"),
]
"""Openings, tactics, mates and promotions, kings and jumps."""


@pytest.fixture(autouse=True)
def small_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clearing a large table for each search takes longer than these searches do."""
    monkeypatch.setattr(table, "TABLE_BITS", 14)


@pytest.mark.parametrize(("name", "position"), CORPUS)
def test_every_exact_search_returns_the_oracles_value(name: str, position: str) -> None:
    game = find(name)
    state = game.parse_position(position) if position else game.start()
    for evaluation in game.evaluations.values():
        oracle = minimax(game, evaluation, game.look(state), 2)
        rows = list(rows_of(game, state, evaluation.name, [2, 3]))
        assert {row.value for row in rows if row.exact and row.depth == 2} == {oracle.value}
        assert next(row.nodes for row in rows if row.algorithm == "minimax") == oracle.nodes
        assert not wrong_values(rows)


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    """What the command prints for programs."""
    assert main(["lab", "table", *arguments, "--json"]) == 0
    printed: list[dict[str, Any]] = msgspec.json.decode(capsys.readouterr().out)
    return printed


def test_json_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    rows = answer(capsys, "chess", "--depths", "3", "2")
    names = list(configurations(find("chess")))
    assert [(row["depth"], row["algorithm"]) for row in rows] == [(depth, name) for depth in (2, 3) for name in names]
    plain = [row for row in rows if row["algorithm"] == "minimax"]
    assert [row["nodes"] for row in plain] == [1 + 20 + 400, 1 + 20 + 400 + 8_902]
    assert all(
        row["nodes"] <= one["nodes"] for one in plain for row in rows if row["exact"] and row["depth"] == one["depth"]
    )


def test_inexact_switches_are_added_one_after_the_other() -> None:
    found = list(configurations(find("chess")).values())
    inexact = [switches for switches in found if switches & INEXACT]
    assert found == found[: -len(inexact)] + inexact, "the exact ones come first"
    added = (ALGORITHMS["play"].switches & INEXACT).bit_count()
    assert [(switches & INEXACT).bit_count() for switches in inexact] == list(range(1, added + 1))
    assert inexact[-1] == ALGORITHMS["play"].switches


def test_searches_that_take_too_long_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "MOST", 100_000)
    game = find("chess")
    ran = {(row.algorithm, row.depth) for row in rows_of(game, game.start(), "material", [2, 3, 4, 5])}
    assert {("minimax", 3), ("alphabeta", 5), ("advanced", 5)} <= ran
    assert not {("minimax", 4), ("minimax", 5), ("transposition", 5)} & ran


def test_a_wrong_value_is_found(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    search = table._search

    def lying(*arguments: Any) -> Row:
        row = search(*arguments)
        return dataclasses.replace(row, value=row.value + 1) if row.algorithm == "ordering" else row

    monkeypatch.setattr(table, "_search", lying)
    assert main(["lab", "table", "tictactoe", "--depths", "2"]) == 1
    assert "ordering at depth 2 should be exact but is not\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["go"], "no game is called 'go'"),
        (["chess", "--position", "8/8"], "is not a position"),
        (["chess", "--depths", "0"], "1 to 100"),
        (["chess", "--evaluation", "taste"], "no evaluation is called 'taste'"),
        (["--depths", "4"], "name a game"),
    ],
)
def test_errors_are_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str], says: str) -> None:
    assert main(["lab", "table", *arguments]) == 2
    told = capsys.readouterr().err
    assert says in told
    assert told.count("\n") == 1
