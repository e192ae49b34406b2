# SPDX-License-Identifier: GPL-3.0-or-later
"""A damaged or unwritable cache of compiled code costs time, never a game."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.runtime import sources_hash
from engine.warm import command

ROOT = Path(__file__).resolve().parents[2]
GAME = "nim"
LIMITED = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
os.execv(sys.argv[1], sys.argv[1:])
"""
"""Runs a command whose files may have 100 bytes, as if the disk were full."""


def compile_game(cache: Path, temporary: Path | None = None) -> "subprocess.CompletedProcess[str]":
    """Compile a game in another process, which keeps its code in ``cache``."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache)}
    if temporary is not None:
        environment["TMPDIR"] = str(temporary)
    return subprocess.run(command([GAME]), env=environment, capture_output=True, text=True, check=True, cwd=ROOT)


def told(run: "subprocess.CompletedProcess[str]") -> dict[str, str]:
    """Return what the process told of the game."""
    line: dict[str, str] = json.loads(run.stdout)
    return line


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that holds all code of the game."""
    cache = tmp_path_factory.mktemp("kernels")
    assert told(compile_game(cache))["failed"] == ""
    return cache


@pytest.fixture
def cache(filled: Path, tmp_path: Path) -> Path:
    """A copy of it that may be damaged."""
    return Path(shutil.copytree(filled, tmp_path / "copy"))


def halve(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def garble(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 0xFF
    file.write_bytes(data)


def empty(file: Path) -> None:
    file.write_bytes(b"")


def remove(file: Path) -> None:
    file.unlink()


def is_warm(cache: Path) -> bool:
    """Ask another process whether it would have to compile nothing."""
    ask = f"from engine.runtime import is_warm; print(is_warm({GAME!r}))"
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache)}
    run = subprocess.run(
        [command([])[0], "-c", ask], env=environment, capture_output=True, text=True, check=True, cwd=ROOT
    )
    return run.stdout.strip() == "True"


@pytest.mark.parametrize("suffix", ["nbi", "nbc", "warm"])
@pytest.mark.parametrize("damage", [halve, garble, empty, remove])
def test_what_is_damaged_is_compiled_again(cache: Path, damage: Callable[[Path], None], suffix: str) -> None:
    assert is_warm(cache)
    files = list(cache.rglob(f"*.{suffix}"))
    assert files
    for file in files:
        damage(file)
    assert not is_warm(cache), "a server would load it where compiling holds up its matches"
    run = compile_game(cache)
    assert told(run)["failed"] == ""
    assert ("damaged" in run.stderr) == (damage is not remove and suffix != "warm")
    assert is_warm(cache), "it is whole again"
    assert compile_game(cache).stderr == ""


def test_one_damaged_file_leaves_the_others_in_use(cache: Path) -> None:
    victim, *others = sorted(cache.rglob("*.nbc"))
    before = {file: file.stat().st_mtime_ns for file in others}
    garble(victim)
    run = compile_game(cache)
    assert run.stderr.count("compiling it again") == 1
    assert {file: file.stat().st_mtime_ns for file in others} == before


def test_a_directory_that_cannot_be_made_is_replaced_by_a_private_one(tmp_path: Path) -> None:
    blocked, temporary = tmp_path / "file", tmp_path / "tmp"
    blocked.write_text("not a directory")
    temporary.mkdir()
    run = compile_game(blocked, temporary)
    private = Path(told(run)["cache"])
    assert (told(run)["failed"], private.is_relative_to(temporary)) == ("", True)
    assert private.parent.stat().st_mode & 0o077 == 0, "nobody else may put code there"
    (warning,) = run.stderr.splitlines()
    assert str(blocked) in warning
    assert "Not a directory" in warning
    assert list(private.rglob("*.nbc"))
    again = compile_game(blocked, temporary)
    assert told(again)["cache"] == str(private), "the next process goes on with it"


def test_a_private_directory_of_somebody_else_is_not_used(tmp_path: Path) -> None:
    blocked, temporary = tmp_path / "file", tmp_path / "tmp"
    blocked.write_text("")
    planted = temporary / f"bot-arena-kernels-{os.getuid()}"
    planted.mkdir(parents=True)
    planted.chmod(0o777)
    private = Path(told(compile_game(blocked, temporary))["cache"])
    assert private.is_relative_to(temporary)
    assert not private.is_relative_to(planted)


def test_a_system_that_takes_no_files_at_all_costs_no_game(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "kernels"), "TMPDIR": str(tmp_path)}
    limited = [sys.executable, "-c", LIMITED, *command([GAME])]
    run = subprocess.run(limited, env=environment, capture_output=True, text=True, check=True, cwd=ROOT)
    assert told(run)["failed"] == ""
    assert "nor in a temporary directory" in run.stderr
    assert not list(tmp_path.rglob("*.nbc"))


def test_what_an_unwritable_directory_holds_is_copied(cache: Path, tmp_path: Path) -> None:
    if os.getuid() == 0:
        pytest.skip("nothing is unwritable to root")
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    directory = cache / sources_hash(ROOT)
    directory.chmod(0o500)
    try:
        run = compile_game(cache, temporary)
    finally:
        directory.chmod(0o700)
    assert Path(told(run)["cache"]).is_relative_to(temporary)
    assert sorted(file.name for file in Path(told(run)["cache"]).rglob("*.nbc")) == sorted(
        file.name for file in directory.rglob("*.nbc")
    )
