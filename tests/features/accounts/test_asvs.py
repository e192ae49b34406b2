# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/explanation/asvs.md: whatever is met is held by tests that exist."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "explanation" / "asvs.md").read_text("utf-8")
ROWS = re.findall(r"^\| (.+?) \| (met|partly|no) \| (.*?) ?\|$", PAGE, re.MULTILINE)
TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


@pytest.mark.parametrize(("item", "state", "held"), ROWS, ids=[item for item, *_ in ROWS])
def test_what_is_met_is_held_by_a_test(item: str, state: str, held: str) -> None:
    named = TEST.findall(held)
    assert named or state != "met"
    for path, test in named:
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        functions = ast.walk(ast.parse((ROOT / path).read_bytes()))
        assert test in {each.name for each in functions if isinstance(each, kinds)}, (path, test)


def test_every_line_of_a_table_is_a_row() -> None:
    tables = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith("| item")]
    assert len(tables) == len(ROWS) > 60
