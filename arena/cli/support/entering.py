# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of ``arena tournament create``."""

import argparse
import secrets
from pathlib import Path

import msgspec

from arena.cli.support.command_line import CommandError, input_errors
from arena.cli.support.format_options import ENTERED, add_format_options, chosen_format
from arena.cli.support.game_files import read_openings
from arena.tournaments.machine.config import Config, Entry, check
from engine.adjudication import Adjudication, DrawRule, ResignRule
from engine.games import find


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("name", metavar="NAME", nargs="?", help="name of the tournament")
    parser.add_argument(
        "--config", metavar="FILE", type=Path, help="the whole description as JSON, instead of the options below"
    )
    parser.add_argument("--game", help="name of the game")
    parser.add_argument("--format", choices=list(ENTERED), default="round-robin", help="format (default: %(default)s)")
    parser.add_argument(
        "--player",
        metavar="NAME[@TIME]",
        action="append",
        default=[],
        help="a player, strongest first (repeatable); @30+0.3: its own time control",
    )
    parser.add_argument("--games", type=int, default=2, help="games of each pairing (default: %(default)s)")
    add_format_options(parser)
    parser.add_argument(
        "--time-control",
        metavar="BASE+INC",
        help="time control in seconds (default: the game's own)",
    )
    parser.add_argument("--openings", metavar="FILE", type=Path, help="a suite of openings: EPD or a file of games")
    parser.add_argument(
        "--opening-plies", type=int, default=8, help="number of plies from each game (default: %(default)s)"
    )
    parser.add_argument("--draw", metavar=("SCORE", "MOVES", "AFTER"), type=float, nargs=3, help=_DRAW)
    parser.add_argument("--resign", metavar=("SCORE", "MOVES"), type=float, nargs=2, help=_RESIGN)
    parser.add_argument("--max-plies", type=int, help="adjudicate a draw after this number of plies")
    parser.add_argument("--rated", action="store_true", help="make the games rated")
    parser.add_argument("--anonymous", action="store_true", help="hide the players from each other until a game ends")
    parser.add_argument(
        "--concurrency", type=int, default=0, help="maximum number of games at once (default: the bots' capacity)"
    )
    parser.add_argument(
        "--patience", type=float, default=120.0, help="seconds to wait for a bot (default: %(default)g)"
    )
    parser.add_argument("--seed", type=int, help="seed of the openings (default: random)")


_DRAW = "adjudicate a draw if both report at most SCORE pawn units for MOVES consecutive moves, after move AFTER"
_RESIGN = "adjudicate a loss if both report a lead of SCORE pawn units for MOVES consecutive moves"


def configured(arguments: argparse.Namespace) -> Config:
    """Return the validated tournament. Raises CommandError."""
    with input_errors():
        config = _read(arguments.config) if arguments.config else _made(arguments)
        check(config)
    return config


def _read(path: Path) -> Config:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Config)
    except OSError as error:
        raise CommandError(f"cannot read {path}: {error.strerror}") from None
    except msgspec.MsgspecError as error:
        raise CommandError(f"{path}: {error}") from None


def _made(arguments: argparse.Namespace) -> Config:
    for name, option in (("name", "a NAME"), ("game", "--game")):
        if not getattr(arguments, name):
            raise CommandError(f"a tournament needs {option}")
    game = find(arguments.game)
    openings = read_openings(arguments.openings, game, arguments.opening_plies) if arguments.openings else []
    return Config(
        name=arguments.name,
        game=game.name,
        format=chosen_format(arguments),
        entries=tuple(_entry(text) for text in arguments.player),
        games=arguments.games,
        time_control=arguments.time_control,
        openings=tuple(openings),
        adjudication=_adjudication(arguments),
        rated=arguments.rated,
        seed=secrets.randbits(52) if arguments.seed is None else arguments.seed,
        concurrency=arguments.concurrency,
        anonymous=arguments.anonymous,
        patience=arguments.patience,
    )


def _entry(text: str) -> Entry:
    name, _, control = text.partition("@")
    return Entry(name, control or None)


def _adjudication(arguments: argparse.Namespace) -> Adjudication | None:
    draw, resign = arguments.draw, arguments.resign
    rules = Adjudication(
        draw=None if draw is None else DrawRule(score=draw[0], moves=int(draw[1]), after=int(draw[2])),
        resign=None if resign is None else ResignRule(score=resign[0], moves=int(resign[1])),
        plies=arguments.max_plies,
    )
    return None if rules == Adjudication() else rules
