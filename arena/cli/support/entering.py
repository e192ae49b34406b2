# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of ``arena tournament create``."""

import argparse
import secrets
from pathlib import Path
from typing import Any

import msgspec

from arena.cli.support.command_line import CommandError
from arena.cli.support.game_files import read_openings
from arena.rating.sprt import Sprt
from arena.tournaments.machine.config import Config, Entry, check
from arena.tournaments.machine.formats import AnyFormat, Gauntlet, Knockout, Ladder, RoundRobin, SprtMatch, Swiss
from engine.adjudication import Adjudication, DrawRule, ResignRule
from engine.games import find

FORMATS = ("round-robin", "swiss", "knockout", "gauntlet", "sprt", "ladder")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("name", metavar="NAME", nargs="?", help="name of the tournament")
    parser.add_argument(
        "--config", metavar="FILE", type=Path, help="the whole description as JSON, instead of the options below"
    )
    parser.add_argument("--game", help="name of the game")
    parser.add_argument("--format", choices=FORMATS, default="round-robin", help="format (default: %(default)s)")
    parser.add_argument(
        "--player",
        metavar="NAME[@TIME]",
        action="append",
        default=[],
        help="a player, strongest first (repeatable); @30+0.3: its own time control",
    )
    parser.add_argument("--games", type=int, default=2, help="games of each pairing (default: %(default)s)")
    parser.add_argument("--cycles", type=int, help="round robin, gauntlet: number of cycles (default: 1)")
    parser.add_argument("--rounds", type=int, help="swiss: number of rounds")
    parser.add_argument("--heads", type=int, help="gauntlet: number of players that play all others (default: 1)")
    parser.add_argument("--third-place", action="store_true", help="knockout: also play for the third place")
    parser.add_argument(
        "--extra",
        type=int,
        help="knockout: maximum number of games after a tie; then the better seed wins (default: 4)",
    )
    parser.add_argument(
        "--sprt", metavar="X=Y", nargs="+", help="sprt: elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalized"
    )
    parser.add_argument("--pairs", type=int, help="sprt: maximum number of pairs of games")
    parser.add_argument(
        "--wrong", type=float, help="ladder: expected share of misordered pairs at which it ends (default: 0.02)"
    )
    parser.add_argument("--meetings", type=int, help="ladder: maximum number of pairings in total")
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
    try:
        config = _read(arguments.config) if arguments.config else _made(arguments)
        check(config)
    except (KeyError, ValueError) as error:
        raise CommandError(str(error.args[0])) from None
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
        format=_format(arguments),
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


def _format(arguments: argparse.Namespace) -> AnyFormat:
    """Return the format; omitted options keep the format's defaults."""
    own: dict[str, tuple[str, ...]] = {
        "round-robin": ("cycles",),
        "swiss": ("rounds",),
        "knockout": ("extra",),
        "gauntlet": ("heads", "cycles"),
        "sprt": ("pairs",),
        "ladder": ("wrong", "meetings"),
    }
    for name in ("cycles", "rounds", "extra", "heads", "pairs", "wrong", "meetings", "sprt"):
        belongs = [kind for kind, names in own.items() if name in (*names, "sprt" if kind == "sprt" else "")]
        if getattr(arguments, name) is not None and arguments.format not in belongs:
            raise CommandError(f"--{name} is for {' and '.join(belongs)}, not for {arguments.format}")
    if arguments.third_place and arguments.format != "knockout":
        raise CommandError(f"--third-place is for knockout, not for {arguments.format}")
    given: dict[str, Any] = {
        name: getattr(arguments, name) for name in own[arguments.format] if getattr(arguments, name) is not None
    }
    match arguments.format:
        case "round-robin":
            return RoundRobin(**given)
        case "swiss":
            if "rounds" not in given:
                raise CommandError("--format swiss needs --rounds")
            return Swiss(**given)
        case "knockout":
            return Knockout(third_place=arguments.third_place, **given)
        case "gauntlet":
            return Gauntlet(**given)
        case "sprt":
            test = Sprt.parse(arguments.sprt or [])
            return SprtMatch(test.elo0, test.elo1, test.alpha, test.beta, test.model, **given)
        case _:
            return Ladder(**given)


def _adjudication(arguments: argparse.Namespace) -> Adjudication | None:
    draw, resign = arguments.draw, arguments.resign
    rules = Adjudication(
        draw=None if draw is None else DrawRule(score=draw[0], moves=int(draw[1]), after=int(draw[2])),
        resign=None if resign is None else ResignRule(score=resign[0], moves=int(resign[1])),
        plies=arguments.max_plies,
    )
    return None if rules == Adjudication() else rules
