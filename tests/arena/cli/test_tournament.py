# SPDX-License-Identifier: GPL-3.0-or-later
import asyncio
import io
import json
from pathlib import Path
from typing import Any

import chess.pgn
import pytest
from draughts.PDN import PDNReader

from arena.cli import main
from arena.connections.admission import hash_token
from arena.store import Store
from tests.arena.conftest import CONTROL, OpenArena
from tests.arena.tournaments.test_manager import over, playing

NAMES = ("anna", "bert", "cleo")
PLAYERS = [word for name in NAMES for word in ("--player", name)]


async def command(capsys: pytest.CaptureFixture[str], data: Path, *words: str) -> tuple[int, Any]:
    """Run ``arena tournament`` as another process would, and return its exit code and its answer."""
    capsys.readouterr()
    code = await asyncio.to_thread(main, ["tournament", *words, "--data", str(data), "--json"])
    # the arena of the test writes its log there too
    printed = [line for line in capsys.readouterr().out.splitlines() if line.startswith("{")]
    return code, json.loads(printed[-1]) if printed else None


async def register(folder: Path, *names: str) -> None:
    """Make a database with these bots."""
    async with await Store.open(f"sqlite:///{folder / 'arena.db'}") as store:
        for name in names:
            await store.bots.add(name, hash_token(name))


