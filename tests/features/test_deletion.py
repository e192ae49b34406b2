# SPDX-License-Identifier: GPL-3.0-or-later
"""Without the folder of a feature and its line in the list, all the rest works: in a copy of the sources.

A feature that needs the deleted one is deleted with it. Every run of the tests deletes one feature, and the long tests
delete the others.
"""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.cli.features import FEATURES, NAMES
from engine.native import child
from tests.features.without import ROOT, copied, without

NO_ROUTES = {"traces"}
"""Features without endpoints."""

PATIENCE = 600
"""Seconds for what takes a few, on a machine that is busy with other things."""


@pytest.fixture(
    scope="module", params=[*(pytest.param(name, marks=pytest.mark.long) for name in NAMES[:-1]), NAMES[-1]]
)
def feature(request: pytest.FixtureRequest) -> str:
    """The feature that is deleted."""
    name: str = request.param
    return name


@pytest.fixture(scope="module")
def copy(feature: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources without the feature."""
    return copied(feature, tmp_path_factory.mktemp("without"))


def environment(copy: Path) -> dict[str, str]:
    """Return an environment in which Python imports the packages of the copy."""
    return os.environ | {"PYTHONPATH": str(copy)}


def run(copy: Path, *command: str, timeout: int = PATIENCE) -> str:
    """Run a command in the copy, which must succeed; return its output."""
    done = subprocess.run(
        command, cwd=copy, env=environment(copy), check=False, capture_output=True, text=True, timeout=timeout
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def copy_results(copy: Path) -> None:
    """Copy what mypy has found before, so that it is not checked again.

    Another mypy may write it right now: a database that was not copied whole is left out, and nothing is locked.
    """
    for kept in (ROOT / ".mypy_cache").glob("*/*.db"):
        copied_one = copy / kept.relative_to(ROOT)
        copied_one.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(kept, copied_one)
        with closing(sqlite3.connect(copied_one)) as database:
            try:
                [(found,)] = database.execute("PRAGMA quick_check(1)")
            except sqlite3.DatabaseError as error:
                found = str(error)
        if found != "ok":
            copied_one.unlink()


@pytest.mark.timeout(3600)
def test_types_are_right(copy: Path) -> None:
    copy_results(copy)
    assert "no issues" in run(copy, sys.executable, "-m", "mypy", "--strict", timeout=3000)


def test_import_rules_are_kept(copy: Path) -> None:
    linter = str(Path(sys.executable).with_name("lint-imports"))
    assert "0 broken" in run(copy, linter, "--no-cache")


def test_contracts_are_kept(copy: Path) -> None:
    pytest_options = ("-q", "-p", "no:cacheprovider", "-k", "tictactoe or nim")
    assert "passed" in run(copy, sys.executable, "-m", "pytest", *pytest_options, "tests/contracts")


@pytest.fixture
def served(copy: Path, tmp_path: Path) -> Iterator[str]:
    """An arena of the copy's; its URL."""
    options = ("--port=0", "--no-browser", "--json", "--games=tictactoe", "--built-in-move-time=0", "--ladder-pause=0")
    command = child.command("arena.cli", "serve", f"--data={tmp_path}", "--log-level=warning", *options)
    with subprocess.Popen(
        command, cwd=copy, env=environment(copy), stdout=subprocess.PIPE, text=True, pass_fds=child.pass_fds()
    ) as process:
        try:
            assert process.stdout is not None
            yield json.loads(process.stdout.readline())["url"].rstrip("/")
        finally:
            process.terminate()
            process.wait(600)


def ask(url: str) -> Any:
    """Return an answer of the API."""
    with urllib.request.urlopen(url, timeout=600) as answer:
        return json.load(answer)


def test_the_arena_plays(feature: str, served: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not ask(f"{served}/api/v1/matches?status=finished")["items"]:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    paths = ask(f"{served}/api/v1/openapi.json")["paths"]
    features = {each.name: each.web() for each in FEATURES if each.web is not None}
    endpoints = [endpoint for name in without(feature) for endpoint in features[name].endpoints]
    assert bool(endpoints) == (feature not in NO_ROUTES)
    for endpoint in endpoints:
        assert endpoint.method.lower() not in paths.get(endpoint.path, {})
    for page in ("/", "/matches", "/bots", "/bots/1", "/api"):
        with urllib.request.urlopen(served + page, timeout=600) as answer:
            text = answer.read().decode()
        for name in without(feature):
            assert f"/{name}/" not in text, page


@pytest.mark.long
@pytest.mark.timeout(6 * 3600)
def test_the_rest_of_the_suite_passes(feature: str, copy: Path) -> None:
    run(copy, "git", "init", "--quiet")  # tests of all files ask git for them
    run(copy, "git", "add", "--all")
    written = {"settings.md": ("settings", "--docs")}
    if "accounts" not in without(feature):
        written["rights.md"] = ("accounts", "rights")
    for name, command in written.items():
        (copy / "docs" / "reference" / name).write_text(run(copy, sys.executable, "-m", "arena.cli", *command), "utf-8")
    for name in (".venv", "node_modules", ".tools", ".types"):
        if (ROOT / name).exists():
            (copy / name).symlink_to(ROOT / name)
    # these pages name the routes and tests of all features
    pages = (
        "tests/web/test_openapi.py::test_the_documentation_lists_the_same_routes",
        "tests/lab/proofs/test_guarantees.py::test_the_tests_exist",
    )
    left_out = [f"--deselect={page}" for page in pages]
    run(
        copy,
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-n",
        "auto",
        *left_out,
        timeout=6 * 3600,
    )
