# SPDX-License-Identifier: GPL-3.0-or-later
"""The files that a Python program in a sandbox may read, and the modules that it may import."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from bots.sandbox import Program, Sandbox, find, python_program
from bots.sandbox.process import Tier
from bots.sandbox.python import installation
from tools.debian import BIN

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="sandboxes need Linux")

PATIENCE = 600.0

IMPORTS = """\
import importlib, importlib.metadata, os, sys
for name in {allowed!r}:
    importlib.import_module(name)
import numpy, numba
assert numba.njit(lambda x: x + 1)(numpy.int64(2)) == 3
assert importlib.metadata.version("numba") == numba.__version__
from engine.games import find
assert find("tictactoe").name == "tictactoe"
for name in {refused!r}:
    try:
        importlib.import_module(name)
    except ImportError:
        continue
    print(name)
print(sorted(os.listdir("/libraries/arena")), {data!r} in str(sys.path), callable(exit))
"""
ALLOWED = ("bots", "bots.testing", "engine", "arena.protocol", "arena.rating", "msgspec", "websockets", "chess")
REFUSED = (
    "argon2",
    "alembic",
    "aiohttp",
    "sqlalchemy",
    "wasmtime",
    "arena.store",
    "arena.features",
    "web",
    "lab",
    "pip",
)


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    """The program that imports; the commands of sandboxes are found."""
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}:{BIN}")
    tmp_path.chmod(0o755)
    file = tmp_path / "program.py"
    file.write_text(IMPORTS.format(allowed=ALLOWED, refused=REFUSED, data=sys.prefix), encoding="utf-8")
    return python_program(file)


@pytest.mark.parametrize("tier", ["bubblewrap", "namespaces"])
async def test_a_program_imports_the_sdk_and_the_named_libraries_alone(program: Program, tier: Tier) -> None:
    found = await find()
    if found.sandbox is None or (found.tier, tier) == ("namespaces", "bubblewrap"):
        pytest.skip(f"no such sandbox here: {'; '.join(found.reasons)}")
    running = await Sandbox(tier, found.sandbox.groups).start(program)
    try:
        async with asyncio.timeout(PATIENCE):
            assert await running.read() == b"['__init__.py', 'protocol', 'rating'] False True\n"
    finally:
        await running.close()


def test_a_link_to_the_interpreter_shows_no_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``~/.local`` has the default data directory, and links to interpreters in ``bin``."""
    installed, local, environment = (tmp_path / name for name in ("python", ".local", "environment"))
    for prefix in (installed, local, environment):
        (prefix / "bin").mkdir(parents=True)
    (installed / "bin/python3.11").touch()
    (local / "bin/python3.11").symlink_to(installed / "bin/python3.11")
    (environment / "bin/python").symlink_to(local / "bin/python3.11")
    monkeypatch.setattr(sys, "executable", str(environment / "bin/python"))
    monkeypatch.setattr(sys, "base_prefix", str(installed))
    assert installation() == (installed,)
