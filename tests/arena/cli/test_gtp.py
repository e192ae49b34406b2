# SPDX-License-Identifier: GPL-3.0-or-later
"""``arena gtp`` in a process of its own, driven as a controller of GTP programs does it."""

import subprocess
import sys

import pytest

from arena.cli import main

COMMAND = [sys.executable, "-m", "arena.cli", "gtp"]


class Controller:
    """Sends commands to a GTP engine, with numbers, and checks the form of each answer."""

    def __init__(self, *arguments: str) -> None:
        self._engine = subprocess.Popen(
            [*COMMAND, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        self._sent = 0

    def ask(self, command: str) -> str:
        """Return the answer to a command that the engine must not refuse."""
        assert self._engine.stdin is not None
        assert self._engine.stdout is not None
        self._sent += 1
        self._engine.stdin.write(f"{self._sent} {command}\n")
        self._engine.stdin.flush()
        lines = []
        while (line := self._engine.stdout.readline()).strip():
            lines.append(line.rstrip("\n"))
        head, _, rest = "\n".join(lines).partition(" ")
        assert head == f"={self._sent}", (command, lines)
        return rest

    def quit(self) -> int:
        """Let the engine quit, and return its exit status."""
        assert self.ask("quit") == ""
        self._engine.communicate(timeout=600)
        return self._engine.returncode


@pytest.mark.parametrize(
    ("game", "first", "second", "size"), [("go/9x9", "random", "uct-1k", 9), ("othello", "random", "random", 8)]
)
def test_two_engines_play_a_game_under_one_controller(game: str, first: str, second: str, size: int) -> None:
    engines = [Controller(first, "--game", game), Controller(second, "--game", game)]
    for engine in engines:
        assert engine.ask("protocol_version") == "2"
        assert engine.ask("name").startswith("Bot Arena ")
        for command in (f"boardsize {size}", "clear_board", "time_settings 0 1 25"):
            assert engine.ask(command) == ""
    passes = moves = 0
    while passes < 2 and moves < 16:
        mover, other = engines[moves % 2], engines[1 - moves % 2]
        colour = ("black", "white")[moves % 2]
        assert mover.ask(f"time_left {colour} 1 25") == ""
        move = mover.ask(f"genmove {colour}")
        assert other.ask(f"play {colour} {move}") == ""
        passes = passes + 1 if move == "pass" else 0
        moves += 1
    boards = {engine.ask("showboard") for engine in engines}
    assert len(boards) == 1
    assert [engine.quit() for engine in engines] == [0, 0]


def test_its_name_costs_no_compiling_and_the_end_of_input_ends_it() -> None:
    given = "name\nlist_commands\n\xff nonsense\nboardsize 19\nclear_board\nkomi 7.5\n"
    done = subprocess.run(COMMAND, input=given, check=False, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0
    name, listed, nonsense, *others, end = done.stdout.split("\n\n")
    assert name == "= Bot Arena mcts"
    assert "genmove" in listed.split()
    assert nonsense == "? unknown command"
    assert (others, end) == (3 * ["= "], "")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["nobody"], "no bot is called 'nobody'"),
        (["gtp:no-such"], "there is no program 'no-such'"),
        (["uci:true"], "uci:true does not play go/9x9, but chess"),
    ],
)
def test_unknown_players_are_errors(arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gtp", *arguments]) == 2
    assert why in capsys.readouterr().err
