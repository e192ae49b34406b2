# SPDX-License-Identifier: GPL-3.0-or-later
"""Bots as GTP engines: the commands of controllers, refusals, and the messages to the bot."""

import os
import random
from pathlib import Path
from typing import ClassVar

import pytest
from sgfmill.boards import Board

from bots.bot import Bot, Match, Over, Reply, Resign, Turn
from bots.bridges.gtp.asked import AskedBot
from bots.bridges.gtp.boards import boards
from bots.bridges.gtp.dialogue import GtpDialogue
from bots.catalogue import BotMaker
from engine.games import find


class Recorder(Bot):
    """Plays the first legal move, or those of a list; records the commands that it receives."""

    heard: ClassVar[list[object]] = []
    moves: ClassVar[list[object]] = []

    def match_started(self, match: Match) -> None:
        self.heard.append(match)

    def move(self, turn: Turn) -> str:
        self.heard.append(turn)
        assert turn.legal_moves is not None
        return self.moves.pop(0) if self.moves else turn.legal_moves[0]  # type: ignore[return-value]  # others are tested

    def match_over(self, over: Over) -> None:
        self.heard.append(over)


class OthelloOnly(Recorder):
    """Plays one game."""

    games = ("othello",)


class SmallBoards(Recorder):
    """Plays Go on one board only."""

    games = ("go/9x9", "othello")


@pytest.fixture(autouse=True)
def _fresh() -> None:
    Recorder.heard, Recorder.moves = [], []


def talk(*commands: str, game: str = "go/9x9", maker: BotMaker = Recorder) -> list[str]:
    """Return the answers to some commands, without their empty line."""
    answers: list[str] = []
    GtpDialogue("recorder", AskedBot(maker), boards()[game], answers.append, lambda text: None).run(commands)
    assert all(answer.endswith("\n") and "\n\n" not in answer for answer in answers)
    return [answer[:-1] for answer in answers]


def test_a_controller_asks_for_its_name_and_its_commands() -> None:
    name, version, protocol, listed, known, unknown, empty = talk(
        "1 name", "version", "20 protocol_version", "list_commands", "known_command genmove", "known_command x", "4"
    )
    assert (name, version, protocol) == ("=1 Bot Arena recorder", "= 1", "=20 2")
    assert (known, unknown, empty) == ("= true", "= false", "?4 unknown command")
    commands = listed.removeprefix("= ").split("\n")
    required = "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove"
    assert set(required.split()) <= set(commands)
    assert {"reg_genmove", "undo", "showboard", "final_score", "time_settings", "time_left", "loadsgf"} <= set(commands)
    # each of them can be called with wrong arguments
    for command in set(commands) - {"quit"}:
        for words in ("", " x", " x y", " x y z", " -1", " b x 1 2"):
            assert talk(command + words)[0][0] in "=?"


def test_empty_lines_comments_and_control_characters_are_skipped() -> None:
    assert talk("", "   ", "# name", "\x01na\x7fme\r\n", "play\tb\tE5 # a move") == ["= Bot Arena recorder", "= "]
    assert talk("quit", "name") == ["= "]


def test_moves_are_played_and_taken_back() -> None:
    *_, board = talk("play b e5", "play WHITE A9", "play black pass", "undo", "undo", "showboard")
    assert board.split("\n")[2].split() == ["9", *9 * ".", "9"]
    assert board.split("\n")[6].split() == ["5", *4 * ".", "X", *4 * ".", "5"]
    assert board.endswith("white to move")
    assert talk("undo", "play b e5", "undo", "undo") == ["? cannot undo", "= ", "= ", "? cannot undo"]


