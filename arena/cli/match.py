# SPDX-License-Identifier: GPL-3.0-or-later
"""Play a series of games between two bots, or a round robin of several bots, without a server.

Games come in pairs with swapped seats. Each pair starts from one opening, which the seed determines or a file contains.
All figures are for the first bot. An outside engine is written "uci:COMMAND", "xboard:COMMAND" or, for Go and
Othello, "gtp:COMMAND"; words of COMMAND such as option.Hash=64, limit.seconds=0.5, limit.nodes=N, limit.depth=N and
name=NAME are for the bridge.

--first and --second set limits of one bot alone: tc=40/60+0.5 or st=5 (time for each move), depth=8,
nodes=10000, name=NAME; for bots of Monte Carlo tree search playouts=1000 and algorithm=uct.

With --mirrored-dice both games of a pair have the same rolls, or in hold'em the same cards (duplicate deals): each bot
gets those that the other got in the same seat, so that luck counts less and the intervals are narrower.

In games with dice or cards, --control-variates also prints the points a game without luck: the outcome of each roll or
card counts as much as its average by an estimate of the payoff, and so do the moves of bots that choose by known
probabilities (cfr, random). The mean stays unbiased, and its interval is narrower as a rule.

With --format round-robin more than two bots may play: a series between each two of them, then standings and the mean
payoff of each bot against each. In games where both can win, such as the Prisoner's Dilemma, each bot also plays
against itself. The output of --json is a matrix for `arena evolve --matrix FILE`.

With --sprt the series ends as soon as one of two hypotheses is likely enough. With --save the same command continues an
interrupted series.

With --on the games are played on a Ray cluster. With limits of nodes, depth or instructions they are the same games as
on one processor; with clocks they depend on the speed of the machines.
"""

import argparse
import asyncio
import itertools
import time
from contextlib import AbstractContextManager, ExitStack, closing, nullcontext
from pathlib import Path

from msgspec import ValidationError, convert

from arena.cli.support.command_line import CommandError, check_least, input_errors
from arena.cli.support.matches.game_files import ENDS, Written, read_openings
from arena.cli.support.matches.round_robin import play_round_robin, show_round_robin, tell_compiling
from arena.cli.support.matches.score import RunningScore, answer, report
from arena.cli.support.matches.shares import add_share_options, check_share_options, chosen_shares
from arena.cli.support.output import add_json, print_json, say, say_error
from arena.cli.support.pools import add_on, note_of, pool_for
from arena.rating.sprt import Sprt
from bots.contest import Contest, EntrantTerms, NoEntrant, NotSaved, Saved, cut_back
from bots.local import Entrant, prepare
from bots.luck import LuckReader
from bots.pools.matches import played_in
from bots.pools.pool import Pool
from bots.pools.processes import Processes
from bots.round_robin import RoundRobin
from bots.series import Tally, series
from engine import formats, games
from engine.formats.suite import Opening
from engine.game import Game
from engine.match.ending import Adjudication, DrawRule, ResignRule
from engine.search.tree import TREE_ALGORITHMS
from engine.time_control import parse_instructions

GROUP = "play"

LEAST = {"games": 1, "concurrency": 1, "depth": 1, "nodes": 1, "playouts": 1, "report": 1, "openings_start": 1}

BOT = (
    "name of a built-in bot, FILE.py, FILE.py:CLASS, MODULE:CLASS, uci:COMMAND, xboard:COMMAND, gtp:COMMAND, "
    "program:COMMAND, wasm:FILE, genome:FILE or data:FILE"
)

USUAL_GAMES = 2

FORMATS = ("series", "round-robin")

