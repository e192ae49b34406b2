# SPDX-License-Identifier: GPL-3.0-or-later
"""The files that a Python program in a sandbox may read, and the modules that it may import."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bots.sandbox import Program, ProgramFailed, Sandbox, find, python_program
from bots.sandbox.kernels import of_game
from bots.sandbox.process import Tier
from bots.sandbox.python import installation
from engine.native import runtime
from tools.debian import BIN

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="sandboxes need Linux")

PATIENCE = 600.0
ROOT = Path(__file__).parents[3]

IMPORTS = """\
import importlib, importlib.metadata, os, sys
for name in {allowed!r}:
    importlib.import_module(name)
import numpy, numba
assert numba.njit(lambda x: x + 1)(numpy.int64(2)) == 3
assert importlib.metadata.version("numba") == numba.__version__
assert importlib.metadata.version("numpy") == numpy.__version__
assert importlib.metadata.version("chess") and importlib.metadata.version("llvmlite")
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


SEARCHES = """\
import os
from engine.native import cached_code, runtime
from engine.games import find
from engine.search import Limits, Searcher
game = find("tictactoe")
place = str(runtime.use_cache())
print(Searcher(game, "minimax").search(game.look(game.start()).state, Limits(depth=2)).nodes)
print(cached_code.compiled)
packages = [each for each in os.listdir(place) if os.path.islink(place + "/" + each)]
assert "engine.search" in packages
for each in packages:
    package = place + "/" + each
    files = [package + "/" + name for name in os.listdir(package)]
    for attempt in (
        lambda: open(package + "/new.nbi", "wb"),
        lambda: open(files[0], "r+b"),
        lambda: os.unlink(files[0]),
        lambda: os.rename(files[0], files[0] + "x"),
        lambda: os.chmod(files[0], 0o777),
    ):
        try:
            attempt()
        except OSError:
            continue
        print("written in", package)
print(sorted(packages), "and its own", os.access(place, os.W_OK))
"""
"""Searches by the SDK, and then tries to write into the shown code."""


@pytest.fixture(scope="module")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache directory with the compiled code of that search, and with code of another file."""
    folder = tmp_path_factory.mktemp("kernels")
    folder.chmod(0o755)
    script = f"{SEARCHES.partition('print(')[0]}print(place)\n{SEARCHES.splitlines()[6]}"
    done = subprocess.run(
        [sys.executable, "-c", script],
        check=True,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "NUMBA_CACHE_DIR": str(folder)},
    )
    place = Path(done.stdout.splitlines()[0])
    (place / f"engine_{'0' * 40}").mkdir()
    return place


@pytest.mark.parametrize("tier", ["bubblewrap", "namespaces"])
async def test_a_program_uses_compiled_code_of_the_arena_and_cannot_change_it(
    tmp_path: Path, program: Program, kernels: Path, monkeypatch: pytest.MonkeyPatch, tier: Tier
) -> None:
    monkeypatch.setattr(runtime, "use_cache", lambda: kernels)
    found = await find()
    if found.sandbox is None or (found.tier, tier) == ("namespaces", "bubblewrap"):
        pytest.skip(f"no such sandbox here: {'; '.join(found.reasons)}")
    (tmp_path / "searches.py").write_text(SEARCHES, encoding="utf-8")
    running = await Sandbox(tier, found.sandbox.groups).start(python_program(tmp_path / "searches.py"))
    try:
        async with asyncio.timeout(PATIENCE):
            told = [await running.read() for _ in range(3)]
    except ProgramFailed as error:
        pytest.fail(f"{error}: {running.errors}")
    finally:
        await running.close()
    assert told[1:] == [b"[]\n", b"['engine', 'engine.search'] and its own True\n"]


def test_a_match_shows_no_compiled_code_of_other_games() -> None:
    games = "kernels/engine.games.chess", "kernels/engine.games.chess.evaluation", "kernels/engine.games.checkers"
    others = "engine", "numpy", "kernels/engine.search", "kernels/engine.games"
    every = {place: Path("/") / place for place in (*games, *others)}
    assert of_game(every, "") == every
    assert [*of_game(every, "chess")] == [*games[:2], *others]
    assert [*of_game(every, "checkers/lecture")] == [games[2], *others]
    assert [*of_game(every, "nim")] == [*others]


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
