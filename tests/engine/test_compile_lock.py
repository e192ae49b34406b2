# SPDX-License-Identifier: GPL-3.0-or-later
"""Of all processes that share a cache, one compiles a function; whoever is killed loses the one that it was at."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

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
    assert second.hears() == "waiting for another process, which compiles slow"
    assert first.goes_on() == ["3"]
    assert second.goes_on() == ["3"], "it did not compile"


def test_a_process_that_is_killed_keeps_what_it_finished_and_holds_up_nobody(tmp_path: Path) -> None:
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
            for source in Path(shutil.copytree(ROOT / package, tmp_path / name / package)).rglob("*.py"):
                os.utime(source, (stamp, stamp))
        environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": str(tmp_path / name)}
        command = [sys.executable, "-m", "engine.warm", "nim"]
        subprocess.run(command, env=environment, cwd=tmp_path / name, check=True)
        saved.append({file: file.stat().st_mtime_ns for file in (tmp_path / "cache").rglob("*.nbc")})
    assert saved[0]
    assert saved[0] == saved[1], "the second compiled nothing"
