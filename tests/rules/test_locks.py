# SPDX-License-Identifier: GPL-3.0-or-later
"""The lock files pin everything by hash, and leave it to the machine where it comes from."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOCKS = sorted((ROOT / "requirements").glob("*.lock"))


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_python_packages_are_pinned_by_hash(lock: Path) -> None:
    entries = [entry for entry in re.split(r"\n(?=[a-z0-9])", lock.read_text(encoding="utf-8")) if entry.strip()]
    assert entries
    for entry in entries:
        assert re.match(r"[a-z0-9-]+==\S+ ", entry), entry
        assert "--hash=sha256:" in entry, entry


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_python_packages_name_no_index(lock: Path) -> None:
    content = lock.read_text(encoding="utf-8")
    assert "://" not in content
    assert "index-url" not in content


def test_what_runs_is_pinned_alike_for_users_and_for_developers() -> None:
    pins = {lock.stem: set(re.findall(r"^\S+==\S+", lock.read_text(encoding="utf-8"), re.MULTILINE)) for lock in LOCKS}
    assert pins["run"] <= pins["dev"]


def test_browser_libraries_are_pinned_by_hash_and_name_no_registry() -> None:
    packages = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    root = packages.pop("")
    pinned = root["dependencies"] | root["devDependencies"]
    assert {name: packages[f"node_modules/{name}"]["version"] for name in pinned} == pinned
    # a tool in machine code has a package for each platform, of which npm installs one
    programs = {name for package in packages.values() for name in package.get("optionalDependencies", {})}
    assert set(packages) == {f"node_modules/{name}" for name in pinned.keys() | programs}
    for package in packages.values():
        assert package["integrity"].startswith("sha512-")
        assert "resolved" not in package