@pytest.mark.parametrize(
    ("commands", "answer"),
    [
        (["play b I5"], "? illegal move: 'I5' is not a legal move here"),
        (["play b K1"], "? illegal move: 'K1' is not a legal move here"),
        (["play b e5", "play w e5"], "? illegal move: 'e5' is not a legal move here"),
        (["play b e5", "play green e6"], "? invalid color or coordinate"),
        (["play b"], "? invalid color or coordinate"),
        # suicide
        (["play w a2", "play w b1", "play b a1"], "? illegal move: 'a1' is not a legal move here"),
        (["play b pass", "play w pass", "play b e5"], "? illegal move: the game is over"),
        # a pass of White in between would end the game
        (["play b pass", "play b e5"], "? illegal move: black is not to move"),
        (["komi 6.5"], "? go/9x9 is played with komi 7 only"),
        (["komi x"], "? komi not a float"),
        (["boardsize 10"], "? unacceptable size"),
        (["boardsize 9.5"], "? boardsize not an integer"),
        (["genmove"], "? syntax error: write one argument"),
        (["set_game Chess"], "? unsupported game"),
        (["time_settings 1 2"], "? syntax error: write main time, overtime and stones"),
        (["time_left b x 0"], "? syntax error: could not convert string to float: 'x'"),
        (["loadsgf /no/such/file"], "? cannot open /no/such/file: No such file or directory"),
        ([1000 * "x"], "? unknown command"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(commands: list[str], answer: str) -> None:
    *before, refused, left = talk(*commands[:-1], commands[-1], "showboard")
    assert refused == answer
    assert left == talk(*commands[:-1], "showboard")[-1]
    assert all(each == "= " for each in before)


def test_positional_superko_is_observed() -> None:
    stones = ["b D5", "b C4", "b D3", "w E5", "w F4", "w E3", "b E4"]
    setup = [f"play {stone}" for stone in stones]
    takes = talk(*setup, "play w D4", "play b E4", "play b A9", "play w J9", "play b E4")[len(setup) :]
    # D4 takes E4; to take back at once would repeat the position
    assert takes == ["= ", "? illegal move: 'E4' is not a legal move here", "= ", "= ", "= "]


def test_a_colour_may_move_twice_in_go_and_never_in_othello() -> None:
    assert talk("play b e5", "play b e6", "genmove b", "undo", "undo", "undo", "undo")[-2:] == ["= ", "? cannot undo"]
    turn = next(each for each in Recorder.heard if isinstance(each, Turn))
    assert (turn.seat, turn.last_move, turn.ply) == (0, "pass", 4)
    assert talk("play b f5", "play b d6", game="othello")[1] == "? illegal move: black is not to move"


def test_forced_passes_of_othello_may_be_left_out() -> None:
    game = find("othello")
    chance = random.Random(5)
    commands = []
    position = game.look(game.start())
    while not position.over:
        move = chance.choice(position.moves)
        text = game.format_move(position.state, move)
        if text != "pass":
            commands.append(f"play {'bw'[position.to_move]} {text.upper()}")
        position = game.play(position, move)
    assert len(commands) < 61
    *played, score, over = talk(*commands, "final_score", "genmove b", game="othello")
    assert set(played) == {"= "}
    letters = game.diagram(position.state)
    lead = letters.count("X") - letters.count("O")
    assert score == ("= 0" if not lead else f"= {'B' if lead > 0 else 'W'}+{abs(lead)}")
    assert over == "= pass"


@pytest.mark.parametrize("seed", range(5))
def test_go_is_scored_as_another_program_scores_it(seed: int) -> None:
    chance, board = random.Random(seed), Board(9)
    commands = []
    game = find("go/9x9")
    position = game.look(game.start())
    for _ in range(chance.randrange(1, 60)):
        points = [move for move in position.moves if move != 90]
        if not points:
            break
        move = chance.choice(points)
        text = game.format_move(position.state, move)
        colour = "bw"[position.to_move]
        board.play(int(text[1:]) - 1, "ABCDEFGHJ".index(text[0]), colour)
        commands.append(f"play {colour} {text}")
        position = game.play(position, move)
    *played, score = talk(*commands, "final_score")
    assert set(played) == {"= "}
    lead = board.area_score() - 7
    assert score == ("= 0" if not lead else f"= {'B' if lead > 0 else 'W'}+{abs(lead)}")


def test_the_bot_gets_the_messages_that_an_arena_sends() -> None:
    answers = talk("play b E5", "genmove w", "play b C3", "genmove w", "undo", "genmove w", "clear_board", "genmove b")
    assert [answer[:2] for answer in answers] == ["= "] * 8
    kinds = [type(each).__name__ for each in Recorder.heard]
    # taking back begins the match anew, clear_board ends it
    assert kinds == ["Match", "Turn", "Turn", "Match", "Turn", "Over", "Match", "Turn", "Over"]
    started, first, second = Recorder.heard[:3]
    assert isinstance(started, Match)
    assert isinstance(first, Turn)
    assert isinstance(second, Turn)
    assert [played.move for played in started.moves] == ["E5"]
    assert (first.ply, first.seat, first.last_move, first.clocks) == (1, 1, "E5", None)
    assert (second.ply, second.last_move, second.match) == (3, "C3", first.match)
    assert "E5" not in (first.legal_moves or ())
    ended = Recorder.heard[5]
    assert isinstance(ended, Over)
    assert ended.match == first.match


def test_reg_genmove_plays_no_move() -> None:
    found, board, again = talk("reg_genmove w", "showboard", "genmove b")
    assert found == again == "= A1"
    assert board.count("X") == board.count("O") == 0


@pytest.mark.parametrize(
    ("move", "answer"),
    [
        (Resign(), "= resign"),
        ("pass", "= pass"),
        (Reply("c3"), "= C3"),
        ("Z9", "? recorder played an illegal move: 'Z9' is not a legal move here"),
        (7, "? ValueError: move() returned 7"),
    ],
)
def test_answers_of_the_bot(move: object, answer: str) -> None:
    Recorder.moves = [move]
    assert talk("genmove b")[0] == answer


def test_the_board_may_be_changed() -> None:
    assert talk("boardsize 13", "query_boardsize", "komi 7.5", "play b N13") == ["= ", "= 13", "= ", "= "]
    assert talk("list_games", "set_game Othello", "query_boardsize", "play b f5") == [
        "= Go\nOthello",
        "= ",
        "= 8",
        "= ",
    ]
    assert talk("boardsize 6", "play b E4", game="othello") == ["= ", "= "]
    refused = talk("list_games", "set_game Go", "boardsize 6", "boardsize 8", game="othello", maker=OthelloOnly)
    assert refused == ["= Othello", "? unsupported game", "? unacceptable size", "= "]
    assert talk("set_game Go", "query_boardsize", game="othello", maker=SmallBoards) == ["= ", "= 9"]


@pytest.mark.parametrize("command", ["genmove", "reg_genmove"])
def test_an_answer_of_several_lines_stays_one_answer(command: str) -> None:
    Recorder.moves = ["d4\n\n= q5"]
    (answer,) = talk(f"{command} b")
    assert "\n" not in answer


def test_clocks_are_sent() -> None:
    talk("time_settings 60 10 5", "genmove b", "time_left w 8 4", "genmove w", "time_settings 0 0 0", "genmove b")
    first, second, third = [each for each in Recorder.heard if isinstance(each, Turn)]
    assert (first.clocks, first.increment, first.moves_to_go) == ((60_000, 60_000), 2_000, None)
    assert second.clocks is not None
    assert (second.clocks[1], second.increment, second.moves_to_go) == (8_000, 0, 4)
    assert (third.clocks, third.moves_to_go) == (None, None)


def test_an_sgf_file_is_loaded(tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    file.write_text("(;GM[1]FF[4]SZ[9]KM[7];B[ee];W[cc](;B[gg])(;B[ga]))", "utf-8")
    whole, board = talk("boardsize 13", f"loadsgf {file}", "showboard")[1:]
    assert whole == "= "
    assert (board.count("X"), board.count("O")) == (2, 1)
    board = talk(f"loadsgf {file} 2", "showboard")[1]
    assert (board.count("X"), board.count("O")) == (1, 0)
    file.write_text("no game", "utf-8")
    assert talk(f"loadsgf {file}")[0].startswith(f"? cannot read {file}: line 1: this is not SGF")
    file.write_bytes(b"\xff\x00(;" + 100_000 * b"(")
    assert talk(f"loadsgf {file}")[0].startswith(f"? cannot read {file}")


def test_loadsgf_reads_no_more_than_a_game_of_a_file(tmp_path: Path) -> None:
    pipe, file = tmp_path / "pipe", tmp_path / "long.sgf"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero"), tmp_path):
        assert talk(f"loadsgf {path}") == [f"? cannot open {path}: it is not a file"]
    file.write_text("(;SZ[9]RE[0];B[aa])" + "x" * 5_000_000, encoding="utf-8")
    assert talk(f"loadsgf {file}") == ["= "]
    file.write_text("(;SZ[9]C[" + "x" * 5_000_000, encoding="utf-8")
    assert talk(f"loadsgf {file}")[0].endswith("the game does not end: a ) or ] is missing")
