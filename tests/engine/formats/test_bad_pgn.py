# SPDX-License-Identifier: GPL-3.0-or-later
"""Truncated, damaged, non-UTF-8 or huge PGN is read as far as possible, or refused at once."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.formats import Unreadable, json_lines, movetext, pgn
from engine.match.record import Record

GAME = """\
[Event "Cup"]
[White "Ünal"]
[WhiteElo "1510"]
[FEN "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1"]
[Seed "7"]

1... O-O {book} (1... hxg2 {better?} 2. Rg1) 2. O-O-O!? {+0.31/12 1.25s} hxg2 $4 {0.045s} 1/2-1/2
"""
PIECES = [*"(){}[];$*%", '"', "\\", "\0", "\n", "\ud800", "1-0", "--", "0-0", "e8=K", "9" * 400, "Nf3 "]

once = settings(deadline=None)


def read(text: str) -> tuple[list[Record], list[Unreadable]]:
    """Return the games of a text, each played again and written again, and what was refused."""
    refused: list[Unreadable] = []
    records = list(pgn.read(text.splitlines(), refused.append))
    for record in records:
        assert list(record.positions())
        assert json.loads("".join(json_lines.write([record])))
        assert "".join(pgn.write([record]))
    assert all(len(str(each)) < 300 for each in refused)
    return records, refused


def test_pgn_that_is_cut_off_anywhere_is_read_or_refused() -> None:
    ((whole,), _) = read(GAME)
    for end in range(len(GAME)):
        records, refused = read(GAME[:end])
        assert len(records) + len(refused) <= 1
        assert not records or len(records[0].moves) <= len(whole.moves)


def test_an_incomplete_utf8_character_becomes_a_question_mark() -> None:
    (record,), _ = read(GAME.replace("Cup", "Cup \ud800").replace("Ünal", "\udc80"))
    assert record.event == "Cup ?"
    assert record.players[0].name == "?"


@once
@given(st.data())
def test_a_broken_game_is_read_or_refused(data: st.DataObject) -> None:
    text = GAME
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        gone = data.draw(st.integers(0, 12))
        text = text[:at] + data.draw(st.sampled_from(PIECES) | st.text(max_size=3)) + text[at + gone :]
    read(text)


@once
@given(st.binary(max_size=80), st.integers(0, len(GAME)))
@pytest.mark.parametrize(
    "reading", [("utf-8", "replace"), ("utf-8", "surrogateescape"), ("latin-1", "strict")], ids=str
)
def test_invalid_utf8_is_read_or_refused(reading: tuple[str, str], dirt: bytes, at: int) -> None:
    raw = GAME.encode()
    text = (raw[:at] + dirt + raw[at:]).decode(*reading)
    refused: list[Unreadable] = []
    for record in pgn.read(re.split(r"\r?\n", text), refused.append):
        assert list(record.positions())


LARGE = movetext.LIMIT - 100


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "text",
    [
        "1. e4 " + "(" * LARGE + " *",
        "1. e4 " + ")" * LARGE + " *",
        "1. e4 " + "{" * LARGE + " *",
        "1. e4 " + "(1. d4 " * (LARGE // 8) + " *",
        "1. e4 " + "$1 " * (LARGE // 3) + " *",
        "1. e4 " + "9" * LARGE + " *",
        "1. e4 " + "N" * LARGE + " *",
        "[" * 5_000_000 + "\n1. e4 *",
        '[x "' * 1_000_000 + "\n1. e4 *",
        '[Event "' + "x" * 3_000_000 + '"]\n1. e4 *',
        '[FEN "' + "8/" * 1_500_000 + '"]\n1. e4 *',
        '[Date "' + "1955." * 600_000 + '"]\n1. e4 *',
        "1. e4 * " * 1_000_000,
        "\0" * 3_000_000,
    ],
    ids=lambda text: text[:12],
)
def test_megabytes_are_read_or_refused(text: str) -> None:
    refused: list[Unreadable] = []
    records = list(pgn.read(text.splitlines(), refused.append))
    assert len(records) + len(refused) <= 1
    assert all(len(str(each)) < 300 for each in refused)


@pytest.mark.parametrize("rating", ["nan", "inf", "1e999", "9" * 400, "１５００", "0x10"])
def test_a_rating_that_is_not_a_number_is_omitted(rating: str) -> None:
    ((record,), _) = read(GAME.replace("1510", rating))
    assert record.players[0].rating is None
