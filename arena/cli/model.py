# SPDX-License-Identifier: GPL-3.0-or-later
"""Learn a model of a player from its games, and predict its moves.

A model is a JSON file. Games are read from PGN, PDN or JSON lines, of chess or checkers. A player is found by a
pattern: words that begin words of its name, in any order, or a name with * and ?; | parts alternatives.
"""

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from arena.cli.support.command_line import check_least
from arena.cli.support.model_actions import add_actions, run_action, warn
from arena.cli.support.output import print_json, print_table, say
from bots.modelling import file
from bots.modelling.chunks import Chunk
from bots.modelling.frequencies import Node
from bots.modelling.model import Model
from bots.modelling.replay import Ply
from bots.modelling.sources import Skips, source
from bots.modelling.view import page
from engine.game import Game, Position
from engine.games import find

GROUP = "study"

# ---------------------------------------------------------------- learn


def add_learn(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``learn``."""
    parser.add_argument("--games", metavar="FILE", type=Path, required=True, help="file or folder of games")
    parser.add_argument(
        "--player",
        metavar="NAME",
        help="words that begin words of the player's name, or a pattern with * and ? (default: the most frequent name)",
    )
    parser.add_argument("--game", metavar="GAME", help="only games of this kind, such as chess")
    parser.add_argument("--model", metavar="FILE", type=Path, help="continue with this model")
    parser.add_argument("--out", metavar="FILE", type=Path, required=True, help="output file")


def learn(arguments: argparse.Namespace) -> None:
    """Fit a model to games, and calibrate it on them; a model that continues learning keeps its weights, because one
    game cannot refit them.
    """
    known = None if arguments.model is None else file.load(arguments.model.read_bytes())
    wanted = arguments.game if known is None else known.game.name
    player = arguments.player if known is None else known.player.pattern
    games = source(arguments.games, player, wanted)
    model = known or Model(find(games.game), games.player)
    skips = games.skips + model.learn(games.records)
    if model.calibration is None:
        model.calibrate(games.records)
    arguments.out.write_bytes(file.save(model))
    if arguments.json:
        print_json({**_summary(model), "names": games.names, "skipped": dict(skips)})
        return
    warn(arguments.games, Skips(skips))
    say(f"{model.games:,} games of {games.game} by {', '.join(games.names)} learned: {arguments.out}")


# ---------------------------------------------------------------- predict


def add_predict(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``predict``."""
    parser.add_argument("--model", metavar="FILE", type=Path, required=True, help="file of the model")
    parser.add_argument("--moves", metavar="M", nargs="*", default=[], help="moves so far, in the game's notation")
    parser.add_argument("--position", metavar="P", help="start position of the moves (default: the game's)")


def predict(arguments: argparse.Namespace) -> None:
    """Show the probabilities in a position, calibrated and raw."""
    model = file.load(arguments.model.read_bytes())
    game = model.game
    position, past = _arrive(game, arguments.position, arguments.moves)
    if position.over:
        raise ValueError("the game is over")
    raw = dict(model.candidates(position, past))
    rows = [
        {
            "move": game.format_move(position.state, move),
            "written": game.write_move(position, move),
            "probability": probability,
            "raw": raw.get(move, 0.0),
        }
        for move, probability in model.predict(position, past)
    ]
    if arguments.json:
        print_json({"player": model.player.pattern, "game": game.name, "moves": rows})
        return
    print_table(
        ("move", "probability %", "raw %"),
        [(row["written"], 100 * row["probability"], 100 * row["raw"] if row["raw"] else None) for row in rows[:10]],  # type: ignore[operator]  # numbers
    )


def _arrive(game: Game, start: str | None, texts: Iterable[str]) -> tuple[Position, list[Ply]]:
    position = game.look(game.start() if start is None else game.parse_position(start))
    past = []
    for text in texts:
        move = game.parse_move(position, text)
        past.append(Ply(position.state, move))
        position = game.play(position, move)
    return position, past


# ---------------------------------------------------------------- show


def add_show(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``show``."""
    parser.add_argument("--model", metavar="FILE", type=Path, required=True, help="file of the model")
    parser.add_argument(
        "--top", metavar="N", type=int, default=10, help="maximum number of entries of each kind (default: %(default)s)"
    )
    parser.add_argument(
        "--html", metavar="FILE", type=Path, help="write a page with the learned piece patterns (chunks) and openings"
    )


def show(arguments: argparse.Namespace) -> None:
    """Print the most frequent chunks and sequences of each seat."""
    check_least(arguments, {"top": 1})
    model = file.load(arguments.model.read_bytes())
    if arguments.html is not None:
        arguments.html.write_text(page(model, arguments.top), encoding="utf-8")
    seats = [
        {
            "seat": name,
            "games": seat.chunks.games,
            "chunks": [_chunk(model, chunk) for chunk in seat.chunks.used()[: arguments.top]],
            "openings": [
                {"moves": list(line), "games": node.games, "score": node.score}
                for line, node in sorted(seat.openings.chunks(), key=_weight, reverse=True)[: arguments.top]
            ],
        }
        for name, seat in zip(model.game.seats, model.seats, strict=True)
    ]
    if arguments.json:
        print_json({**_summary(model), "seats": seats})
        return
    for seat in seats:
        say(f"{model.player.pattern} as {seat['seat']}, {seat['games']:,} games")
        chunks: Any = seat["chunks"]
        print_table(
            ("chunk", "games", "score %", "move"),
            [(" ".join(one["men"]), one["games"], 100 * one["score"], one["move"]) for one in chunks],
        )
        openings: Any = seat["openings"]
        print_table(
            ("opening", "games", "score %"),
            [(" ".join(one["moves"]), one["games"], 100 * one["score"]) for one in openings],
        )


def _weight(line: tuple[tuple[str, ...], Node]) -> float:
    """Long sequences that were often played come first."""
    return line[1].games * len(line[0])


def _chunk(model: Model, chunk: Chunk) -> dict[str, Any]:
    return {
        "men": file.men(model.templates, chunk.items),
        "games": chunk.games,
        "score": chunk.points / chunk.games,
        "move": chunk.moves / chunk.games,
    }


def _summary(model: Model) -> dict[str, Any]:
    return {
        "player": model.player.pattern,
        "game": model.game.name,
        "games": model.games,
        "chunks_seen": sum(len(seat.chunks.known) for seat in model.seats),
        "chunks_used": sum(len(seat.chunks.used()) for seat in model.seats),
        "sequences_used": sum(1 for seat in model.seats for _ in seat.openings.chunks()),
        "calibrated": model.calibration is not None,
    }


# ---------------------------------------------------------------- the command

ACTIONS = {
    "learn": (add_learn, learn, "learn a model of a player from games and write it to a file"),
    "predict": (add_predict, predict, "predict the next move of the player of a model"),
    "show": (add_show, show, "show the contents of a model"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_actions(parser, ACTIONS)


def run(arguments: argparse.Namespace) -> int:
    """Run the chosen action; return the exit code."""
    return run_action(arguments, ACTIONS)
