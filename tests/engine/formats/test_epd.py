# SPDX-License-Identifier: GPL-3.0-or-later
"""EPD: suites of problems, and errors in them."""

import re
from pathlib import Path

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.formats import Unreadable, epd
from engine.formats.epd import Problem

SUITES = sorted((Path(__file__).parents[4] / "shared" / "data").glob("*.epd"))
MATE = "6k1/5ppp/8/8/8/8/8/R3K3 w Q -"
POSITION = f"{MATE} 0 1"


def test_a_problem_is_a_position_with_moves() -> None:
    text = f'\ufeff# a suite\n\n{MATE} bm Ra8+ O-O-O; am Kf1; c0 "a; b"; ce +100; pv Ra8; id "BACK.1";\n'
    assert list(epd.read(text.splitlines())) == [Problem(POSITION, "BACK.1", ("a1a8", "e1c1"), ("e1f1",))]


def test_a_line_may_be_a_position_alone_or_have_counters() -> None:
    for text in (MATE, f"{MATE} 12 34", f"{MATE} ;", f'{MATE} id "";', f"{MATE} bm;"):
        assert list(epd.read([text])) == [Problem(POSITION)]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("6k1/8/8/8/8/8/8/8 w - - bm Ra8;", "line 1: white has no king"),
        (f"{MATE} bm Ra9;", "line 1: 'Ra9' is not a legal move here"),
        (f"{MATE} bm #0;", "line 1: '#0' is not a legal move here"),
        ("nonsense", "line 1: 'nonsense' is not a position"),
        (MATE + " " + "x" * 5000, "line 1: the line is longer than 4,000 characters"),
    ],
)
def test_invalid_problems_are_refused_with_the_reason(text: str, why: str) -> None:
    refused: list[Unreadable] = []
    assert list(epd.read([text, MATE], refused.append)) == [Problem(POSITION)]
    assert str(refused[0]).startswith(why)
    with pytest.raises(Unreadable):
        list(epd.read([text]))


def test_a_problem_is_unchanged_after_read_and_write() -> None:
    line = f'{MATE} bm Ra8# O-O-O; am Kf1; id "BACK 1";\n'
    mates = [f"{MATE} bm #1;\n", f"{MATE} bm #-12;\n"]
    problems = list(epd.read([line, f"{MATE}\n", *mates]))
    assert [problem.mate for problem in problems] == [None, None, 1, -12]
    assert [problem.asks for problem in problems] == [True, False, True, True]
    assert list(epd.write(problems)) == [line, f"{MATE}\n", *mates]
    with pytest.raises(ValueError, match="cannot be the id"):
        list(epd.write([Problem(POSITION, 'a "b"')]))


@settings(deadline=None)
@given(st.text('abm id"w;-/8kK \\', max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    refused: list[Unreadable] = []
    assert len(list(epd.read([f"{MATE} {text}"], refused.append))) + len(refused) == 1


@pytest.mark.parametrize("path", SUITES, ids=lambda path: path.stem)
def test_suites_are_read_as_python_chess_reads_them(path: Path) -> None:
    lines = path.read_text(encoding="latin-1").splitlines()
    problems = list(epd.read(lines))
    assert len(problems) == len(lines)
    for line, problem in zip(lines, problems, strict=True):
        board = chess.Board()
        # the oracle knows moves alone: "bm #5" it is shown as another operation, of which it reads a text
        operations = board.set_epd(re.sub(r"\bbm (#-?\d+);", r'mate "\1";', line))
        if "mate" in operations:
            assert problem == Problem(board.fen(en_passant="legal"), mate=int(str(operations["mate"])[1:]))
            continue
        best = operations["bm"]
        assert isinstance(best, list)
        assert problem == Problem(
            board.fen(en_passant="legal"), str(operations["id"]), tuple(move.uci() for move in best)
        )
