# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands of ``arena`` in the documentation exist, with their options."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.cli import parser
from arena.cli.lab import command_line
from arena.cli.support.command_line import first_word
from tools.documentation.staging import ROOT

_BLOCK = re.compile(r"^ *```sh\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
_SUBSTITUTION = re.compile(r"\$\([^)]*\)")
_VARIABLE = re.compile(r"[A-Z_]+=.*")
_REDIRECTION = re.compile(r"\d?[<>].*")
_SEPARATORS = {"&&", "||", "|", "&", ";"}

PROGRAMS = {
    *(
        "apt",
        "apt-get",
        "arena",
        "cc",
        "chmod",
        "cd",
        "clang",
        "cp",
        "curl",
        "find",
        "make",
        "mkdir",
        "nats-server",
        "node",
        "pip",
        "podman",
        "printf",
        "python",
        "ray",
    ),
    *("python3", "runuser", "systemctl", "systemd-analyze", "useradd", "usermod", "xz"),
}
"""Programs of the commands in the documentation. A line that begins otherwise is the rest of a torn command."""

PAGES = ["README.md", *sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))]


def commands(page: str) -> Iterator[tuple[list[str], str]]:
    """Yield the commands of a page, each with the line that it stands in."""
    for block in _BLOCK.findall(page):
        pending = ""
        for line in _SUBSTITUTION.sub("X", block).replace("\\\n", " ").splitlines():
            pending += line
            try:
                words = shlex.split(pending, comments=True)
            except ValueError:  # a quoted text that goes on in the next line
                pending += "\n"
                continue
            yield from ((each, pending) for each in _divided(words))
            pending = ""
        assert not pending, pending


def _divided(words: list[str]) -> Iterator[list[str]]:
    command: list[str] = []
    for word in [*words, ";"]:
        if word not in _SEPARATORS:
            if command or not _VARIABLE.fullmatch(word):
                command.append(word)
        elif command:
            yield command
            command = []


def faults(command: list[str], line: str) -> Iterator[str]:
    """Yield the errors of a command."""
    name, *given = command
    if name == "export" and all("=" in word for word in given):
        return
    if Path(name).name not in PROGRAMS and not name.startswith("./"):
        yield f"{line}: {name} is no known program"
    if re.search(r"#.*\barena [a-z]+ [\d-]", line):
        yield f"{line}: a command in a comment"
    if Path(name).name != "arena":
        return
    given = given[: next((at for at, word in enumerate(given) if _REDIRECTION.fullmatch(word)), None)]
    try:
        parsed = parser(first_word(given)).parse_args(given)
        if parsed.command == "lab":
            command_line(first_word(given[1:])).parse_args(given[1:])
    except SystemExit as ended:
        if ended.code:
            yield line


@pytest.mark.parametrize("path", PAGES)
def test_commands_exist_with_their_options(path: str) -> None:
    found = commands((ROOT / path).read_text("utf-8"))
    assert [fault for command, line in found for fault in faults(command, line)] == []


def test_mistakes_are_found() -> None:
    page = "```sh\narena match a b --nonsense\narena serve # first arena match 7\nexport 1 --out x\n  1 --pdn y\n```\n"
    found = [fault for command, line in commands(page) for fault in faults(command, line)]
    assert len(found) == 4
