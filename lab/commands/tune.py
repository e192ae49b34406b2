# SPDX-License-Identifier: GPL-3.0-or-later
"""Tune the weights of an evaluation on games.

The weights are fitted to the games' results by logistic regression over quiet positions. Every tenth game is held out:
the loss on those, in bits a position, shows whether the fit generalises. The same games and seed give the same
weights, whatever the number of threads, and with --on on whatever machines.
"""

import argparse
import itertools
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from arena.cli.support.command_line import CommandError, check_least, input_errors
from arena.cli.support.matches.score import counted
from arena.cli.support.output import Bars, add_json, print_json, say, say_error
from arena.cli.support.pools import add_on, note_of, pool_for
from bots import weights
from bots.evolution.refereed import Search
from bots.modelling.sources import read
from bots.pools.pool import Pool, Threads
from bots.pools.processes import Processes
from bots.series import Tally
from engine.evaluation import Evaluation, named
from engine.formats import Unreadable, epd
from engine.game import Game
from engine.games import find
from engine.search import ALGORITHMS
from lab.tuning.fit import Fit, Tuned, tune
from lab.tuning.games import Archive, duel, self_play
from lab.tuning.positions import Folder, QuickPlay, samples
from lab.tuning.samples import Sampler, Samples

GROUP = "tune"

PLAYED = 1_000
"""The default number of self-play games."""

LEAST = {
    "play": 1,
    "seconds": 0,
    "nodes": 1,
    "threads": 1,
    "positions": 1,
    "pull": 0,
    "batch": 1,
    "rounds": 1,
    "duel": 0,
}
"""The least that is allowed of each number."""

FOREVER = 1e9
"""Games, or seconds."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("game", metavar="GAME", help="a game's name, such as chess")
    parser.add_argument("--out", metavar="FILE", type=Path, required=True, help="output file: .json or .py")
    parser.add_argument(
        "--evaluation",
        metavar="E",
        help="initial evaluation, or a .json file of weights (default: the evaluation with the most terms)",
    )
    learn = parser.add_argument_group("games to learn from")
    learn.add_argument(
        "--games", metavar="FILE", type=Path, nargs="+", default=[], help="read games: .jsonl, .pgn, .pdn"
    )
    learn.add_argument(
        "--play",
        metavar="N",
        type=int,
        help=f"number of games of self-play (default: {PLAYED:,} without --games)",
    )
    learn.add_argument("--seconds", metavar="S", type=float, help="time limit of self-play")
    learn.add_argument(
        "--record", metavar="FILE", type=Path, help="store the games here (.jsonl), and continue an existing file"
    )
    learn.add_argument(
        "--folder",
        metavar="DIR",
        type=Path,
        help="play many fast games, store their quiet positions here, and continue an existing folder",
    )
    learn.add_argument(
        "--player",
        metavar="E",
        help="evaluation of both sides in self-play (default: the initial evaluation, see --evaluation)",
    )
    learn.add_argument(
        "--algorithm", choices=ALGORITHMS, default="play", help="search algorithm (default: %(default)s)"
    )
    learn.add_argument("--nodes", metavar="N", type=int, default=3_000, help="nodes per move (default: %(default)s)")
    learn.add_argument("--threads", metavar="N", type=int, help="number of games at the same time (default: 1)")
    add_on(learn, "--threads")
    learn.add_argument(
        "--positions", metavar="N", type=int, default=16, help="quiet positions from each game (default: %(default)s)"
    )
    learn.add_argument(
        "--exclude",
        metavar="FILE",
        type=Path,
        nargs="+",
        default=[],
        help="exclude the positions of these suites (.epd)",
    )
    parser.add_argument(
        "--trust",
        metavar="T",
        type=float,
        default=0.5,
        help="weight of results in the target, 0 to 1; the rest is the search score (default: %(default)s)",
    )
    parser.add_argument(
        "--pull", metavar="P", type=float, default=1.0, help="regularisation towards the initial weights (default: 1)"
    )
    parser.add_argument("--batch", metavar="N", type=int, help="samples per round (default: all)")
    parser.add_argument(
        "--rounds",
        metavar="N",
        type=int,
        default=300,
        help="number of rounds of fitting (default: %(default)s)",
    )
    parser.add_argument(
        "--duel",
        metavar="N",
        type=int,
        default=0,
        help="then play N games between new and old weights (default: none)",
    )
    parser.add_argument("--seed", metavar="S", type=int, default=0, help="seed of openings and positions (default: 0)")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Gather games, fit, write and print."""
    check_least(arguments, LEAST)
    if not 0 <= arguments.trust <= 1:
        raise CommandError("--trust must be 0 to 1")
    with input_errors():
        game = find(arguments.game)
        evaluation = _evaluation(game, arguments.evaluation)
        search = Search(evaluation, arguments.algorithm, arguments.nodes)
        written = _writer(game, evaluation, arguments.out)
        local = Threads if arguments.folder is None else Processes
        with (
            pool_for(arguments.on, arguments.threads, local) as pool,
            Bars(quiet=arguments.json, note=note_of(pool)) as bars,
        ):
            samples = (_sampled if arguments.folder is None else _quick)(game, search, arguments, pool, bars)
            bar = bars.add_task("fitting", total=arguments.rounds)
            tuned = tune(
                evaluation,
                samples,
                Fit(arguments.rounds, arguments.batch, arguments.trust, arguments.pull),
                lambda loss: bars.update(bar, advance=1, description=f"fitting: {loss:.4f} bits"),
            )
            arguments.out.write_text(written(tuned.evaluation), encoding="utf-8")
            tally = _duel(game, replace(search, evaluation=tuned.evaluation), search, arguments, pool, bars)
    if arguments.json:
        print_json(_answer(game, samples, tuned, tally))
    else:
        _show(arguments.out, samples, tuned, tally)
    return 0