SERIES_ONLY = ("sprt", "save", "first", "second", "report", "control_variates")
"""Options that a round robin does not have."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("bot1", metavar="BOT1", help=BOT)
    parser.add_argument("bot2", metavar="BOT2", help=BOT)
    parser.add_argument("more", nargs="*", metavar="BOT", help="further bots of a round robin")
    parser.add_argument("--game", required=True, help="name of the game")
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default=FORMATS[0],
        help="a series between two bots, or a round robin (default: %(default)s)",
    )
    parser.add_argument(
        "--own-play",
        action=argparse.BooleanOptionalAction,
        help="whether each bot of a round robin plays against itself too (default: in games that are not zero-sum)",
    )
    add_share_options(parser)
    parser.add_argument(
        "--games",
        type=int,
        metavar="N",
        help=f"number of games; in a round robin, of each pairing (default: {USUAL_GAMES}; with --sprt unlimited)",
    )
    parser.add_argument(
        "--time-control",
        metavar="TIME",
        help="time control in seconds: 60+0.5, 40/60+0.5 (per 40 moves) or 5/move (default: no clock)",
    )
    parser.add_argument(
        "--time-margin",
        type=int,
        default=0,
        metavar="MS",
        help="time by which a bot may exceed its clock without losing (default: 0)",
    )
    parser.add_argument(
        "--depth",
        type=int,
        metavar="N",
        help="depth limit in plies for built-in bots and engines (replaces their own limits)",
    )
    parser.add_argument("--nodes", type=int, metavar="N", help="node limit per move (replaces the bots' own limits)")
    parser.add_argument(
        "--playouts",
        type=int,
        metavar="N",
        help="limit of playouts per move for bots of Monte Carlo tree search (replaces their own limits)",
    )
    parser.add_argument(
        "--algorithm", choices=TREE_ALGORITHMS, help="algorithm of bots of Monte Carlo tree search (default: their own)"
    )
    parser.add_argument(
        "--instructions",
        metavar="N",
        help="limit of WebAssembly instructions for each move, such as 10M; both bots must be wasm:FILE, and no clock "
        "runs",
    )
    for side, which in (("first", "BOT1"), ("second", "BOT2")):
        parser.add_argument(
            f"--{side}",
            nargs="+",
            metavar="NAME=VALUE",
            help=f"limits of {which} only: tc=TIME, st=SECONDS, depth=N, nodes=N, playouts=N, algorithm=A, name=NAME",
        )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="S", help="seed of openings and random choices of bots (default: 0)"
    )
    parser.add_argument(
        "--mirrored-dice",
        action="store_true",
        help="roll the same dice, or deal the same cards, in both games of a pair (games with dice or cards only)",
    )
    parser.add_argument(
        "--control-variates",
        action="store_true",
        help="also print the points a game without luck, with their interval (games with dice or cards only)",
    )
    parser.add_argument(
        "--concurrency",
        type=int,
        metavar="N",
        help="number of games at the same time, in N processes (default: 1)",
    )
    add_on(parser, "--concurrency")
    parser.add_argument(
        "--openings",
        type=Path,
        metavar="FILE",
        help="openings: positions (.epd, .fen, .txt),"
        " or the first moves of games (.pgn, .pdn, .sgf, .ggf, .mat, .jsonl)",
    )
    parser.add_argument(
        "--opening-plies",
        type=int,
        default=8,
        metavar="N",
        help="number of plies of each opening that is read from a game (default: %(default)s)",
    )
    parser.add_argument(
        "--openings-order",
        choices=("random", "sequential"),
        default="random",
        help="order of the openings: by the seed, or as in the file (default: %(default)s)",
    )
    parser.add_argument(
        "--openings-start", type=int, default=1, metavar="N", help="number of the first opening (default: 1)"
    )
    parser.add_argument(
        "--sprt",
        nargs="+",
        metavar="NAME=VALUE",
        help="end by a sequential test: elo0=0 elo1=5 [alpha=0.05 beta=0.05 model=normalized|logistic]",
    )
    parser.add_argument("--report", type=int, metavar="N", help="print the score after every N games")
    parser.add_argument(
        "--save", type=Path, metavar="FILE", help="save the series in FILE; if FILE exists, continue its series"
    )
    parser.add_argument(
        "--draw",
        nargs="+",
        metavar="NAME=VALUE",
        help="adjudicate a draw if both report at most `score` pawn units for `moves` consecutive moves, after move "
        "`after`: score=0.1 moves=8 [after=40]",
    )
    parser.add_argument(
        "--resign",
        nargs="+",
        metavar="NAME=VALUE",
        help="adjudicate a loss if a side (both=true: both sides) reports that it is `score` pawn units behind for "
        "`moves` consecutive moves: score=6 moves=3 [both=true]",
    )
    parser.add_argument(
        "--max-plies",
        type=int,
        metavar="N",
        help="end games after this number of plies, as a draw or by the points so far",
    )
    for name, written in formats.catalogue().items():
        parser.add_argument(
            f"--{name}", metavar="FILE", type=Path, help=f"append the games to a file ({written.title})"
        )
    parser.add_argument("--epd", metavar="FILE", type=Path, help="append the games' final positions to a file (EPD)")
    parser.add_argument(
        "--event", default="Local match", metavar="NAME", help="event in the files (default: %(default)s)"
    )
    parser.add_argument("--site", default="", metavar="NAME", help="site in the files")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play, and print the score."""
    check_least(arguments, LEAST)
    check_share_options(arguments)
    contest, sprt = _contest(arguments), _sprt(arguments)
    if arguments.format != FORMATS[0]:
        return _round_robin(arguments, contest)
    if arguments.more:
        raise CommandError("a series has two bots; for more, write --format round-robin")
    if arguments.own_play is not None or arguments.dynamics is not None:
        option = "own-play" if arguments.dynamics is None else "dynamics"
        raise CommandError(f"--{option} is for --format round-robin")
    try:
        reader = LuckReader(contest) if arguments.control_variates else None
        entrants = asyncio.run(contest.entrants())
        with _pool(arguments) as pool:
            tally, seconds = asyncio.run(_play(contest, entrants, sprt, reader, pool, arguments))
    except (NoEntrant, NotSaved, ValueError) as error:
        raise CommandError(str(error)) from None
    if arguments.json:
        print_json(answer(contest, tally, sprt, seconds, _moves_of(reader)))
    else:
        say("\n".join(report(contest, tally, sprt, seconds, _moves_of(reader))))
    return 0


