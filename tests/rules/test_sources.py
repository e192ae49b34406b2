# SPDX-License-Identifier: GPL-3.0-or-later
"""What holds for every file of the repository."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = {".py", ".js", ".mjs", ".css", ".html", ".mako", ".sh", ".sql"}
LINES = 550
VAGUE = {"utils", "util", "helpers", "helper", "common", "constants", "misc"}

# Written in two parts, so that this file does not hold them.
ELSEWHERE = [
    "/work" + "/",
    "/root" + "/",
    "/home" + "/",
    "pypi" + ".org",
    "python" + "hosted.org",
    "npmjs" + ".org",
    "npmjs" + ".com",
]
UNFINISHED = ["TO" + "DO", "FIX" + "ME", "X" + "XX", "for " + "now"]


def tracked() -> list[Path]:
    """The repository's files, new ones included, ignored ones not."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    paths = [ROOT / name for name in sorted(set(names.split("\0"))) if name]
    return [path for path in paths if path.is_file()]


FILES = tracked()
CODE = [path for path in FILES if path.suffix in SOURCES or path.name == "Makefile"]


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def relative(paths: list[Path]) -> list[str]:
    return [path.relative_to(ROOT).as_posix() for path in paths]


def test_every_source_names_its_licence() -> None:
    assert not relative(
        [path for path in CODE if "SPDX-License-Identifier: " not in "".join(text(path).splitlines()[:2])]
    )


@pytest.mark.parametrize("place", ELSEWHERE)
def test_no_file_knows_a_machine_or_a_registry(place: str) -> None:
    assert not relative([path for path in FILES if place in text(path)])


@pytest.mark.parametrize("word", UNFINISHED)
def test_nothing_is_left_for_later(word: str) -> None:
    pattern = re.compile(rf"\b{word}\b")
    assert not relative([path for path in CODE if pattern.search(text(path))])


def test_no_file_is_too_long_to_read() -> None:
    assert not relative([path for path in CODE if len(text(path).splitlines()) > LINES])


def test_every_name_says_what_is_inside() -> None:
    assert not relative([path for path in CODE if VAGUE & {path.stem, *path.relative_to(ROOT).parts}])


@pytest.mark.parametrize("silence", [r"type: ignore(\[[\w, -]+\])?", r"noqa(: [A-Z0-9, ]+)?", r"pragma: no cover"])
def test_every_exception_to_a_check_has_its_reason(silence: str) -> None:
    bare = re.compile(rf"# {silence}\s*$", re.MULTILINE)
    assert not relative([path for path in CODE if path.suffix == ".py" and bare.search(text(path))])
