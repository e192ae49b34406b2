# SPDX-License-Identifier: GPL-3.0-or-later
"""The order of the tests in a parallel run."""

from pathlib import Path

import pytest

from arena.cli.features import NAMES
from tests.order import LONGEST, dealt

MODULES = [module for modules in LONGEST for module in modules]
TESTS = [
    f"{module} {number}"
    for module in ("a.py", *MODULES, "z.py")
    for number in range(99 if module in ("a.py", "z.py") else 3)
]


def module_of(test: str) -> str:
    """Return the module of a test."""
    return test.split()[0]


def is_of_an_absent_feature(module: str) -> bool:
    """Whether a module tests a feature that this arena does not have."""
    folder, name, *_ = module.split("/")
    return folder == "features" and name not in NAMES


def test_the_long_modules_exist() -> None:
    missing = [module for module in MODULES if not (Path(__file__).parents[1] / module).is_file()]
    assert not [module for module in missing if not is_of_an_absent_feature(module)]


def test_the_modules_that_share_a_server_stay_together() -> None:
    folder = Path(__file__).parents[1]
    sharing = {
        path.relative_to(folder).as_posix()
        for path in (folder / "browser").glob("test_*.py")
        if "site: Site" in path.read_text("utf-8")
    }
    assert sharing in [set(modules) for modules in LONGEST]


@pytest.mark.parametrize("shares", range(1, 7))
def test_every_share_begins_with_long_modules(shares: int) -> None:
    order = dealt(TESTS, shares, module_of)
    assert sorted(order) == sorted(TESTS)
    assert dealt(TESTS, shares, module_of) == order
    begins = 0
    for number in range(shares):
        assert module_of(order[begins]) in MODULES
        begins += (len(order) - begins) // (shares - number)


def test_a_selection_of_tests_is_kept() -> None:
    assert dealt(["z.py 1", "a.py 2"], 4, module_of) == ["z.py 1", "a.py 2"]
