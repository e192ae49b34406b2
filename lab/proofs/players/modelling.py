# SPDX-License-Identifier: GPL-3.0-or-later
"""Proof of opponent models on games that they did not learn."""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

from bots.modelling.model import Model
from bots.modelling.sources import PlayerName, files, read
from engine import formats
from engine.games import find
from lab.proofs.ledger import Ledger
from lab.studies.scoring import PUBLISHED
from tests.bots.modelling.habitual import games

VARIABLE = "ARENA_COLLECTIONS"
TRAIN, TEST = 80, 200
SMALL_TRAIN, SMALL_TEST = 24, 8
LARGE_TRAIN = 500
"""Games from which whole moves are to be matched."""

MATCH = "World Championship 18th"
"""The Hague and Moscow, 1948: what the published count of patterns is of."""
PATIENCE = 6 * 60 * 60


async def prove_modelling(ledger: Ledger) -> None:
    """Opponent models on games that they did not learn

    A model that has learned a player's earlier games predicts the moves of later events with a better logarithmic score
    than every baseline on the same positions, overall and after the opening, and the 95 % interval of each paired
    difference is above zero. The baselines are uniform probabilities, the most frequent move, the best capture, and the
    choice of alpha-beta at depth 4. The environment variable ARENA_COLLECTIONS names a folder of collections; the
    player of a collection is the most frequent name in it. Without the variable, the games are those of a synthetic
    player with fixed preferences, and nothing is searched. The figures include the published hit rates of raw beliefs,
    for comparison.
    """
    folder = os.environ.get(VARIABLE)
    if not folder:
        path = ledger.place("games") / "habit.pgn"
        path.write_text("".join(formats.native("chess").write(games(40, "chess", 30))), encoding="utf-8")
        found = await _report(path, SMALL_TRAIN, SMALL_TEST, "--no-search")
        _note(ledger, found, found["reports"][0], sure=False)
        return
    await asyncio.to_thread(_count, ledger, Path(folder))
    test = ledger.times(TEST, least=10)
    for path in await asyncio.to_thread(lambda: list(files(Path(folder)))):
        found = await _report(path, TRAIN, test, "--nodes=0")
        _note(ledger, found, found["reports"][0])
        # valuing every move takes most of the time: only where the whole proof is run
        if ledger.scale == 1 and sum(found["names"].values()) > 2 * LARGE_TRAIN:
            large = (await _report(path, LARGE_TRAIN, test))["reports"][0]
            low, high = large["readings"]["blend"]["match_wilson"]
            share = large["readings"]["blend"]["match"]
            ledger.note(
                f"{found['player']}: moves matched by {LARGE_TRAIN} games and a search",
                f"{share:.1%}, 95 % interval {low:.1%} to {high:.1%}, of {large['test_moves']:,}",
            )


async def _report(path: Path, train: int, test: int, *more: str) -> dict[str, Any]:
    command = [
        "-m",
        "arena.cli",
        "lab",
        "model",
        "report",
        f"--games={path}",
        f"--train={train}",
        f"--test={test}",
        "--json",
    ]
    process = await asyncio.create_subprocess_exec(sys.executable, *command, *more, stdout=asyncio.subprocess.PIPE)
    async with asyncio.timeout(PATIENCE):
        output, _ = await process.communicate()
    assert process.returncode == 0, path
    answer: dict[str, Any] = json.loads(output)
    return answer


def _note(ledger: Ledger, found: dict[str, Any], report: dict[str, Any], *, sure: bool = True) -> None:
    """Note a report; ``sure``: no interval may reach zero, which takes more than a few games."""
    player = found["player"]
    ledger.note(f"{player}: games learned, moves tested", f"{report['train']:,}, {report['test_moves']:,}")
    ledger.note(f"{player}: raw predictions, coverage", f"{report['predictions']:,}, {report['coverage']:.1%}")
    shown = [f"{one['hit']}/{one['predicted']}" for one in report["bins"]]
    ledger.note(f"{player}: raw hits below 25 %, 30 %, 40 %, 50 %, and above", ", ".join(shown))
    for part, name in ((report, "all"), (report["after_opening"], "after the opening")):
        ledger.note(
            f"{player}, {name}: log-loss, match, calibration error",
            f"{part['log_loss']:.3f}, {part['match']:.1%}, {part['calibration_error']:.3f}",
        )
        for baseline, rival in part["baselines"].items():
            low, high = rival["interval"]
            ledger.note(
                f"{player}, {name}: {baseline} loses more by", f"{rival['difference']:.3f} ({low:.3f} to {high:.3f})"
            )
            assert low > 0 or not sure, (player, name, baseline)


def _count(ledger: Ledger, folder: Path) -> None:
    """Count the patterns of the match in the published study, and note the hits of that study."""
    ledger.note("published hits, from 80 games", ", ".join(f"{hit}/{all_}" for hit, all_ in PUBLISHED[80]))
    model = Model(find("chess"), PlayerName("botvinnik"))
    for path in folder.glob("[Bb]otvinnik.pgn"):
        model.learn(one for one in read(path, []) if one.event == MATCH)
    if model.games:
        seen = sum(len(seat.chunks.known) for seat in model.seats)
        used = sum(len(seat.chunks.used()) for seat in model.seats)
        ledger.note(
            f"patterns in {model.games} games of 1948, in two or more (published 272, 28)", f"{seen:,}, {used:,}"
        )