# ---------------------------------------------------------------- the parameters, and the training games


def _evaluation(game: Game, choice: str | None) -> Evaluation:
    """Return the evaluation to begin with: a named one, one from a file, or the first of those with most terms."""
    if choice is None:
        return max(game.evaluations.values(), key=lambda one: len(one.weights) - one.weights.count(0))
    if choice.endswith(".json"):
        try:
            return weights.from_json(game, Path(choice).read_bytes())
        except ValueError as error:
            raise ValueError(f"{choice}: {error}") from None
    return named(game.evaluations, choice)


def _writer(game: Game, evaluation: Evaluation, path: Path) -> Callable[[Evaluation], str]:
    """Return the writer of weights for a file of this name; checked before hours of work."""
    writers: dict[str, Callable[[Evaluation], str]] = {
        ".json": lambda one: weights.as_json(game, one),
        ".py": weights.as_module,
    }
    if path.suffix not in writers:
        raise ValueError(f"{path} must end in one of {', '.join(writers)}")
    writers[path.suffix](evaluation)
    if not path.parent.is_dir():
        raise ValueError(f"the folder {path.parent} does not exist")
    return writers[path.suffix]


def _excluded(paths: Iterable[Path], game: Game) -> frozenset[int]:
    """Return the keys of the positions of suites."""
    keys: set[int] = set()
    for path in paths:
        with path.open(encoding="utf-8") as file:
            keys.update(game.look(game.parse_position(problem.position)).key for problem in epd.read(file))
    return frozenset(keys)


def _sampled(game: Game, search: Search, arguments: argparse.Namespace, pool: Pool, bars: Bars) -> Samples:
    """Gather samples of games in files, and of self-play."""
    if arguments.player is not None:
        raise ValueError("--player needs --folder")
    sampler = Sampler(game, search.evaluation, arguments.seed, arguments.positions, _excluded(arguments.exclude, game))
    _read(sampler, arguments.games)
    if arguments.play is not None or arguments.seconds is not None or not arguments.games:
        _play(sampler, search, arguments, pool, bars)
    return sampler.samples()


