# SPDX-License-Identifier: GPL-3.0-or-later
"""The command that plays a match without a server."""

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import chess
import msgspec
import pytest

from arena.cli import main
from arena.rating.sprt import Sprt
from bots import local
from engine import formats
from engine.formats import epd
from engine.match.record import Record
from tests.bots.bridges.test_player import FAKE

LOSER = """
from bots.bot import Bot, Turn

class Loser(Bot):
    games = ("tictactoe", "checkers")

    def move(self, turn: Turn) -> str:
        if turn.seat:
            raise RuntimeError("[no] idea")
        return "nowhere"
"""


HALTING = """
import pathlib, time
from bots.bot import Bot, Turn

class Halting(Bot):
    games = ("tictactoe",)

    def move(self, turn: Turn) -> str:
        while pathlib.Path(__file__).with_name(f"halt {turn.match}").exists():
            time.sleep(0.01)
        return turn.legal_moves[turn.match % len(turn.legal_moves)]
"""


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """What the command prints for programs."""
    assert main(["match", *arguments, "--json"]) == 0
    printed: dict[str, Any] = msgspec.json.decode(capsys.readouterr().out)
    return printed


def test_json_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "random", "random", "--game", "tictactoe", "--games", "20", "--seed", "3")
    wins, draws, losses = (found[name] for name in ("wins", "draws", "losses"))
    assert wins + draws + losses == found["games"] == 20
    assert found["score"] == (wins + draws / 2) / 20
    assert found["game"] == "tictactoe"
    assert found["terminations"] == {"decided": 20}
    low, high = found["interval"]
    assert low < found["elo"] < high
    again = answer(capsys, "random", "random", "--game", "tictactoe", "--games", "20", "--seed", "3")
    assert {**again, "seconds": 0} == {**found, "seconds": 0}


SLOW_TO_PREPARE = """
import pathlib, time
from bots.bot import Bot, Turn

HERE = pathlib.Path(__file__)

class Slow(Bot):
    games = ("tictactoe",)

    def prepare(self, games):
        if not HERE.with_name("compiled").exists():
            time.sleep({seconds})
            HERE.with_name("compiled").touch()

    def move(self, turn: Turn) -> str:
        return turn.legal_moves[0]
"""


@pytest.mark.parametrize("concurrency", ["1", "2"])
def test_compiling_is_no_play(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, concurrency: str
) -> None:
    """Preparation before the first game is reported and is not part of the playing time."""
    monkeypatch.setattr(local, "SOON", 0.1)
    monkeypatch.setattr(local, "EVERY", 0.1)
    began = time.monotonic()
    (tmp_path / "slow.py").write_text(SLOW_TO_PREPARE.format(seconds=3))
    bot = str(tmp_path / "slow.py")
    options = ("--game", "tictactoe", "--games", "2", "--concurrency", concurrency, "--json")
    assert main(["match", bot, "random", *options]) == 0
    printed = capsys.readouterr()
    whole = time.monotonic() - began
    assert "Compiling the game and the bots" in printed.err
    assert msgspec.json.decode(printed.out)["seconds"] <= whole - 3


def test_the_dice_of_pairs_are_mirrored_on_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.jsonl"
    arguments = ("random", "random", "--game", "einstein", "--games", "4", "--jsonl", str(file), "--mirrored-dice")
    found = answer(capsys, *arguments)
    assert found["mirrored_dice"] is True
    # each win counts one point in this game
    assert "payoff" not in found
    records = list(formats.find("jsonl").read(file.read_text().splitlines()))
    assert [record.mirrored_dice for record in records] == [True] * 4
    seeds = [record.seed for record in records]
    assert seeds[0] == seeds[1] != seeds[2] == seeds[3]
    assert main(["verify", "--dice", str(file)]) == 0


def test_the_stronger_bot_wins(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "alphabeta-4", "random", "--game", "checkers", "--games", "4", "--depth", "3")
    assert (found["wins"], found["score"], found["elo"]) == (4, 1.0, None)


