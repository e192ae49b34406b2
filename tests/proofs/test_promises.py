# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/promises.md: whatever is promised is held by tests and proofs that exist."""

import ast
import re
from pathlib import Path

from tests.proofs.catalogue import PROOFS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "promises.md").read_text(encoding="utf-8")
PROMISES = [promise.partition("\n## ")[0] for promise in re.split(r"^- \*\*", PAGE, flags=re.MULTILINE)[1:]]
TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
PROOF = re.compile(r"\[(\w+)\]\(proofs/(\w+)\.md\)")


def test_every_promise_is_held_by_something() -> None:
    assert PROMISES
    assert not [promise for promise in PROMISES if not (TEST.search(promise) or PROOF.search(promise))]


def test_the_tests_exist() -> None:
    for path, name in TEST.findall(PAGE):
        functions = ast.walk(ast.parse((ROOT / path).read_bytes()))
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        assert name in {each.name for each in functions if isinstance(each, kinds)}, (path, name)


def test_every_proof_holds_a_promise() -> None:
    named = PROOF.findall("".join(PROMISES))
    assert {name for name, _ in named} == set(PROOFS)
    assert all(name == page for name, page in named)
