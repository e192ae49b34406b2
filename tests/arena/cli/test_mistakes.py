# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors of the command line for mistyped words."""

import pytest

from arena.cli import main


@pytest.mark.parametrize(
    ("typed", "command", "says"),
    [
        (["serve", "--port", "much"], "arena serve", "argument --port: a port must be a number from 0 to 65535"),
        (["serve", "--nonsense"], "arena serve", "unrecognized arguments: --nonsense"),
        (["bots", "list", "--nonsense"], "arena bots list", "unrecognized arguments: --nonsense"),
        (["match", "--game", "chess"], "arena match", "the following arguments are required: BOT1, BOT2"),
        (["bots", "add"], "arena bots add", "the following arguments are required: NAME"),
        (["fly"], "arena", "invalid choice: 'fly'"),
    ],
)
def test_a_mistake_is_an_error_of_one_line_that_names_the_help(
    typed: list[str], command: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(typed)
    told, help_ = capsys.readouterr().err.splitlines()
    assert says in told
    assert told.startswith(f"{command}: error: ")
    assert help_ == f"See `{command} --help`."


def test_without_a_command_there_is_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "serve" in capsys.readouterr().err