def test_games_are_written_in_any_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pdn, lines = tmp_path / "out.pdn", tmp_path / "out.jsonl"
    written = ["--pdn", str(pdn), "--jsonl", str(lines)]
    answer(capsys, "random", "random", "--game", "checkers", "--games", "3", *written, "--time-control", "60+1")
    for path in (pdn, lines):
        with path.open(encoding="utf-8") as file:
            records: list[Record] = list(formats.find(path.suffix[1:]).read(file))
        assert [record.round for record in records] == ["1.1", "1.2", "2.1"]
        assert all(len(record.opening) == 4 and record.time_control == "60+1" for record in records)
        assert all(move.elapsed is not None for record in records for move in record.moves)


def test_the_report_explains_faults(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "loser.py").write_text(LOSER, encoding="utf-8")
    bot = str(tmp_path / "loser.py")
    assert main(["match", bot, "random", "--game", "tictactoe", "--games", "2"]) == 0
    told = capsys.readouterr().out
    assert f"game 1: {bot} lost by illegal move: 'nowhere' is not a legal move here\n" in told
    assert f"game 2: {bot} lost by crash: RuntimeError: [no] idea\n" in told
    assert "0 won, 0 drawn, 2 lost: 0.0 %, 95 % interval 0.0 to 79.3\n" in told
    assert "Elo difference unbounded, 95 % interval unbounded to +234, likelihood of superiority 15.9 %\n" in told
    assert "pairs that scored 0, ½, 1, 1½ and 2: 1, 0, 0, 0, 0\n" in told
    faults = answer(capsys, "random", bot, "--game", "tictactoe", "--games", "1")["faults"]
    assert faults == [{"game": 1, "bot": bot, "why": "crash", "detail": "RuntimeError: [no] idea"}]


def test_several_at_once_begin_with_the_openings_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite, written = tmp_path / "suite.epd", tmp_path / "out.jsonl"
    starts = ["7k/5Q2/8/8/8/8/8/K7 w - -", "7k/8/8/8/8/8/2q5/K7 b - -"]
    suite.write_text("".join(f'{start} id "a";\n' for start in starts), encoding="utf-8")
    options = ["--game", "chess", "--games", "4", "--concurrency", "2", "--openings", str(suite)]
    assert answer(capsys, "random", "random", *options, "--jsonl", str(written))["games"] == 4
    with written.open(encoding="utf-8") as file:
        records: list[Record] = list(formats.find("jsonl").read(file))
    begun = [str(record.start)[:-4] for record in records]
    assert begun[0] == begun[1] != begun[2] == begun[3]
    assert set(begun) == set(starts)
    shorter = ["--openings", str(written), "--opening-plies", "0", "--games", "2"]
    assert answer(capsys, "random", "random", "--game", "chess", *shorter)["games"] == 2


def test_each_bot_may_have_terms_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written = tmp_path / "out.jsonl"
    options = ["--game", "tictactoe", "--games", "2", "--depth", "2", "--time-control", "60+1", "--jsonl", str(written)]
    terms = ["--first", "tc=2/3000+0.5", "depth=9", "name=deep", "--second", "st=500", "nodes=100"]
    more = ["--event", "Odds", "--site", "here", "--time-margin", "10"]
    assert main(["match", "minimax-2", "minimax-2", *options, *terms, *more]) == 0
    told = capsys.readouterr().out
    assert told.startswith("deep : minimax-2, 2 games of tictactoe in ")
    with written.open(encoding="utf-8") as file:
        first, second = formats.find("jsonl").read(file)
    assert first.time_control == "2/3000+0.5 v 500/move"
    assert second.time_control == "500/move v 2/3000+0.5"
    assert (first.event, first.site) == ("Odds", "here")
    assert [player.name for player in first.players] == ["deep", "minimax-2"]
    depths = [moved.info.depth or 0 for moved in first.moves if moved.info]
    assert max(depths) > 2
    assert main(["match", "random", "random", "--game", "tictactoe", "--first", "tc=1+0"]) == 2
    assert "a clock runs for both sides or for none" in capsys.readouterr().err


