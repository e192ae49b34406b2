# SPDX-License-Identifier: GPL-3.0-or-later
"""Seventy hostile programs in each kind of sandbox: none gets out, all end, and their neighbour plays on."""

import asyncio
import json
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from bots.sandbox import find
from bots.sandbox.cgroups import Groups, NoGroups
from tests.bots.sandbox.attacks import attacks
from tools.debian import BIN, installed

ROOT = Path(__file__).parents[3]
NOBODY = 65534
PATIENCE = 900

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="sandboxes need Linux"),
    pytest.mark.skipif(platform.machine() != "x86_64", reason="the attacks call the kernel of x86-64"),
    pytest.mark.timeout(PATIENCE),
]


def battery(tier: str, limits: str, user: int | None = None) -> list[dict[str, object]]:
    """Run the attacks in a process of their own, as another user where one is given.

    Skips the test if bubblewrap is neither installed nor unpacked here.
    """
    if tier == "bubblewrap" and installed("bwrap") is None:
        pytest.skip("bubblewrap is not installed: python -m tools.programs")
    python = sys.executable if user is None else readable_python(user)
    places = [str(ROOT), str(Path(msgspec.__file__).parents[1])]
    done = subprocess.run(
        [*lowered(user), python, "-m", "tests.bots.sandbox.battery", tier, limits],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={"PATH": f"{os.environ['PATH']}:{BIN}", "PYTHONPATH": ":".join(places), "HOME": "/"},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


def lowered(user: int | None) -> list[str]:
    """Return the command that becomes another user."""
    return [] if user is None else ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--"]


def readable_python(user: int) -> str:
    """Return a Python that a user may run and that finds this checkout; skips the test where there is none."""
    # setpriv still has root's rights when it starts it, so that a start alone proves nothing
    code = f"import os, sys; sys.path[:0] = [{str(ROOT)!r}, {str(Path(msgspec.__file__).parents[1])!r}]"
    code += "; import bots.sandbox, tests.bots; os.stat(os.path.realpath(sys.executable))"
    for name in (sys.executable, shutil.which("python3", path="/usr/local/bin:/usr/bin")):
        if name is not None:
            command = [*lowered(user), name, "-c", code]
            if subprocess.run(command, check=False, capture_output=True, cwd="/").returncode == 0:
                return name
    pytest.skip("no other user can read this checkout and a Python for it")


def held(told: list[dict[str, object]]) -> None:
    """Assert that every attack was made, that none succeeded, and that nothing is left of them."""
    *made, left = told
    assert len(made) == len(attacks("", 0))
    assert [attack["name"] for attack in made if attack["escaped"] or attack["alive"]] == []
    unending = [
        attack["name"] for attack in made if attack["expected_to_end"] and attack["ended"] == "it was still running"
    ]
    assert unending == []
    # a program that could not even start held nothing
    assert [attack["name"] for attack in made if not attack["began"]] == []
    assert [attack for attack in made if "sandbox:" in str(attack["errors"]) or "bwrap:" in str(attack["errors"])] == []
    assert left["answered"]
    assert (left["processes"], left["groups"], left["changed"]) == (0, [], [])


def test_the_best_sandbox_of_this_machine_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}:{BIN}")
    found = asyncio.run(find())
    if found.sandbox is None:
        pytest.skip(f"no sandbox here: {'; '.join(found.reasons)}")
    held(battery(found.tier, "groups" if found.sandbox.groups else "watchdog"))


# servers do not run as root; those that do use the best sandbox
@pytest.mark.long
def test_namespaces_and_the_watchdog_hold() -> None:
    held(battery("namespaces", "watchdog"))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes another user")
@pytest.mark.parametrize("tier", [pytest.param("bubblewrap", marks=pytest.mark.long), "namespaces"])
def test_sandboxes_of_an_ordinary_user_hold(tier: str) -> None:
    held(battery(tier, "watchdog", NOBODY))


@pytest.mark.long
@pytest.mark.parametrize(("tier", "limits"), [("bubblewrap", "watchdog"), ("namespaces", "groups")])
def test_other_combinations_hold(tier: str, limits: str) -> None:
    if limits == "groups":
        try:
            Groups.find()
        except NoGroups as error:
            pytest.skip(str(error))
    held(battery(tier, limits))
