# SPDX-License-Identifier: GPL-3.0-or-later
"""The wheel of the arena holds all that the product needs to run beside the SDK, and nothing else."""

import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.tools.installing import ROOT, SDK, built

ROOMS = ("arena", "bots", "engine", "lab", "web")
CHECKOUT = ("lab/bench/", "lab/proofs/", "lab/simulation/")
"""They need a checkout, and are not packed."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built now."""
    return built(ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def packed(wheel: Path) -> set[str]:
    """The names of the files in the wheel."""
    return {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}


def test_the_browser_libraries_are_packed(packed: set[str]) -> None:
    vendor = {path.relative_to(ROOT).as_posix() for path in (ROOT / "web" / "static" / "vendor").iterdir()}
    assert vendor
    assert not vendor - packed


def test_nothing_else_is_packed(packed: set[str]) -> None:
    assert {name.partition("/")[0] for name in packed} == set(ROOMS)
    assert not {name for name in packed if "__pycache__" in name or name.startswith(CHECKOUT)}


def test_nothing_that_is_packed_imports_what_is_not(wheel: Path, packed: set[str]) -> None:
    archive = zipfile.ZipFile(wheel)
    sources = {name: archive.read(name).decode() for name in packed if name.endswith(".py")}
    needs = re.compile(r"^\s*(?:from|import) (?:tests|tools|lab\.bench|lab\.proofs)\b", re.MULTILINE)
    assert not [name for name, source in sources.items() if needs.search(source)]


def data_folder(code: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where a command that runs the code of a folder looks for data when nothing says where they are."""
    for name in ("ARENA_DATA", "ARENA_DATABASE_URL", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PYTHONPATH", str(code))
    command = [sys.executable, "-m", "arena.cli", "bots", "add", "first"]
    said = subprocess.run(command, cwd=home, check=False, capture_output=True, text=True).stderr
    found = re.search(r"there is no arena in (.*);", said)
    assert found, said
    return Path(found[1])


def test_a_checkout_keeps_its_data_to_itself_and_an_installed_wheel_uses_the_home_folder(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    for checkout in (tmp_path / "one", tmp_path / "two"):
        for room in ROOMS:
            shutil.copytree(ROOT / room, checkout / room, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", checkout)
        assert data_folder(checkout, home, monkeypatch) == checkout / "data"
    sdk = built(SDK, tmp_path / "sdk")
    for each in (wheel, sdk):
        with zipfile.ZipFile(each) as archive:
            archive.extractall(tmp_path / "site-packages")
    installed = data_folder(tmp_path / "site-packages", home, monkeypatch)
    assert installed.is_relative_to(home)
    assert installed.name == "bot-arena"


def test_the_documentation_is_packed_if_it_was_built(packed: set[str]) -> None:
    site, folder = ROOT / "build" / "docs", "arena/features/docs_site/packed/"
    built = {f"{folder}{path.relative_to(site).as_posix()}" for path in site.rglob("*") if path.is_file()}
    assert {name for name in packed if name.startswith(folder)} == built
