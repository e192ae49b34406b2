# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages that are made from declarations are up to date, and the C header agrees with the declarations."""

import re

import pytest

from bots.wasm import abi
from engine.formats import Format, pdn, pgn, tags
from engine.match.record import PlayedMove, Player, Record
from tools.documentation import declared
from tools.documentation.staging import ROOT

TYPES = {"I": "uint32_t", "i": "int32_t", "Q": "uint64_t"}
"""Types of C by those of the declarations."""


@pytest.mark.parametrize("name", declared.PAGES)
def test_the_pages_are_made_from_the_declarations(name: str) -> None:
    assert (declared.FOLDER / name).read_text("utf-8") == declared.PAGES[name](), "run: make docs"


def test_the_header_has_the_same_turn() -> None:
    header = (ROOT / "docs" / "examples" / "arena_bot.h").read_text("utf-8")
    body = header.partition("struct arena_turn {")[2].partition("} arena_turn;")[0]
    fields = re.findall(r"^ +(.+?)(\w+);", body, re.MULTILINE)
    assert [name for _, name in fields] == [field.name for field in abi.TURN]
    for (kind, name), field in zip(fields, abi.TURN, strict=True):
        assert ("uint32_t" if "*" in kind else kind.strip()) == TYPES[field.code], name


def test_the_header_has_the_same_functions() -> None:
    header = (ROOT / "docs" / "examples" / "arena_bot.h").read_text("utf-8")
    exports = [each.name for each in (*abi.REQUIRED, *abi.OPTIONAL) if each.name != abi.INITIALIZE]
    assert sorted(re.findall(r"ARENA_EXPORT\((arena_\w+)\) ", header)) == sorted(exports)
    assert re.findall(r"ARENA_IMPORT\(([a-z_]+)\) ", header) == [abi.LOG.name, abi.INSTRUCTIONS_USED.name]


@pytest.mark.parametrize(("form", "game"), [(pgn.FORMAT, "chess"), (pdn.FORMAT, "checkers")])
def test_every_written_tag_is_on_the_page(form: Format, game: str) -> None:
    players = (Player("a", "1", 1500.0), Player("b", "2", 1600.0))
    moves = (PlayedMove("e2e4" if game == "chess" else "11-15"),)
    record = Record(game=game, players=players, result="1-0", moves=moves, seed=1)
    written = re.findall(r"^\[(\w+) ", "".join(form.write([record])), re.MULTILINE)
    assert set(tags.SEVEN) < set(written)
    for name in written:
        assert f"| `{name}` |" in declared.tags_page()
