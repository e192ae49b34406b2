# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages guarantees, threats and fair-play of docs/explanation name existing tests and reports for each promise."""

import ast
import re
from pathlib import Path

import pytest

from lab.proofs.catalogue import PROOFS

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "docs" / "explanation"
PAGES = {name: (FOLDER / f"{name}.md").read_text(encoding="utf-8") for name in ("guarantees", "threats", "fair-play")}
BEGINNING = re.compile(r"^(?:-|\d+\.) \*\*", re.MULTILINE)
"""Of a promise: a point of a list, or a numbered one, that begins with bold words."""
PROMISES = {
    name: [promise.partition("\n## ")[0] for promise in BEGINNING.split(page)[1:]] for name, page in PAGES.items()
}
TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
PROOF = re.compile(r"\[([\w-]+)\]\(\.\./reports/stress/([\w-]+)\.md\)")


@pytest.mark.parametrize("name", PAGES)
def test_every_promise_is_held_by_something(name: str) -> None:
    assert PROMISES[name]
    assert not [promise for promise in PROMISES[name] if not (TEST.search(promise) or PROOF.search(promise))]


@pytest.mark.parametrize("name", PAGES)
def test_the_tests_exist(name: str) -> None:
    for path, test in TEST.findall(PAGES[name]):
        functions = ast.walk(ast.parse((ROOT / path).read_bytes()))
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        assert test in {each.name for each in functions if isinstance(each, kinds)}, (path, test)


def test_every_proof_holds_a_promise() -> None:
    named = PROOF.findall("".join(PROMISES["guarantees"]) + PAGES["threats"])
    assert {name for name, _ in named} == set(PROOFS)
    assert all(name == page for name, page in named)