def _pool(arguments: argparse.Namespace) -> AbstractContextManager[Pool | None]:
    """Return the pool that plays; None: this process plays game by game."""
    if arguments.on is None and arguments.concurrency in (None, 1):
        return nullcontext()
    return pool_for(arguments.on, arguments.concurrency, Processes)


def _moves_of(reader: LuckReader | None) -> tuple[str, ...] | None:
    return None if reader is None else reader.moves_of


def _round_robin(arguments: argparse.Namespace, contest: Contest) -> int:
    if given := [name for name in SERIES_ONLY if getattr(arguments, name)]:
        raise CommandError(f"--{given[0].replace('_', '-')} is for --format {FORMATS[0]}")
    own_play = games.needs_own_play(contest.game) if arguments.own_play is None else arguments.own_play
    if arguments.dynamics is not None and not own_play and games.needs_own_play(contest.game):
        raise CommandError(f"{contest.game} is not zero-sum, so --dynamics needs games of each bot against itself")
    written = _written(arguments, None)
    began = time.perf_counter()
    try:
        with closing(written), input_errors():
            table = RoundRobin(contest, (arguments.bot1, arguments.bot2, *arguments.more), own_play)
            number, quiet = arguments.games or USUAL_GAMES, arguments.json
            for _, pairing in table.pairings():
                asyncio.run(pairing.entrants())
            with _pool(arguments) as pool:
                asyncio.run(play_round_robin(table, number, pool, written, quiet=quiet))
    except NoEntrant as error:
        raise CommandError(str(error)) from None
    seconds = time.perf_counter() - began
    found = None
    if arguments.dynamics is not None:
        found = chosen_shares(arguments, table.bots, table.fitness(), contest.seed)
    show_round_robin(table, seconds, found, as_json=arguments.json)
    return 0


# ---------------------------------------------------------------- the games to play


def _contest(arguments: argparse.Namespace) -> Contest:
    with input_errors():
        game = games.find(arguments.game)
        contest = Contest(
            game.name,
            arguments.bot1,
            arguments.bot2,
            arguments.seed,
            arguments.time_control,
            arguments.depth,
            arguments.nodes,
            _adjudication(arguments),
            _openings(arguments, game),
            in_turn=arguments.openings_order == "sequential",
            first_terms=_terms(arguments, "first"),
            second_terms=_terms(arguments, "second"),
            time_margin=arguments.time_margin,
            event=arguments.event,
            site=arguments.site,
            instructions=_instructions(arguments),
            playouts=arguments.playouts,
            algorithm=arguments.algorithm,
            mirrored_dice=arguments.mirrored_dice,
        )
        contest.setting()
    return contest


