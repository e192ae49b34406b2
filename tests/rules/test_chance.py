# SPDX-License-Identifier: GPL-3.0-or-later
"""Two runs of the suite draw the same."""

import ast
import importlib.util
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

TESTS = Path(__file__).parents[1]
IDENTIFIERS = {"features/volunteers/bench.py", "features/volunteers/test_api.py"}
"""Where random texts tell runs apart, and decide nothing."""

GENERATORS = {"Random", "RandomState", "default_rng", "SystemRandom"}
ENTROPY = {"urandom", "uuid1", "uuid4", "randbits", "token_bytes", "token_hex", "token_urlsafe"}


def unseeded(tree: ast.Module) -> Iterator[str]:
    """Yield the calls of a module that draw without a seed."""
    modules = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            module, _, name = ast.unparse(node.func).rpartition(".")
            shared = module == "random" and "random" in modules and name not in GENERATORS
            seedless = name in GENERATORS and not node.args and not node.keywords
            if shared or seedless or name in ENTROPY:
                yield f"{node.lineno}: {ast.unparse(node.func)}"


def test_no_test_draws_without_a_seed() -> None:
    words = re.compile("|".join({"random", *GENERATORS, *ENTROPY}))
    found = {}
    for path in sorted(TESTS.rglob("*.py")):
        text = path.read_text("utf-8")
        if words.search(text) and (calls := list(unseeded(ast.parse(text)))):
            found[path.relative_to(TESTS).as_posix()] = calls
    # a feature may be absent, and its tests with it
    assert set(found) == {name for name in IDENTIFIERS if (TESTS / name).is_file()}, found


def test_draws_without_a_seed_are_found() -> None:
    tree = ast.parse(
        "import random\nrandom.Random(1).choice([1])\nrandom.choice([1])\nRandom()\nnp.random.default_rng()\n"
        "default_rng(2)\nsecrets.token_hex(8)\nos.urandom(8)"
    )
    assert [call.partition(":")[0] for call in unseeded(tree)] == ["3", "4", "5", "7", "8"]


def test_the_suite_repeats_its_examples_and_make_prove_does_not() -> None:
    assert settings.get_profile("suite").derandomize
    assert not settings.get_profile("prove").derandomize


def test_examples_do_not_depend_on_the_modules_that_are_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = []

    @settings(settings.get_profile("suite"))
    @given(st.integers())
    def draw(number: int) -> None:
        drawn.append(number)

    draw()
    before = drawn.copy()
    drawn.clear()

    file = tmp_path / "constants.py"
    file.write_text(f"CONSTANTS = {list(range(10**9, 10**9 + 400))}")
    spec = importlib.util.spec_from_file_location("constants_of_a_test", file)
    assert spec is not None
    monkeypatch.setitem(sys.modules, "constants_of_a_test", importlib.util.module_from_spec(spec))
    draw()
    assert drawn == before
