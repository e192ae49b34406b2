# SPDX-License-Identifier: GPL-3.0-or-later
"""Proof of the strength of the strongest built-in bot in chess."""

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import chess.pgn

from bots.built_in.kinds.searching import STRONGEST
from engine.native import child
from lab.proofs.ledger import Ledger
from tests.engines import engine

GATE, HIGHER = 2200, 2400
STOCKFISH_GAMES = {HIGHER: 200, GATE: 60}
SHORT = 20
"""Games below which nothing is said of strength, and clocks are shorter."""
TIME_CONTROL, SHORT_TIME_CONTROL = "4+0.04", "2+0.02"
PATIENCE = 4 * 60 * 60


async def prove_strength(ledger: Ledger) -> None:
    """Chess against Stockfish of limited strength

    The strongest built-in bot scores at least half of the points against Stockfish with UCI_LimitStrength at a UCI_Elo
    of 2200, in colour-swapped pairs, each from an opening that the arena's own search considers balanced. A longer
    match measures it at 2400. No game ends by a fault, the score of at least half does not count games that Stockfish
    loses on time as wins, and python-chess reads all games back. Each side has one thread. The clock is short.
    Stockfish's levels were set for a longer one, but they mostly limit its depth, which a short clock hardly reduces.
    """
    stockfish = engine("stockfish")
    pairs = {level: ledger.times(games // 2) for level, games in STOCKFISH_GAMES.items()}
    time_control = TIME_CONTROL if min(pairs.values()) >= SHORT // 2 else SHORT_TIME_CONTROL
    folder = ledger.place("matches")
    openings = folder / "openings.epd"
    drawn = ("--evaluation=tuned", "--margin=40", "--nodes=50000", "--seed=1")
    await _arena("openings", "chess", f"--count={max(pairs.values())}", *drawn, f"--out={openings}", "--json")
    ledger.note("the built-in bot", STRONGEST)
    ledger.note("clock, in seconds", time_control)
    for level in STOCKFISH_GAMES:
        games = 2 * pairs[level]
        pgn = folder / f"{level}.pgn"
        told = await _arena(
            "match",
            STRONGEST,
            f"uci:{stockfish} option.UCI_LimitStrength=true option.UCI_Elo={level} name=stockfish-{level}",
            "--game=chess",
            f"--games={games}",
            f"--time-control={time_control}",
            f"--openings={openings}",
            f"--concurrency={max(1, (os.cpu_count() or 1) - 1)}",
            f"--pgn={pgn}",
            "--json",
        )
        _note_match(ledger, level, told)
        assert not told["faults"], told["faults"]
        read = _read(pgn)
        assert [game.headers["Result"] for game in read].count("1/2-1/2") == told["draws"]
        assert len(read) == games
        late = _late(read)
        ledger.note(f"against UCI_Elo {level}: lost on time, ours and Stockfish's", f"{late[0]}, {late[1]}")
        # games that it lost on time say nothing about our moves
        earned = told["wins"] + told["draws"] / 2 - late[1]
        ledger.note(f"against UCI_Elo {level}: score without these games", f"{earned / (games - late[1]):.1%}")
        assert games < SHORT or level > GATE or earned >= games / 2, told


def _note_match(ledger: Ledger, level: int, told: dict[str, Any]) -> None:
    against = f"against UCI_Elo {level}"
    low, high = told["score_interval"]
    ledger.note(f"{against}: games", told["games"])
    ledger.note(f"{against}: won, drawn, lost", f"{told['wins']}, {told['draws']}, {told['losses']}")
    ledger.note(f"{against}: score", f"{told['score']:.1%}, 95 % interval {low:.1%} to {high:.1%}")
    elo, least, most = (
        "unbounded" if points is None else f"{points:+.0f}" for points in (told["elo"], *told["interval"])
    )
    ledger.note(f"{against}: Elo difference", f"{elo}, 95 % interval {least} to {most}")
    ledger.note(f"{against}: pairs that scored 0, ½, 1, 1½ and 2", ", ".join(map(str, told["pentanomial"])))
    ledger.note_counts(f"{against}: how games ended", told["terminations"])


async def _arena(*arguments: str) -> dict[str, Any]:
    """Return what a command prints for programs."""
    process = await asyncio.create_subprocess_exec(
        *child.command("arena.cli", *arguments), stdout=asyncio.subprocess.PIPE, pass_fds=child.pass_fds()
    )
    async with asyncio.timeout(PATIENCE):
        output, _ = await process.communicate()
    assert process.returncode == 0, arguments
    answer: dict[str, Any] = json.loads(output)
    return answer


def _read(path: Path) -> list[chess.pgn.Game]:
    """Return the games of a file, as python-chess reads them."""
    games = []
    with path.open(encoding="utf-8") as file:
        while game := chess.pgn.read_game(file):
            assert not game.errors, game.errors
            games.append(game)
    return games


def _late(games: list[chess.pgn.Game]) -> tuple[int, int]:
    """Return how many games were lost on time by the built-in bot, and by the other."""
    losers = [
        game.headers["Black" if game.headers["Result"] == "1-0" else "White"]
        for game in games
        if game.headers["Termination"] == "time forfeit"
    ]
    own = losers.count(STRONGEST)
    return own, len(losers) - own