async def test_a_tournament_from_its_description_to_its_files(
    tmp_path: Path, open_arena: OpenArena, capsys: pytest.CaptureFixture[str]
) -> None:
    arena = await open_arena()
    async with playing(arena, NAMES):
        code, made = await command(capsys, tmp_path, "create", "Cup", "--game", "tictactoe", *PLAYERS, "--seed", "3")
        assert (code, made["status"]) == (0, "created")
        number = str(made["id"])
        assert (await command(capsys, tmp_path, "start", number))[1]["status"] == "running"
        await over(arena, made["id"])
    code, shown = await command(capsys, tmp_path, "show", number)
    assert (code, shown["status"], shown["played"]) == (0, "finished", 6)
    assert shown["standings"][0]["rank"] == 1
    assert (await command(capsys, tmp_path, "list"))[1]["items"][0]["name"] == "Cup"
    code, shown = await command(capsys, tmp_path, "show", number, "--dynamics", "moran", "--members", "9")
    assert (code, len(shown["dynamics"]["shares"]), shown["dynamics"]["names"]) == (0, 201, list(NAMES))
    assert (await command(capsys, tmp_path, "show", number, "--members", "9"))[0] == 2
    out = tmp_path / "cup.jsonl"
    code, written = await command(capsys, tmp_path, "export", number, "--out", str(out))
    assert (code, written["matches"]) == (0, 6)
    records = [json.loads(line) for line in out.read_text().splitlines()]
    assert {record["event"] for record in records} == {"Cup"}
    assert sorted(record["round"] for record in records)[:2] == ["1.1.1", "1.1.2"]
    code, written = await command(capsys, tmp_path, "export", number, "--bot", "cleo", "--out", str(out))
    assert written["matches"] == 4
    code, written = await command(capsys, tmp_path, "export", number, "--until", "2001-01-01", "--out", str(out))
    assert (code, written["matches"]) == (0, 0)
    code, written = await command(capsys, tmp_path, "export", number, "--since", "2001-01-01", "--out", str(out))
    assert written["matches"] == 6
    assert await asyncio.to_thread(main, ["tournament", "show", number, "--data", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "Cup: tictactoe, round robin, finished" in printed
    assert "anna" in printed


async def test_pause_resume_cancel_withdraw(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    await register(tmp_path, *NAMES)
    words = ["create", "Cup", "--game", "nim", *PLAYERS, "--format", "swiss", "--rounds", "2", "--start"]
    _, made = await command(capsys, tmp_path, *words)
    number = str(made["id"])
    assert made["status"] == "running"
    assert (await command(capsys, tmp_path, "pause", number))[1]["status"] == "paused"
    assert (await command(capsys, tmp_path, "resume", number))[1]["status"] == "running"
    assert (await command(capsys, tmp_path, "withdraw", number, "Bert"))[0] == 0
    assert (await command(capsys, tmp_path, "withdraw", number, "bert"))[0] == 2
    assert (await command(capsys, tmp_path, "withdraw", number, "zoe"))[0] == 2
    assert (await command(capsys, tmp_path, "cancel", number))[1]["status"] == "cancelled"
    assert (await command(capsys, tmp_path, "start", number))[0] == 2
    assert (await command(capsys, tmp_path, "show", "99"))[0] == 2


CANNOT_BE: list[tuple[list[str], str]] = [
    (["Cup", *PLAYERS], "needs --game"),
    (["--game", "nim", *PLAYERS], "needs a NAME"),
    (["Cup", "--game", "halma", *PLAYERS], "halma"),
    (["Cup", "--game", "nim"], "the tournament has no entries"),
    (["Cup", "--game", "nim", "--player", "anna"], "at least 2 players"),
    (["Cup", "--game", "nim", *PLAYERS, "--player", "ANNA"], "entered twice"),
    (["Cup", "--game", "nim", *PLAYERS, "--player", "zoe"], "no bot is called zoe"),
    (["Cup", "--game", "nim", *PLAYERS, "--format", "swiss"], "needs --rounds"),
    (["Cup", "--game", "nim", *PLAYERS, "--format", "swiss", "--rounds", "9"], "1 to 3 rounds"),
    (["Cup", "--game", "nim", *PLAYERS, "--rounds", "2"], "--rounds is for swiss"),
    (["Cup", "--game", "nim", *PLAYERS, "--third-place"], "is for knockout"),
    (["Cup", "--game", "nim", *PLAYERS, "--sprt", "elo0=0", "elo1=5"], "--sprt is for sprt"),
    (["Cup", "--game", "nim", *PLAYERS[:4], "--format", "sprt", "--sprt", "elo0=5", "elo1=5"], "elo0"),
    (["Cup", "--game", "nim", *PLAYERS[:4], "--format", "sprt"], "elo0"),
    (["Cup", "--game", "nim", *PLAYERS, "--openings", "nowhere.epd"], "cannot read"),
    (["--config", "nowhere.json"], "cannot read"),
]


async def test_errors_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    await register(tmp_path, *NAMES)
    for words, why in CANNOT_BE:
        assert await asyncio.to_thread(main, ["tournament", "create", *words, "--data", str(tmp_path)]) == 2
        told = capsys.readouterr().err.strip()
        assert why in told
        assert "\n" not in told
    assert (await command(capsys, tmp_path, "list"))[1]["items"] == []


async def test_an_illegal_opening_is_refused_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    await register(tmp_path, *NAMES)
    suite = tmp_path / "suite.epd"
    suite.write_text("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n8/8/8/8/8/8/8/8 w - -\n")
    words = ["tournament", "create", "Cup", "--game", "chess", *PLAYERS, "--openings", str(suite)]
    assert await asyncio.to_thread(main, [*words, "--data", str(tmp_path)]) == 2
    assert "suite.epd" in capsys.readouterr().err


async def test_all_of_it_may_stand_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    await register(tmp_path, *NAMES)
    file = tmp_path / "cup.json"
    described = {"name": "Cup", "game": "nim", "format": {"kind": "gauntlet", "heads": 1}}
    file.write_text(json.dumps(described | {"entries": [{"name": name} for name in NAMES]}))
    code, made = await command(capsys, tmp_path, "create", "--config", str(file))
    assert (code, made["name"]) == (0, "Cup")
    file.write_text(json.dumps(described | {"entries": [], "colour": "red"}))
    assert (await command(capsys, tmp_path, "create", "--config", str(file)))[0] == 2


async def test_games_of_chess_are_read_by_python_chess(
    tmp_path: Path, open_arena: OpenArena, capsys: pytest.CaptureFixture[str]
) -> None:
    arena = await open_arena(games="chess", time_controls=f"chess={CONTROL}")
    async with playing(arena, NAMES[:2], "chess"):
        words = ["create", "Cup", "--game", "chess", *PLAYERS[:4], "--max-plies", "24", "--seed", "3", "--start"]
        _, made = await command(capsys, tmp_path, *words)
        await over(arena, made["id"])
    out = tmp_path / "cup.pgn"
    _, written = await command(capsys, tmp_path, "export", str(made["id"]), "--format", "pgn", "--out", str(out))
    assert written["matches"] == 2
    file = io.StringIO(out.read_text())
    games = [chess.pgn.read_game(file) for _ in range(2)]
    assert chess.pgn.read_game(file) is None
    for game in games:
        assert game is not None
        assert not game.errors
        assert game.headers["Event"] == "Cup"
        assert game.headers["Termination"] == "adjudication"
        assert game.end().ply() == 24


async def test_games_of_checkers_begin_with_ballots_and_are_read_by_pydraughts(
    tmp_path: Path, open_arena: OpenArena, capsys: pytest.CaptureFixture[str]
) -> None:
    ballots = tmp_path / "ballots.pdn"
    lines = ("1. 9-13 21-17 2. 5-9", "1. 11-15 23-19 2. 8-11", "1. 10-14 22-17 2. 7-10")
    ballots.write_text("".join(f'[Event "ballot"]\n[GameType "21"]\n[Result "*"]\n\n{line} *\n\n' for line in lines))
    arena = await open_arena(games="checkers", time_controls=f"checkers={CONTROL}")
    async with playing(arena, NAMES[:2], "checkers"):
        words = [
            "create",
            "Cup",
            "--game",
            "checkers",
            *PLAYERS[:4],
            "--games",
            "4",
            "--max-plies",
            "24",
            "--seed",
            "3",
        ]
        suite = ["--openings", str(ballots), "--opening-plies", "3", "--start"]
        _, made = await command(capsys, tmp_path, *words, *suite)
        await over(arena, made["id"])
    out = tmp_path / "cup.pdn"
    _, written = await command(capsys, tmp_path, "export", str(made["id"]), "--format", "pdn", "--out", str(out))
    assert written["matches"] == 4
    games = PDNReader(pdn_text=out.read_text()).games
    assert len(games) == 4
    begun = {tuple(game.moves[:3]) for game in games}
    assert len(begun) == 2, "two pairs, each with a ballot of its own"
    assert begun <= {("9-13", "21-17", "5-9"), ("11-15", "23-19", "8-11"), ("10-14", "22-17", "7-10")}