def _openings(arguments: argparse.Namespace, game: Game) -> tuple[Opening, ...]:
    """Return the openings of the file, those before the first wanted at the end."""
    if arguments.openings is None:
        return ()
    openings = read_openings(arguments.openings, game, arguments.opening_plies)
    before = arguments.openings_start - 1
    if before >= len(openings):
        raise CommandError(f"--openings-start is beyond the {len(openings)} openings of {arguments.openings}")
    return (*openings[before:], *openings[:before])


def _instructions(arguments: argparse.Namespace) -> int | None:
    try:
        return None if arguments.instructions is None else parse_instructions(arguments.instructions)
    except ValueError as error:
        raise CommandError(f"--instructions: {error}") from None


def _terms(arguments: argparse.Namespace, side: str) -> EntrantTerms:
    try:
        return EntrantTerms.parse(getattr(arguments, side) or [])
    except ValueError as error:
        raise CommandError(f"--{side}: {error}") from None


def _adjudication(arguments: argparse.Namespace) -> Adjudication | None:
    rules: dict[str, object] = {"plies": arguments.max_plies}
    for name, kind in (("draw", DrawRule), ("resign", ResignRule)):
        words = getattr(arguments, name)
        if words:
            try:
                rules[name] = convert(dict(word.split("=", 1) for word in words), kind, strict=False)
            except (ValidationError, ValueError) as error:
                raise CommandError(f"--{name} {' '.join(words)}: {error}") from None
    return Adjudication(**rules) if any(rules.values()) else None  # type: ignore[arg-type]  # the names match the fields


def _sprt(arguments: argparse.Namespace) -> Sprt | None:
    try:
        return Sprt.parse(arguments.sprt) if arguments.sprt else None
    except ValueError as error:
        raise CommandError(f"--sprt: {error}") from None


# ---------------------------------------------------------------- play


async def _play(
    contest: Contest,
    entrants: tuple[Entrant, Entrant],
    sprt: Sprt | None,
    reader: LuckReader | None,
    pool: Pool | None,
    arguments: argparse.Namespace,
) -> tuple[Tally, float]:
    """Play the remaining games of a match; return its whole score, and the seconds of play now, without compilation."""
    games = arguments.games or (None if sprt else USUAL_GAMES)
    tally = Tally()
    with ExitStack() as stack:
        saved = stack.enter_context(closing(_saved(arguments.save, contest))) if arguments.save else None
        written = stack.enter_context(closing(_written(arguments, saved)))
        for played in saved.played[:games] if saved else []:
            tally.add(played, None if reader is None else reader.of(played))
        if not _over(tally, sprt, games) and (pool is None or not pool.compiles):
            await prepare(contest.setting().game, entrants, tell_compiling)
        began = time.perf_counter()
        progress = stack.enter_context(RunningScore(contest, sprt, games, quiet=arguments.json, note=note_of(pool)))
        progress.show(tally)
        if _over(tally, sprt, games):
            return tally, 0.0
        left = itertools.count(tally.count) if games is None else range(tally.count, games)
        matches = series(contest.setting(), *entrants, left) if pool is None else played_in(pool, contest, left)
        async for bare in matches:
            played = contest.noted(bare)
            tally.add(played, None if reader is None else reader.of(played))
            written.add(played)
            if saved:
                saved.add(played, written.sizes())
            progress.show(tally)
            if arguments.report and not arguments.json and tally.count % arguments.report == 0:
                progress.tell(tally)
            if _over(tally, sprt, games):
                break
        await matches.aclose()  # type: ignore[attr-defined]  # an asynchronous generator
    return tally, time.perf_counter() - began


def _over(tally: Tally, sprt: Sprt | None, games: int | None) -> bool:
    if games is not None and tally.count >= games:
        return True
    return bool(sprt and tally.whole and sprt.verdict(sprt.ratio(tally.pairs)))


def _saved(path: Path, contest: Contest) -> Saved:
    try:
        saved = Saved.open(path, contest)
    except OSError as error:
        raise CommandError(f"cannot write {path}: {error.strerror}") from None
    if saved.played:
        say_error(f"{path}: continuing after game {len(saved.played)}")
    return saved


def _written(arguments: argparse.Namespace, saved: Saved | None) -> Written:
    """Open the files of games; cut off content beyond the saved state."""
    paths = {name: path for name in (*formats.catalogue(), ENDS) if (path := getattr(arguments, name))}
    for path in paths.values():
        if saved and (size := saved.sizes.get(str(path))) is not None:
            cut_back(path, size)
    return Written(paths, arguments.game)
