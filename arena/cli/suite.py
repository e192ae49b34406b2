# SPDX-License-Identifier: GPL-3.0-or-later
"""Test a bot on a suite of chess problems (EPD), or solve Othello endgames (OBF).

Each problem starts with an empty memory, and compiling takes none of its time. A problem is solved if the move at the
end of the time is one of the best moves. Endgames of Othello are solved exactly, without a bot.
"""

import argparse
import asyncio
from dataclasses import replace
from pathlib import Path

from rich.markup import escape

from arena.cli.search import SWITCHES
from arena.cli.support.command_line import CommandError, check_least, read_items
from arena.cli.support.output import Bars, add_json, print_json, print_table, say
from arena.cli.support.searches.endgames import SUFFIX, run_endgames
from bots.bridges.player import EngineMaker
from bots.bridges.process import EngineFailed
from bots.bridges.spec import Allowance
from bots.built_in import kinds
from bots.built_in.kinds.searching import STRONGEST, Searching, switches
from bots.built_in.kinds.tree import TreeSearching
from bots.catalogue import UnknownBot, maker_of
from bots.local import Entrant
from bots.problems import Attempt, put
from engine.evaluation import named
from engine.formats import epd
from engine.formats.epd import Problem
from engine.game import Game
from engine.games import find
from engine.search import ALGORITHMS, Limits, altered
from engine.search.tree import TREE_ALGORITHMS, TreeSwitch

GROUP = "study"

BOT = "name of a built-in bot, FILE.py, FILE.py:CLASS, MODULE:CLASS, uci:COMMAND, xboard:COMMAND or genome:FILE"

SECONDS = 1.0
"""Time for each problem if there is no other limit."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("file", metavar="FILE", type=Path, help="the suite, one problem per line: .epd, or .obf")
    player = parser.add_mutually_exclusive_group()
    player.add_argument("--bot", metavar="BOT", help=f"{BOT} (default: {STRONGEST})")
    player.add_argument(
        "--algorithm",
        choices=[*ALGORITHMS, *TREE_ALGORITHMS],
        help="a search algorithm instead of a bot, with the evaluation of --evaluation",
    )
    parser.add_argument("--evaluation", metavar="E", help="name of a chess evaluation, instead of the built-in bot's")
    parser.add_argument("--switches", metavar="S,...", help=SWITCHES)
    parser.add_argument("--seconds", metavar="S", type=float, help=f"time for each problem (default: {SECONDS:g})")
    parser.add_argument("--nodes", metavar="N", type=int, help="node limit")
    parser.add_argument("--depth", metavar="N", type=int, help="depth limit in plies")
    parser.add_argument("--playouts", metavar="N", type=int, help="limit of playouts (Monte Carlo tree search)")
    parser.add_argument(
        "--jobs", metavar="N", type=int, default=1, help="number of problems at the same time (default: 1)"
    )
    parser.add_argument("--all", action="store_true", help="also list the solved problems")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Ask for a move, and report the result."""
    if arguments.file.suffix.lower() == SUFFIX:
        return run_endgames(arguments)
    game = find(epd.NAME)
    check_least(arguments, {"jobs": 1})
    problems = _read(arguments.file)
    entrant = _entrant(arguments, game)
    attempts = asyncio.run(_ask(game, problems, entrant, arguments))
    if arguments.json:
        print_json(_answer(attempts, entrant, arguments))
    else:
        _show(game, attempts, entrant, arguments)
    return 0


# ---------------------------------------------------------------- the bots and their limits


def _read(path: Path) -> list[Problem]:
    problems = [problem for problem in read_items(path, epd.read) if problem.asks]
    if not problems:
        raise CommandError(f"{path} has no problems: no line has bm or am")
    return problems


def _entrant(arguments: argparse.Namespace, game: Game) -> Entrant:
    try:
        Limits(arguments.depth, arguments.nodes, arguments.seconds, playouts=arguments.playouts)
        built_in = _built_in(arguments, game)
        if built_in is not None:
            return Entrant(built_in.name, built_in.make)
        if arguments.playouts is not None:
            raise ValueError(f"--playouts is for Monte Carlo tree search, not for {arguments.bot}")
        if arguments.evaluation or arguments.switches:
            raise ValueError(f"{arguments.bot} does not support --evaluation and --switches")
        maker = maker_of(arguments.bot)
        if isinstance(maker, EngineMaker):
            maker = EngineMaker(replace(maker.spec, allowance=_allowance(arguments, maker.spec.allowance)))
            asyncio.run(maker.try_out())
        bot = maker()
    except (KeyError, UnknownBot, EngineFailed, ValueError) as error:
        raise CommandError(str(error.args[0])) from None
    if bot.games is not None and game.name not in bot.games:
        raise CommandError(f"{arguments.bot} does not play {game.name}, but {', '.join(bot.games)}")
    return Entrant(bot.name or arguments.bot, maker)


