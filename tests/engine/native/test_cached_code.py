# SPDX-License-Identifier: GPL-3.0-or-later
"""The cache of compiled code: damaged and unwritable files, and locks between processes that compile."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.native import cached_code, runtime
from engine.native.runtime import sources_hash
from engine.warm import command

ROOT = Path(__file__).resolve().parents[3]
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
    """Return whether a process with this cache would have to compile nothing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NUMBA_CACHE_DIR", str(cache))
        return runtime.is_warm(GAME)


def damages() -> Iterator[Any]:
    """Yield each kind of damage with each kind of file; most runs try each of either once."""
    kinds = ("nbi", "nbc", "warm")
    for number, damage in enumerate((halve, garble, empty, remove)):
        for place, suffix in enumerate(kinds):
            marks = () if place == number % len(kinds) else pytest.mark.long
            yield pytest.param(damage, suffix, id=f"{damage.__name__}-{suffix}", marks=marks)


@pytest.mark.parametrize(("damage", "suffix"), [*damages()])
def test_damaged_files_are_compiled_again(cache: Path, damage: Callable[[Path], None], suffix: str) -> None:
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


def test_one_damaged_file_does_not_affect_the_others(cache: Path) -> None:
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


def test_games_work_without_any_writable_directory(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "kernels"), "TMPDIR": str(tmp_path)}
    limited = [sys.executable, "-c", LIMITED, *command([GAME])]
    run = subprocess.run(limited, env=environment, capture_output=True, text=True, check=True, cwd=ROOT)
    assert told(run)["failed"] == ""
    assert "nor in a temporary directory" in run.stderr
    assert not list(tmp_path.rglob("*.nbc"))


def test_files_of_an_unwritable_directory_are_copied(cache: Path, tmp_path: Path) -> None:
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


KERNELS = """
from numba.extending import overload

from engine.kernel import compiled


def halt(number):
    return number


@overload(halt)
def _halt(number):
    # runs while the function that calls it is being compiled
    print("compiling", flush=True)
    input()
    return lambda number: number


@compiled
def quick(number):
    return number + 1


@compiled
def slow(number):
    return halt(number) + quick(number)


@compiled
def wrong(number):
    return number.nothing
"""

RUN = """
import logging, sys
logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stdout)
logging.getLogger("numba").setLevel(logging.WARNING)
sys.stdout.reconfigure(line_buffering=True)
import kernels
"""

USE = f"{RUN}print(kernels.slow(1))"


class Compiler:
    """A process that calls a compiled function of ``folder``."""

    def __init__(self, folder: Path, script: str = USE) -> None:
        paths = os.pathsep.join([str(folder), str(ROOT)])
        environment = os.environ | {"NUMBA_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": paths}
        self.process = subprocess.Popen(
            [sys.executable, "-c", script], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def hears(self) -> str:
        """Wait for the next line that it prints."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().rstrip()

    def goes_on(self) -> list[str]:
        """Let it compile the function to the end; return the lines that it prints."""
        return self.process.communicate("\n")[0].splitlines()


def folder_with_kernels(path: Path) -> Path:
    (path / "kernels.py").write_text(KERNELS)
    return path


def test_the_second_process_waits_for_the_first_and_loads_what_it_saved(tmp_path: Path) -> None:
    folder = folder_with_kernels(tmp_path)
    first = Compiler(folder)
    assert first.hears() == "compiling"
    second = Compiler(folder)
    assert second.hears() == "waiting for another process that compiles slow"
    assert first.goes_on() == ["3"]
    assert second.goes_on() == ["3"], "it did not compile"


def test_a_killed_process_leaves_its_finished_code_and_no_lock(tmp_path: Path) -> None:
    folder = folder_with_kernels(tmp_path)
    first = Compiler(folder, f"{RUN}kernels.quick(1); kernels.slow(1)")
    assert first.hears() == "compiling"
    second = Compiler(folder)
    assert second.hears().startswith("waiting")
    first.process.kill()
    first.process.communicate()
    assert second.hears() == "compiling", "the lock is gone with its holder"
    assert second.goes_on() == ["3"]
    third = Compiler(folder, f"{RUN}kernels.slow(1); kernels.quick(1); print(kernels.quick.stats.cache_misses)")
    assert third.goes_on() == ["Counter()"], "what the first finished, and the second, is in the cache"


def test_a_function_that_cannot_be_compiled_leaves_no_lock(tmp_path: Path) -> None:
    folder = folder_with_kernels(tmp_path)
    script = f"""{RUN}
try:
    kernels.wrong(1)
except Exception as error:
    print(type(error).__name__)
input()
"""
    first = Compiler(folder, script)
    assert first.hears() == "TypingError"
    second = Compiler(folder, script)
    assert second.hears() == "TypingError", "the first still runs, and does not hold it up"
    second.goes_on()
    first.goes_on()


def test_two_checkouts_with_the_same_sources_share_their_compiled_code(tmp_path: Path) -> None:
    saved = []
    for stamp, name in enumerate(("one", "two")):
        for package in ("engine", "bots"):
            copy = shutil.copytree(
                ROOT / package, tmp_path / name / package, ignore=shutil.ignore_patterns("__pycache__")
            )
            for source in Path(copy).rglob("*.py"):
                os.utime(source, (stamp, stamp))
        environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": str(tmp_path / name)}
        command = [sys.executable, "-m", "engine.warm", "nim"]
        subprocess.run(command, env=environment, cwd=tmp_path / name, check=True)
        saved.append({file: file.stat().st_mtime_ns for file in (tmp_path / "cache").rglob("*.nbc")})
    assert saved[0]
    assert saved[0] == saved[1], "the second compiled nothing"


def test_a_long_wait_for_a_lock_is_reported_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process holds each lock at the first attempt, and has released it at the second."""
    told: list[str] = []
    monkeypatch.setattr(cached_code, "NOTICE", 0.0)
    monkeypatch.setattr(cached_code, "_warned", [])
    monkeypatch.setattr(cached_code.log, "warning", lambda text, what: told.append(text % what))
    attempts = iter([False, True] * 2)
    monkeypatch.setattr(cached_code, "_locked", lambda descriptor: next(attempts))
    for name in ("one", "two"):
        assert cached_code.take_lock(tmp_path / name, name), "it waited"
        cached_code.release_lock(tmp_path / name)
    assert told == ["Waiting for another process that compiles one."]
