# SPDX-License-Identifier: GPL-3.0-or-later
"""No test gives up soon: on a busy machine everything takes many times as long."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
LEAST = 120.0
"""Seconds that a deadline has at least."""


def numbers(tree: ast.Module) -> dict[str, float]:
    """Return the numeric constants of a module."""
    found = {}
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Constant):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name) and isinstance(node.value.value, int | float):
                found[target.id] = float(node.value.value)
    return found


def deadline(call: ast.Call) -> ast.expr | None:
    """Return the deadline that a call is given: ``timeout=``, or that of ``timeout(…)`` or ``wait_for(…, …)``."""
    function = call.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    if name in ("wait", "Barrier", "expect"):
        return None
    for keyword in call.keywords:
        if keyword.arg == "timeout":
            return keyword.value
    if name == "timeout" and call.args:
        return call.args[0]
    if name == "wait_for" and len(call.args) > 1:
        return call.args[1]
    return None


def short(node: ast.AST, known: dict[str, float]) -> Iterator[int]:
    """Yield the lines of deadlines that are too short, but for waits that are expected to be in vain."""
    expected: list[ast.expr] = []
    if isinstance(node, ast.With | ast.AsyncWith):
        expected += [item.context_expr for item in node.items]
    elif isinstance(node, ast.Try):
        expected += [handler.type for handler in node.handlers if handler.type is not None]
    if any("TimeoutError" in ast.unparse(each) for each in expected):
        return
    if isinstance(node, ast.Call) and (given := deadline(node)) is not None:
        seconds = known.get(given.id) if isinstance(given, ast.Name) else getattr(given, "value", None)
        if isinstance(seconds, int | float) and seconds < LEAST:
            yield node.lineno
    for child in ast.iter_child_nodes(node):
        yield from short(child, known)


@pytest.mark.parametrize("folder", sorted(path.name for path in TESTS.iterdir() if (path / "__init__.py").exists()))
def test_no_deadline_is_short(folder: str) -> None:
    found = []
    for path in sorted((TESTS / folder).rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        found += [f"{path.relative_to(TESTS)}:{line}" for line in short(tree, numbers(tree))]
    assert not found, f"deadlines of less than {LEAST:g} s"


def test_short_deadlines_are_found() -> None:
    tree = ast.parse(
        "SOON = 5\n"
        "with timeout(SOON): pass\n"
        "run(command, timeout=60.0)\n"
        "wait_for(answer, 600)\n"
        "wait_for(answer, 1)\n"
        "with raises(TimeoutError): wait_for(answer, 1)\n"
        "try: wait_for(answer, 1)\n"
        "except TimeoutError: pass\n"
    )
    assert list(short(tree, numbers(tree))) == [2, 3, 5]
