# SPDX-License-Identifier: GPL-3.0-or-later
"""The core of the arena and the web server name no feature: neither it nor its tables, settings, commands or pages."""

import pkgutil
import re
from importlib import import_module
from pathlib import Path

import pytest

from arena.cli.features import FEATURES
from arena.feature import Feature
from arena.settings import declared

ROOT = Path(__file__).parents[2]

APART = (
    "arena/features",
    "arena/cli",  # the composition root, and the client's side: bots that volunteer
    "arena/protocol",  # what clients import, whether an arena has the feature or not
    "arena/store/migrations",  # one chain, whatever features there are
    "arena/rating",  # populations of players are a term of its mathematics
    "web/static/vendor",
)
SHARED = {
    *("account", "explain", "health", "node", "nodes", "operators", "people", "person", "runner", "runners"),
    "submit",
}
"""Names with another meaning in the core: the audit log names an account, which may be one of the machine; ratings
explain games; health is the server's; a search visits nodes, and a tree has them; operators are processes of the arena
too; people watch, and a side of a match may be a person; a tournament has a runner, and aiohttp too; work is submitted.
"""
KINDS = {".py", ".js", ".css", ".html"}


def core() -> list[Path]:
    """The files of the core."""
    files = [path for room in ("arena", "web") for path in (ROOT / room).rglob("*") if path.suffix in KINDS]
    return [path for path in files if not path.relative_to(ROOT).as_posix().startswith(APART)]


def names(feature: Feature[object]) -> set[str]:
    """The names that a feature declares, those of games and of common things aside."""
    found = {feature.name, *(table.name for table in feature.tables()), *feature.operators}
    kind = feature.settings()
    if kind is not None:
        found |= {each.name for each in declared(kind)}
    if feature.commands is not None:
        found |= {info.name for info in pkgutil.iter_modules(import_module(feature.commands).__path__)}
    return found - SHARED


@pytest.mark.parametrize("feature", FEATURES, ids=lambda feature: feature.name)
def test_the_core_does_not_name_it(feature: Feature[object]) -> None:
    words = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names(feature))))})\b", re.IGNORECASE)
    named = {
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in core()
        for match in words.finditer(path.read_text("utf-8"))
    }
    assert not named


def test_the_core_is_looked_through() -> None:
    assert {"arena/application.py", "web/pages.py", "web/static/shell.js"} <= {
        path.relative_to(ROOT).as_posix() for path in core()
    }
