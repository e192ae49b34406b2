# SPDX-License-Identifier: GPL-3.0-or-later
"""A function that compiled code calls is compiled once, as a part; it becomes machine code only if Python calls it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

KERNELS = """
from numba.extending import overload

from engine.kernel import compiled


def more(number): ...
def most(number): ...


# both are called <lambda>.<locals>.<lambda>, and take the same
overload(more)(lambda number: lambda number: number + 1)
overload(most)(lambda number: lambda number: number + 2)


@compiled
def first(number):
    return more(number)


@compiled
def second(number):
    return most(number)


@compiled
def of_first(number):
    return first(number)


@compiled
def of_second(number):
    return second(number)


@compiled
def both(number):
    return 10 * first(number) + second(number)


@compiled
def counted(number):
    count = 0
    for _ in range(number):
        count = first(count)
    return count


@compiled
def added(number, each):
    if number == 0:
        return 0 * each
    return each + added(number - 1, each)


@compiled
def mixed(number, each):
    if number == 0:
        return 0
    return each + mixed(number - 1, each)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "kernels.py").write_text(KERNELS)
    return tmp_path


def printed(folder: Path, script: str) -> list[str]:
    """Run a script in a process of its own; return the lines that it prints."""
    environment = os.environ | {
        "NUMBA_CACHE_DIR": str(folder / "cache"),
        "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)]),
    }
    command = [sys.executable, "-c", f"import kernels\nfrom engine.native import cached_code\n{script}"]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.splitlines()


PARTS = "print([result.library.is_part for result in kernels.first.overloads.values()])"


def test_a_part_becomes_machine_code_when_python_calls_it(folder: Path) -> None:
    script = f"print(kernels.of_first(1)); {PARTS}; print(kernels.first(1)); {PARTS}; print(kernels.of_first(2))"
    assert printed(folder, script) == ["2", "[True]", "2", "[False]", "3"]
    # and all the same when it is loaded
    assert printed(folder, f"{script}; print(cached_code.compiled)") == ["2", "[]", "2", "[False]", "3", "[]"]


def test_a_part_is_kept_for_other_functions_that_call_it(folder: Path) -> None:
    printed(folder, "kernels.of_first(1)")
    assert printed(folder, "print(kernels.both(1)); print(sorted(cached_code.compiled))") == [
        "23",
        "['both', 'second']",
    ]


def test_parts_of_several_processes_do_not_clash_by_name(folder: Path) -> None:
    printed(folder, "kernels.of_first(1)")
    printed(folder, "kernels.of_second(1)")
    assert printed(folder, "print(kernels.both(1)); print(cached_code.compiled)") == ["23", "['both']"]


def test_a_variable_that_begins_as_a_literal_causes_no_second_compilation(folder: Path) -> None:
    script = "print(kernels.counted(3)); print([str(each[0]) for each in kernels.first.overloads])"
    assert printed(folder, script) == ["3", "['int64']"]


def test_the_type_that_calls_of_itself_return_is_inferred_once(folder: Path) -> None:
    script = """
from numba.core import typeinfer
rounds = []
propagate = typeinfer.ConstraintNetwork.propagate
typeinfer.ConstraintNetwork.propagate = lambda *each: rounds.append(each[1]) or propagate(*each)
print(kernels.added(4, 2), kernels.added(4, 0.5))
print(len({id(each) for each in rounds if each.func_id.func_name == "added"}))
"""
    # for each of the two signatures: the inference of the function, and one of what its calls return
    assert printed(folder, script) == ["8 2.0", "4"]


def test_a_function_whose_calls_of_itself_have_another_type_is_refused(folder: Path) -> None:
    script = """
try:
    kernels.mixed(4, 0.5)
except Exception as error:
    print(type(error).__name__, [line for line in str(error).splitlines() if "itself" in line])
"""
    (line,) = printed(folder, script)
    assert line.startswith("TypingError ['the function returns float64, but its calls of itself int64")
