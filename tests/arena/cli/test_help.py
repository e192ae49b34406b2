# SPDX-License-Identifier: GPL-3.0-or-later
"""``arena --help`` and ``arena lab --help`` list every command in a group, and load none; every argument has a text."""

import argparse
import subprocess
import sys
from collections.abc import Iterator

import pytest

from arena.cli import GROUPS, main, packages, parser
from arena.cli.lab import COMMANDS, command_line
from arena.cli.lab import GROUPS as LAB_GROUPS
from arena.cli.support.command_line import commands


@pytest.mark.parametrize(
    ("words", "found", "groups"),
    [(["--help"], packages(), GROUPS), (["lab", "--help"], [COMMANDS], LAB_GROUPS)],
    ids=["arena", "lab"],
)
def test_every_command_is_listed_in_its_group(
    words: list[str], found: list[str], groups: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(words)
    told = capsys.readouterr().out
    for command in commands(found):
        listed = told.partition(f"{groups[command.group]}:\n")[2].partition("\n\n")[0]
        assert f"  {command.name:<12} {command.summary}" in listed


def test_the_help_of_the_laboratory_loads_none_of_its_commands() -> None:
    code = (
        "import sys\nfrom arena.cli import main\n"
        "try:\n    main(['lab', '--help'])\nexcept SystemExit:\n    pass\n"
        "sys.exit(','.join({'numba', 'numpy', 'lab.tuning'} & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_command_of_the_laboratory_fails_under_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "table", "chequers"]) == 2
    assert capsys.readouterr().err.startswith("arena lab table: ")
    with pytest.raises(SystemExit):
        main(["tune"])
    assert "invalid choice" in capsys.readouterr().err


def _untold(parser: argparse.ArgumentParser, name: str) -> Iterator[str]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for word, below in action.choices.items():
                yield from _untold(below, f"{name} {word}")
        elif action.help is None:
            yield f"{name}: {'/'.join(action.option_strings) or action.metavar or action.dest}"


def test_every_argument_has_a_help_text() -> None:
    roots = [("arena", parser, packages()), ("arena lab", command_line, [COMMANDS])]
    found = [
        untold
        for name, root, places in roots
        for command in commands(places)
        for untold in _untold(root(command.name), name)
    ]
    assert found == []


def test_the_help_of_an_option_has_a_line_for_each_alternative(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["evolve", "--help"])
    told = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert any(line.startswith("GAME/search, of chess and checkers: ") for line in told)
    assert any(line.startswith("step=0.05 (spsa): ") for line in told)