def _quick(game: Game, search: Search, arguments: argparse.Namespace, pool: Pool, bars: Bars) -> Samples:
    """Gather all positions of quick games, those that are missing played."""
    if arguments.games or arguments.record or arguments.seconds is not None:
        raise ValueError("--folder cannot be combined with --games, --record or --seconds")
    wanted = arguments.play or PLAYED
    player = search.evaluation if arguments.player is None else named(game.evaluations, arguments.player)
    folder = Folder(arguments.folder, QuickPlay.of(game, player, search.algorithm, search.nodes, arguments.seed))
    bar = bars.add_task("playing", total=wanted)
    for count in folder.fill(wanted, pool):
        bars.update(bar, completed=min(count, wanted))
    return samples(game, search.evaluation, folder.parts(wanted), _excluded(arguments.exclude, game), player)


def _read(sampler: Sampler, paths: Iterable[Path]) -> None:
    """Take the games of files; those that cannot be read, or are against the rules, are counted and left out."""
    for path in paths:
        before = sampler.count
        left_out: list[Unreadable] = []
        for number, record in enumerate(read(path, left_out), 1):
            try:
                sampler.add(record)
            except (KeyError, ValueError) as error:
                left_out.append(Unreadable(number, str(error.args[0])))
        if left_out:
            say_error(f"{path}: {len(left_out):,} games were skipped, the first because of {left_out[0].reason}")
        if sampler.count == before:
            raise ValueError(f"{path} has no game of {sampler.game.name} with a result")


def _play(sampler: Sampler, search: Search, arguments: argparse.Namespace, pool: Pool, bars: Bars) -> None:
    """Load the archived games, play the missing ones, and archive them."""
    seconds = FOREVER if arguments.seconds is None else arguments.seconds
    wanted = arguments.play or (PLAYED if arguments.seconds is None else int(FOREVER))
    ends = time.monotonic() + seconds
    what = f"games of {search.evaluation.name} by {search.algorithm}, {search.nodes} nodes, seed {arguments.seed}"
    bar = bars.add_task("playing", total=wanted if wanted < FOREVER else None)
    with Archive(arguments.record, what) as archive:
        for record in itertools.islice(archive.records(), wanted):
            sampler.add(record)
            bars.advance(bar)
        numbers = range(archive.count, wanted)
        for record in self_play(sampler.game, search, seed=arguments.seed, numbers=numbers, pool=pool):
            sampler.add(archive.keep(record))
            bars.advance(bar)
            if time.monotonic() > ends:
                break


def _duel(game: Game, new: Search, old: Search, arguments: argparse.Namespace, pool: Pool, bars: Bars) -> Tally:
    """Let the new weights play the old ones."""
    tally = Tally()
    bar = bars.add_task("new : old", total=arguments.duel, visible=arguments.duel > 0)
    for played in duel(game, new, old, seed=arguments.seed, games=arguments.duel, pool=pool):
        tally.add(played)
        bars.update(bar, advance=1, description=f"new : old  +{tally.wins} ={tally.draws} -{tally.losses}")
    return tally


# ---------------------------------------------------------------- the output


def _answer(game: Game, samples: Samples, tuned: Tuned, tally: Tally) -> dict[str, Any]:
    return {
        "game": game.name,
        "evaluation": tuned.evaluation.name,
        "games": samples.count,
        "positions": len(samples),
        "scale": tuned.scale,
        "learned": asdict(tuned.learned),
        "held_out": asdict(tuned.held_out),
        "duel": counted(tally),
        "weights": weights.by_name(tuned.evaluation),
    }


def _show(path: Path, samples: Samples, tuned: Tuned, tally: Tally) -> None:
    say(f"{len(samples):,} quiet positions of {samples.count:,} games; scale {tuned.scale:.1f}")
    for what, loss in (("learned from", tuned.learned), ("held out", tuned.held_out)):
        say(f"loss on games {what}: {loss.before:.5f} bits before, {loss.after:.5f} after")
    if tally.score is not None:
        elo, low, high = ("unbounded" if one is None else f"{one:+.0f}" for one in (tally.elo, *tally.interval))
        say(f"new against old: {tally.wins} won, {tally.draws} drawn, {tally.losses} lost, {100 * tally.score:.1f} %")
        say(f"Elo difference {elo}, 95 % interval {low} to {high}")
    say(f"the weights of {tuned.evaluation.name} are in {path}")