def _built_in(arguments: argparse.Namespace, game: Game) -> Searching | TreeSearching | None:
    """Return the built-in bot that searches, with the limits of the arguments; None for other bots."""
    bot = kinds.catalogue().get(arguments.bot or STRONGEST)
    if arguments.algorithm in TREE_ALGORITHMS:
        bot = TreeSearching(arguments.algorithm, "", arguments.algorithm)
    elif arguments.algorithm:
        bot = Searching(arguments.algorithm, "", arguments.algorithm)
    if not isinstance(bot, Searching | TreeSearching):
        return None
    evaluations = bot.evaluations
    if arguments.evaluation:
        evaluations = (named(game.evaluations, arguments.evaluation).name,)
    seconds, nodes, depth, playouts = arguments.seconds, arguments.nodes, arguments.depth, arguments.playouts
    if seconds is nodes is depth is playouts is None:
        seconds = SECONDS
    words = arguments.switches or bot.switches
    if isinstance(bot, TreeSearching):
        if depth is not None:
            raise ValueError("Monte Carlo tree search has no limit of depth; use --playouts, --nodes or --seconds")
        altered(TreeSwitch(0), words)
        return replace(bot, switches=words, evaluations=evaluations, seconds=seconds, nodes=nodes, playouts=playouts)
    if playouts is not None:
        raise ValueError(f"--playouts is for Monte Carlo tree search: {', '.join(TREE_ALGORITHMS)}")
    bot = replace(bot, switches=words)
    switches(bot)
    return replace(bot, evaluations=evaluations, seconds=seconds, nodes=nodes, depth=depth)


def _allowance(arguments: argparse.Namespace, own: Allowance) -> Allowance:
    """Return an outside engine's limits for a problem: its own where the arguments name none."""
    asked = Allowance(arguments.seconds, arguments.nodes, arguments.depth)
    return own if asked == Allowance() else asked


# ---------------------------------------------------------------- running the problems, and the output


async def _ask(game: Game, problems: list[Problem], entrant: Entrant, arguments: argparse.Namespace) -> list[Attempt]:
    attempts: list[Attempt] = []
    with Bars(quiet=arguments.json) as bars:
        bar = bars.add_task(escape(entrant.name), total=len(problems))
        async for attempt in put(game, problems, entrant, concurrency=arguments.jobs):
            attempts.append(attempt)
            found = sum(attempt.solved for attempt in attempts)
            bars.update(bar, advance=1, description=f"{escape(entrant.name)}  {found} solved")
    return attempts


def _answer(attempts: list[Attempt], entrant: Entrant, arguments: argparse.Namespace) -> dict[str, object]:
    return {
        "suite": arguments.file.name,
        "bot": entrant.name,
        "problems": len(attempts),
        "solved": sum(attempt.solved for attempt in attempts),
        "nodes": _nodes(attempts),
        "attempts": [
            {
                "position": attempt.problem.position,
                "name": attempt.problem.name,
                "best": attempt.problem.best,
                "avoid": attempt.problem.avoid,
                "mate": attempt.problem.mate,
                "move": attempt.move,
                "solved": attempt.solved,
                "failure": attempt.failure,
                "seconds": attempt.seconds,
                "info": attempt.info,
            }
            for attempt in attempts
        ],
    }


def _show(game: Game, attempts: list[Attempt], entrant: Entrant, arguments: argparse.Namespace) -> None:
    listed = [attempt for attempt in attempts if arguments.all or not attempt.solved]
    if listed:
        columns = ("", "problem", "wanted", "played", "depth", "score", "nodes", "seconds")
        print_table(columns, [_row(game, attempt) for attempt in listed])
        say()
    for attempt in attempts:
        if attempt.failure:
            say(f"{attempt.problem.name or attempt.problem.position}: {attempt.failure}")
    solved, nodes = sum(attempt.solved for attempt in attempts), _nodes(attempts)
    share = 100 * solved / len(attempts)
    each = round(nodes / len(attempts))
    seconds = sum(attempt.seconds or 0.0 for attempt in attempts) / len(attempts)
    found = f"{entrant.name} solved {solved} of {len(attempts)} ({share:.1f} %)"
    say(f"{found} with {each:,} nodes and {seconds:.2f} s a problem")


def _row(game: Game, attempt: Attempt) -> tuple[object, ...]:
    problem, info = attempt.problem, attempt.info
    position = game.look(game.parse_position(problem.position))

    def written(move: str) -> str:
        return game.write_move(position, game.parse_move(position, move))

    mate = [] if problem.mate is None else [f"#{problem.mate}"]
    wanted = " ".join([*mate, *map(written, problem.best), *(f"not {written(move)}" for move in problem.avoid)])
    return (
        "+" if attempt.solved else "-",
        problem.name or problem.position,
        wanted,
        None if attempt.move is None else written(attempt.move),
        info and info.depth,
        info and info.score,
        info and info.nodes,
        attempt.seconds and f"{attempt.seconds:.2f}",
    )


def _nodes(attempts: list[Attempt]) -> int:
    return sum(attempt.info.nodes or 0 for attempt in attempts if attempt.info)