def test_last_positions_are_written_as_epd(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ends, pgn = tmp_path / "ends.epd", tmp_path / "out.pgn"
    saved = ["--save", str(tmp_path / "saved")]
    options = [
        "random",
        "random",
        "--game",
        "chess",
        "--max-plies",
        "12",
        "--epd",
        str(ends),
        "--pgn",
        str(pgn),
        *saved,
    ]
    answer(capsys, *options, "--games", "1")
    answer(capsys, *options, "--games", "3")
    with pgn.open(encoding="utf-8") as file:
        records = list(formats.find("pgn").read(file))
    lines = ends.read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(records) == 3
    for line, record in zip(lines, records, strict=True):
        board = chess.Board(record.start or chess.STARTING_FEN)
        for move in (*record.opening, *(played.move for played in record.moves)):
            board.push_uci(move)
        assert line == board.epd(c0=record.result, id=record.round)
    assert len(list(epd.read(lines))) == 3
    assert main(["match", "random", "random", "--game", "checkers", "--epd", str(ends)]) == 2
    assert "EPD has no notation for checkers" in capsys.readouterr().err


def test_openings_come_in_the_order_that_is_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite, written = tmp_path / "suite.epd", tmp_path / "out.jsonl"
    starts = [f"7k/5Q2/8/8/8/8/8/{place} w - -" for place in ("K7", "1K6", "2K5", "3K4")]
    suite.write_text("".join(f"{start}\n" for start in starts), encoding="utf-8")
    options = ["--game", "chess", "--games", "8", "--openings", str(suite), "--max-plies", "1"]
    options += ["--openings-order", "sequential", "--openings-start", "3", "--jsonl", str(written)]
    answer(capsys, "random", "random", *options)
    with written.open(encoding="utf-8") as file:
        begun = [str(record.start)[:-4] for record in formats.find("jsonl").read(file)]
    assert begun[::2] == begun[1::2] == [starts[2], starts[3], starts[0], starts[1]]


def test_an_outside_engine_plays(capsys: pytest.CaptureFixture[str]) -> None:
    engine = f"uci:{sys.executable} -I -S {FAKE} uci play limit.depth=1 name=fake"
    found = answer(capsys, engine, "random", "--game", "chess", "--games", "1")
    assert found["faults"][0]["bot"] == engine
    assert found["faults"][0]["why"] in {"illegal move", "crash"}, "it knows a few moves only"


def test_it_ends_by_itself_when_one_hypothesis_is_likely_enough(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["minimax-2", "random", "--game", "tictactoe", "--sprt", "elo0=0", "elo1=100", "model=logistic"]
    found = answer(capsys, *options)
    sprt = found["sprt"]
    assert (sprt["accepted"], sprt["bounds"]) == ("H1", pytest.approx([-2.944, 2.944], abs=0.001))
    assert sprt["llr"] >= sprt["bounds"][1]
    assert found["games"] == 2 * sum(found["pentanomial"])
    assert sprt["llr"] == pytest.approx(Sprt(0, 100, model="logistic").ratio(found["pentanomial"]))
    fewer = answer(capsys, *options[:4], "--games", str(found["games"] - 1), *options[4:])
    assert fewer["sprt"]["accepted"] is None
    other = answer(capsys, "random", "minimax-2", *options[2:])
    assert other["sprt"]["accepted"] == "H0"


def test_the_score_is_printed_during_the_match(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--game", "tictactoe", "--games", "8", "--report", "4", "--sprt", "elo0=-5", "elo1=5"]
    assert main(["match", "random", "random", *options]) == 0
    told = capsys.readouterr()
    assert told.err.count("after 4 games:\n") == 1
    assert told.err.count("SPRT of [-5, 5] normalised Elo: LLR ") == 2
    assert "(-2.94, 2.94), not decided\n" in told.out
    assert "normalised Elo " in told.out


def moves_of(path: Path) -> list[object]:
    with path.open(encoding="utf-8") as file:
        return [(record.round, record.opening, record.moves) for record in formats.find("jsonl").read(file)]


def test_a_killed_match_continues_where_it_stopped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "halting.py").write_text(HALTING, encoding="utf-8")
    bots = [str(tmp_path / "halting.py"), "random", "--game", "tictactoe", "--games", "30", "--seed", "4"]
    whole, games, saved = tmp_path / "whole.jsonl", tmp_path / "out.jsonl", tmp_path / "match.json"
    uninterrupted = answer(capsys, *bots, "--jsonl", str(whole))
    written = ["--jsonl", str(games), "--save", str(saved), "--json"]
    games.write_bytes(before := whole.read_bytes()[: whole.read_bytes().index(b"\n") + 1])
    for lines in (4, 9):
        halt = tmp_path / f"halt {lines + 3}"
        halt.touch()
        process = subprocess.Popen([sys.executable, "-m", "arena.cli", "match", *bots, *written])
        while process.poll() is None and (not saved.exists() or saved.read_bytes().count(b"\n") < lines):
            time.sleep(0.01)
        assert process.poll() is None, "it was to be killed in the middle"
        process.kill()
        process.wait()
        halt.unlink()
    with games.open("a", encoding="utf-8") as torn, saved.open("a", encoding="utf-8") as too:
        torn.write('{"game":')
        too.write('{"number":')
    found = answer(capsys, *bots, *written[:-1])
    assert {**found, "seconds": 0} == {**uninterrupted, "seconds": 0}
    assert games.read_bytes().startswith(before)
    assert moves_of(games)[1:] == moves_of(whole)
    assert answer(capsys, *bots, *written[:-1])["games"] == 30, "a finished match stays finished"
    assert moves_of(games)[1:] == moves_of(whole)
    assert main(["match", *bots, "--depth", "3", *written]) == 2
    assert "holds another match: depth differs" in capsys.readouterr().err


def test_matches_are_adjudicated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--game", "checkers", "--games", "2", "--depth", "3"]
    short = answer(capsys, "minimax-2", "minimax-2", *options, "--max-plies", "10")
    assert short["terminations"] == {"adjudication": 2}
    level = answer(capsys, "minimax-2", "minimax-2", *options, "--draw", "score=50", "moves=3", "after=8")
    assert (level["draws"], level["terminations"]) == (2, {"adjudication": 2})
    lost = answer(capsys, "minimax-3", "random", *options, "--resign", "score=2", "moves=1", "both=false")
    assert lost["games"] == 2


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["random", "random", "--game", "tictactoe", "--concurrency", "0"], "--concurrency must be 1 or more"),
        (["random", "random", "--game", "chess", "--openings", "no.epd"], "cannot read no.epd: No such file"),
        (
            ["random", "random", "--game", "chess", "--openings", "no.html"],
            "no.html is not a file of openings",
        ),
        (["uci:echo hi", "random", "--game", "chess"], "echo: engine process died unexpectedly"),
        (["uci:cat", "random", "--game", "checkers"], "uci:cat does not play checkers, but chess"),
        (["random", "random", "--game", "go"], "no game is called 'go'"),
        (["random", "nobody", "--game", "tictactoe"], "no bot is called 'nobody'"),
        (["random", "random", "--game", "tictactoe", "--first", "depth=0"], "--first: depth must be at least 1"),
        (["random", "random", "--game", "tictactoe", "--first", "tc"], "--first: 'tc' is not understood"),
        (
            ["random", "random", "--game", "tictactoe", "--second", "nodes=x"],
            "--second: depth, nodes and playouts are whole",
        ),
        (["random", "random", "--game", "tictactoe", "--second", "nodes=5"], "engines, not for random"),
        (["random", "random", "--game", "tictactoe", "--time-margin", "-1"], "cannot be overrun by -1 ms"),
        (["random", "random", "--game", "tictactoe", "--openings-start", "0"], "--openings-start must be 1 or more"),
        (["random", "random", "--game", "tictactoe", "--games", "0"], "--games must be 1 or more"),
        (
            ["random", "random", "--game", "tictactoe", "--mirrored-dice"],
            "tictactoe has no dice that could be mirrored",
        ),
        (["random", "random", "--game", "tictactoe", "--time-control", "fast"], "not a time control"),
        (["random", "minimax-2", "--game", "tictactoe", "--depth", "0"], "--depth must be 1 or more"),
        (["random", "random", "--game", "tictactoe", "--pdn", "x.pdn"], "no notation for tictactoe"),
        (["random", "random", "--game", "tictactoe", "--sprt", "elo0=5", "elo1=5"], "elo0 must be less than elo1"),
        (["random", "random", "--game", "tictactoe", "--sprt", "elo1=5"], "a test needs elo0"),
        (["random", "random", "--game", "tictactoe", "--draw", "score=1"], "--draw score=1: "),
        (["random", "random", "--game", "tictactoe", "--resign", "3"], "--resign 3: "),
        (["random", "random", "--game", "tictactoe", "--save", "/no/such/folder/x"], "cannot write"),
        (["random", "random", "--game", "checkers", "--pdn", "/no/such/folder/x.pdn"], "cannot write"),
    ],
)
def test_errors_are_one_line(arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", *arguments]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert why in told


def test_a_bot_plays_only_its_own_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "loser.py").write_text(LOSER, encoding="utf-8")
    assert main(["match", str(tmp_path / "loser.py"), "random", "--game", "checkers/lecture"]) == 2
    assert "does not play checkers/lecture, but tictactoe, checkers" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("a.epd", "8/8/8/8/8/8/8/8 w - -\n", "line 1: "),
        ("b.epd", "7k/5Q2/6K1/8/8/8/8/8 b - -\n", "over before its first move"),
        ("c.epd", "\n", "has no positions"),
        ("d.pgn", '[Result "*"]\n\n1. e4 e5 *\n', "has no opening of 8 plies"),
    ],
)
def test_a_bad_suite_is_refused(
    tmp_path: Path, name: str, text: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert main(["match", "random", "random", "--game", "chess", "--openings", str(tmp_path / name)]) == 2
    assert why in capsys.readouterr().err


def test_results_of_holdem_are_also_in_big_blinds_a_hand(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "random", "random", "--game", "holdem/limit", "--games", "2", "--mirrored-dice")
    # a match has 100 hands, and a big blind is two chips
    assert found["mbb/hand"] == pytest.approx(1000 * found["payoff"] / 100 / 2)
    assert found["mbb/hand_interval"] == pytest.approx([5 * bound for bound in found["payoff_interval"]])


def test_control_variates_are_beside_the_plain_points(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("cfr", "random", "--game", "kuhn", "--games", "6", "--control-variates")
    found = answer(capsys, *arguments)
    without = answer(capsys, *arguments[:-1])
    reduced = found.pop("control_variates")
    assert {**found, "seconds": 0} == {**without, "seconds": 0}
    assert reduced["moves_of"] == ["cfr", "random"]
    low, high = reduced["payoff_interval"]
    assert low <= reduced["payoff"] <= high
    assert reduced["variance_fallen"] <= 1
    assert main(["match", *arguments]) == 0
    told = capsys.readouterr().out
    assert "points a game " in told
    assert f"of pairs {100 * abs(reduced['variance_fallen']):.1f} %" in told


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--game", "tictactoe"], "tictactoe has no dice or cards, so there are no control variates"),
        (["--game", "kuhn", "--format", "round-robin"], "--control-variates is for --format series"),
    ],
)
def test_control_variates_that_are_impossible_are_refused(
    arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["match", "random", "random", *arguments, "--control-variates"]) == 2
    assert why in capsys.readouterr().err
