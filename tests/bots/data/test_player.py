# SPDX-License-Identifier: GPL-3.0-or-later
"""Data bots play legal games: each game in this process, and one in the process of the runner."""

import asyncio
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from bots.bridges.program import ProgramMaker, ProgramSpec
from bots.catalogue import UnknownBot, maker_of
from bots.data.endings import BAD_FILE, ENDINGS
from bots.data.format import OfGame, template, write
from bots.evolution import genome
from bots.local import Entrant, play
from bots.sandbox import Program
from engine.game import Game
from engine.games import find
from engine.match.ending import FORFEITS
from engine.match.machine import Match
from tests.compiling import FRAME_OF_PLAY, marks, searched_games

GAMES = [name for name, game in searched_games().items() if game.playable]


def algorithms(name: str) -> list[str]:
    """Return an exact search, which compiles quickly, and the selective one; with dice one search serves both."""
    return [FRAME_OF_PLAY] if find(name).chance else ["advanced", FRAME_OF_PLAY]


def file_of(folder: Path, game: Game, **fields: object) -> Path:
    """Write a data bot that is quick on every machine."""
    quick = msgspec.structs.replace(template(game), nodes=200, table_bits=10, **fields)
    file = folder / "mine.json"
    file.write_text(write(quick), "utf-8")
    return file


def match_of(game: Game, file: Path) -> Match:
    """Play a match against a bot that moves at random."""
    entrants = Entrant("mine", maker_of(f"data:{file}")), Entrant("random", maker_of("random"))
    return asyncio.run(play(game, entrants, seed=3))


@pytest.mark.parametrize(
    ("name", "algorithm"),
    [pytest.param(name, algorithm, marks=marks(name, algorithm)) for name in GAMES for algorithm in algorithms(name)],
)
def test_a_data_bot_plays_a_legal_game(tmp_path: Path, name: str, algorithm: str) -> None:
    game = find(name)
    settings = {} if algorithm == FRAME_OF_PLAY else {"algorithm": algorithm, "parameters": {}}
    match = match_of(game, file_of(tmp_path, game, **settings))
    assert match.ending is not None
    assert match.ending.termination not in FORFEITS, match.ending
    own = [moved for moved in match.moves if moved.seat == 0]
    assert own
    assert all(moved.info is not None and moved.info.nodes for moved in own)


def test_settings_change_the_play(tmp_path: Path) -> None:
    game = find("checkers")
    usual = match_of(game, file_of(tmp_path, game))
    again = match_of(game, file_of(tmp_path, game))
    assert [moved.move for moved in again.moves] == [moved.move for moved in usual.moves]
    backwards = {game.name: OfGame("lecture", [-100_000, -300_000, 0, 0])}
    worse = match_of(game, file_of(tmp_path, game, games=backwards))
    assert [moved.move for moved in worse.moves] != [moved.move for moved in usual.moves]


def test_the_largest_weights_of_a_game_with_dice_find_moves(tmp_path: Path) -> None:
    """A search with dice finds no move where a position scores more than a won game."""
    game = find("einstein")
    match = match_of(game, file_of(tmp_path, game, games={game.name: OfGame("race", [1_000_000, -1_000_000])}))
    assert match.ending is not None
    assert match.ending.termination not in FORFEITS, match.ending


def test_a_genome_plays(tmp_path: Path) -> None:
    schema = genome.schema_named("checkers/lecture")
    file = tmp_path / "genome.json"
    file.write_text(genome.write(schema, schema.standard), "utf-8")
    match = match_of(find("checkers"), file)
    assert match.ending is not None
    assert match.ending.termination not in FORFEITS, match.ending


def test_the_runner_plays_over_its_input_and_output(tmp_path: Path) -> None:
    game = find("tictactoe")
    file = file_of(tmp_path, game)
    program = Program((sys.executable, "-I", "-m", "bots.data.runner", str(file)), tmp_path, endings=ENDINGS)

    async def played() -> Match:
        maker = ProgramMaker(ProgramSpec(program, sandboxed=False, name="mine"))
        return await play(game, (Entrant("mine", maker), Entrant("random", maker_of("random"))), seed=3)

    match = asyncio.run(played())
    assert match.ending is not None
    assert match.ending.termination not in FORFEITS, match.ending
    # the same bot plays the same game in this process
    assert [moved.move for moved in match.moves] == [moved.move for moved in match_of(game, file).moves]


def test_a_wrong_file_is_reported_and_ends_the_runner(tmp_path: Path) -> None:
    file = tmp_path / "wrong.json"
    file.write_text('{"kind": "search", "version": 1, "games": {"chess": {}}, "depth": 101}', "utf-8")
    command = [sys.executable, "-m", "bots.data.runner", str(file)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (BAD_FILE, "")
    assert ended.stderr.startswith("wrong.json: depth: ")
    with pytest.raises(UnknownBot, match=r"wrong\.json: depth: "):
        maker_of(f"data:{file}")
    with pytest.raises(UnknownBot, match="No such file"):
        maker_of(f"data:{tmp_path}/none.json")
