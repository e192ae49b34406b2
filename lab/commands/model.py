# SPDX-License-Identifier: GPL-3.0-or-later
"""Study opponent models: predictions, search depth, rating gained.

Models are those of ``arena model``.
"""

import argparse
import itertools
from dataclasses import asdict, replace
from pathlib import Path

from arena.cli.support.command_line import check_least
from arena.cli.support.model_actions import add_actions, run_action, warn
from arena.cli.support.output import Bars, print_json, print_table, say
from arena.rating.difference import wilson
from bots.built_in.kinds.adaptive import BOTS
from bots.built_in.kinds.searching import Searching
from bots.built_in.library import MOST
from bots.modelling.replay import replays
from bots.modelling.sources import Skips, Source, files, source
from engine.games import find
from lab.studies.baselines import Effort, Oracle
from lab.studies.depth import Depths, Gain, measure
from lab.studies.report import answer, study_page
from lab.studies.scoring import PUBLISHED
from lab.studies.study import FULL, PositionSubset, StudyResult, split, study
from lab.studies.worth import measure as measure_worth
from lab.studies.worth import opponents

GROUP = "study"

TRAIN, TEST = (12, 22, 80), 100
CALIBRATED = ["calibrated", "positions", "match", "log-loss", "more than calibrated", "off"]

# ---------------------------------------------------------------- report


def add_report(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``report``."""
    effort = Effort()
    parser.add_argument("--games", metavar="PATH", type=Path, required=True, help="a file, or a folder of files")
    parser.add_argument(
        "--player",
        metavar="NAME",
        help="words that begin words of the player's name, or a pattern with * and ? (default: the most frequent "
        "name in each file)",
    )
    parser.add_argument(
        "--train",
        metavar="N,...",
        default=",".join(map(str, TRAIN)),
        help="numbers of games that the model learns from (default: %(default)s)",
    )
    parser.add_argument(
        "--test", metavar="N", type=int, default=TEST, help="number of later games to test (default: %(default)s)"
    )
    parser.add_argument(
        "--depth",
        metavar="N",
        type=int,
        default=effort.depth,
        help='depth in plies of the search that evaluates all moves, for the prediction "blend" (probabilities '
        "of the model combined with a search)",
    )
    parser.add_argument(
        "--nodes",
        metavar="N",
        type=int,
        default=effort.nodes,
        help='nodes of the search that chooses a move, for the prediction "blend"; 0: skip this prediction',
    )
    parser.add_argument(
        "--no-search", action="store_true", help='skip the prediction "blend" and the baselines that search'
    )
    parser.add_argument("--html", metavar="FILE", type=Path, help="write a page with all tables and calibration plots")


def report(arguments: argparse.Namespace) -> None:
    """Study one player, or those of a folder's files."""
    sizes = _sizes(arguments.train)
    check_least(arguments, {"test": 1, "depth": 1, "nodes": 0})
    effort = None if arguments.no_search else Effort(arguments.depth, arguments.nodes)
    answers = []
    sections = []
    for path in files(arguments.games):
        games = source(path, arguments.player)
        found, skips = _studied(games, sizes, arguments.test, effort, quiet=arguments.json)
        answers.append({**answer(games.player.pattern, found), "names": games.names, "skipped": dict(skips)})
        tables = [_tables(games, one) for one in found]
        sections += [(text, one.whole.readings[FULL].reliability) for text, one in zip(tables, found, strict=True)]
        if not arguments.json:
            warn(path, skips)
            say("\n".join(tables))
    if arguments.html is not None:
        arguments.html.write_text(study_page("Models of opponents on later games", sections), encoding="utf-8")
    if arguments.json:
        print_json({"players": answers} if arguments.games.is_dir() else answers[0])


def _sizes(text: str) -> list[int]:
    try:
        sizes = sorted({int(word) for word in text.split(",") if word.strip()})
    except ValueError:
        sizes = []
    if not sizes or sizes[0] < 2:
        raise ValueError("--train must be numbers of games from 2 on, separated by commas")
    return sizes


def _studied(
    games: Source, sizes: list[int], test: int, effort: Effort | None, *, quiet: bool
) -> tuple[list[StudyResult], Skips]:
    game = find(games.game)
    evaluation = max(game.evaluations.values(), key=lambda one: len(one.weights) - one.weights.count(0))
    oracle = Oracle(game, evaluation.name, effort)
    skips = Skips(games.skips)
    most = split(games.records, sizes[-1], test)
    train, later = (replays(game, part, games.player, skips) for part in most)
    found = []
    with Bars(quiet=quiet) as bars:
        for size in sizes:
            bar = bars.add_task(f"{games.player.pattern}, {size} games", total=None)
            found.append(study(game, games.player, train[-size:], later, oracle, lambda one: bars.advance(bar, one)))  # noqa: B023  # called in this round
    return found, skips


def _tables(games: Source, report: StudyResult) -> str:
    names = ", ".join(f"{name} ({count:,})" for name, count in games.names.items())
    return "\n".join(
        [
            f"{games.player.pattern}: {names}; {games.game}",
            f"learned from {report.train:,} games, tested on {report.test:,} later ones",
            "",
            *_aligned(
                ["raw beliefs: correct/predicted", "positions", *_heads(report), "all", "coverage"],
                _raw_rows(report),
            ),
            "",
            *_aligned(
                ["calibrated", "positions", "match", "log-loss", "more than calibrated", "off"], _reading_rows(report)
            ),
            "",
        ]
    )


def _aligned(heads: list[str], rows: list[list[str]]) -> list[str]:
    """Return rows under headings, as wide as they are: studies are kept in files."""
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in (heads, *rows)
    ]


def _heads(report: StudyResult) -> list[str]:
    return [f"{100 * one.low:.0f}-{100 * one.high:.0f} %" for one in report.whole.readings[FULL].bins]


def _parts(report: StudyResult) -> list[tuple[PositionSubset, str]]:
    return [(report.whole, "all"), (report.after_opening, "after the opening")]


def _raw_rows(report: StudyResult) -> list[list[str]]:
    rows: list[list[str]] = []
    if published := PUBLISHED.get(report.train):
        hit, predicted = (sum(column) for column in zip(*published, strict=True))
        rows.append(["published", "", *(f"{one}/{all_}" for one, all_ in published), f"{hit}/{predicted}", ""])
    for part, name in _parts(report):
        for reading in ("text", "visual", "both"):
            scores = part.readings[reading]
            if scores.predictions:
                hit = sum(one.hit for one in scores.bins)
                total = _share(hit, scores.predictions, wilson(hit, scores.predictions))
                shares = [_share(one.hit, one.predicted, one.wilson) for one in scores.bins]
                rows.append([reading, name, *shares, total, f"{scores.coverage:.1%}"])
    return rows


def _share(hit: int, predicted: int, interval: tuple[float, float]) -> str:
    """Write a share with its interval in per cent."""
    return "{}/{} ({:.0f}-{:.0f})".format(hit, predicted, *(100 * end for end in interval)) if predicted else "-"


def _reading_rows(report: StudyResult) -> list[list[str]]:
    rows: list[list[str]] = []
    for part, name in _parts(report):
        for reading, scores in part.readings.items():
            match = "{:.1%} ({:.1f}-{:.1f})".format(scores.match, *(100 * end for end in scores.match_wilson))
            where = f"{name}, {scores.positions:,}"
            rows.append([reading, where, match, f"{scores.log_loss:.3f}", "", f"{scores.calibration_error:.3f}"])
        for baseline, rival in part.baselines.items():
            more = "{:+.3f} ({:+.3f} to {:+.3f})".format(*rival.difference)
            rows.append([baseline, name, f"{rival.hit:.1%}", f"{rival.log_loss:.3f}", more, ""])
    return rows


# ---------------------------------------------------------------- depth and worth


def add_depth(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``depth``."""
    parser.add_argument("--games", metavar="FILE", type=Path, required=True, help="file or folder of games")
    parser.add_argument(
        "--player",
        metavar="NAME",
        help="words that begin words of the player's name, or a pattern with * and ? (default: the most frequent name)",
    )
    parser.add_argument(
        "--train",
        metavar="N",
        type=int,
        default=80,
        help="number of games that the model learns from (default: %(default)s)",
    )
    parser.add_argument(
        "--test", metavar="N", type=int, default=100, help="number of later games to test (default: %(default)s)"
    )
    parser.add_argument("--every", metavar="N", type=int, default=5, help="search only every Nth answer of the player")
    parser.add_argument(
        "--nodes", metavar="N", type=int, default=20_000, help="nodes of each search (default: %(default)s)"
    )


def depth(arguments: argparse.Namespace) -> None:
    """Measure search depths at equal nodes: without a model, with the player's priors, and with the same priors given
    to other moves.
    """
    check_least(arguments, {"test": 1, "every": 1, "nodes": 1, "train": 2})
    games = source(arguments.games, arguments.player)
    game = find(games.game)
    skips = Skips(games.skips)
    parts = split(games.records, arguments.train, arguments.test)
    train, test = (replays(game, part, games.player, skips) for part in parts)
    strongest = max(game.evaluations.values(), key=lambda one: len(one.weights) - one.weights.count(0))
    with Bars(quiet=arguments.json) as bars:
        bar = bars.add_task("searching positions", total=None)
        found = measure(
            game,
            train,
            test,
            nodes=arguments.nodes,
            evaluation=strongest.name,
            every=arguments.every,
            on_position=lambda: bars.advance(bar),
        )
    if arguments.json:
        print_json(
            {
                "player": games.player.pattern,
                "train": len(train),
                "test": len(test),
                "nodes": arguments.nodes,
                "frames": [asdict(one) for one in found],
                "skipped": dict(skips),
            }
        )
        return
    say(f"{games.player.pattern}: learned from {len(train):,} games; {arguments.nodes:,} nodes a search")
    print_table(
        ("search", "depth", "positions", "plain", "told", "told awry", "told: gain", "awry: gain"), _rows(found)
    )
    for one in found:
        say(f"{one.frame}: the answer that was given is searched {_told(one.beyond)} deeper than by the control")


def add_worth(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``worth``."""
    parser.add_argument("--game", metavar="GAME", default="checkers", help="name of the game (default: %(default)s)")
    parser.add_argument("--against", metavar="NAME,...", help="opponents (default: all built-in bots that search)")
    parser.add_argument(
        "--known", metavar="N", type=int, default=80, help=f"number of known games of each opponent, at most {MOST}"
    )
    parser.add_argument(
        "--pairs", metavar="N", type=int, default=50, help="number of openings against each opponent, each played twice"
    )
    parser.add_argument("--nodes", metavar="N", type=int, default=2_000, help="nodes of each search of the bot")
    parser.add_argument(
        "--plain-nodes",
        metavar="N",
        type=int,
        help="nodes of each search without a model (default: the same)",
    )
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="seed of the openings")
    parser.add_argument("--switches", metavar="LIST", help="search switches for the model (default: the bot's own)")
    parser.add_argument(
        "--no-chunks",
        action="store_true",
        help="use only frequencies of moves, without learned piece patterns (chunks) and features of moves",
    )


def worth(arguments: argparse.Namespace) -> None:
    """Let the adaptive bot play the other built-in bots, with and without the opponent's name."""
    check_least(arguments, {"pairs": 1, "nodes": 1, "plain_nodes": 1, "known": 2})
    plain_nodes = arguments.nodes if arguments.plain_nodes is None else arguments.plain_nodes
    if arguments.known > MOST:
        raise ValueError(f"--known must be at most {MOST}, because the bot learns no more games")
    own = replace(BOTS[0], nodes=arguments.nodes, seconds=None, looks_up=not arguments.no_chunks)
    if arguments.switches is not None:
        own = replace(own, switches=arguments.switches)
    rivals = _among(opponents(), arguments.against)
    game = find(arguments.game)
    # a round robin with enough rounds for the known games of each opponent; each opening gives four games
    known = -(-arguments.known // len(rivals)) * len(rivals) * (len(rivals) + 1) // 2
    with Bars(quiet=arguments.json) as bars:
        bar = bars.add_task("playing games", total=known + 4 * arguments.pairs * len(rivals))
        steps = itertools.chain(itertools.repeat(1, known), itertools.repeat(4))
        found = measure_worth(
            game,
            own,
            rivals,
            known=arguments.known,
            pairs=arguments.pairs,
            seed=arguments.seed,
            plain_nodes=plain_nodes,
            on_game=lambda: bars.advance(bar, next(steps)),
        )
    if arguments.json:
        told = {"game": arguments.game, "nodes": arguments.nodes, "plain_nodes": plain_nodes}
        print_json({**told, "opponents": [asdict(one) for one in found]})
        return
    print_table(
        ("opponent", "games each", "knowing", "not knowing", "Elo gained", "95 % interval", "time of a move"),
        [
            (
                one.opponent,
                one.games,
                f"{one.known:.1%}",
                f"{one.unknown:.1%}",
                f"{one.gain:+.0f}",
                f"[{one.low:+.0f}, {one.high:+.0f}]",
                f"× {one.cost:.1f}",
            )
            for one in found
        ],
    )


def _among(rivals: list[Searching], names: str | None) -> list[Searching]:
    """Return the opponents with these names. Raises ValueError for an unknown name."""
    if names is None:
        return rivals
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    by_name = {one.name: one for one in rivals}
    unknown = [name for name in wanted if name not in by_name]
    if unknown or not wanted:
        told = f"there is no {unknown[0][:40]!r}" if unknown else "--against names nobody"
        raise ValueError(f"{told}; there are {', '.join(by_name)}")
    return [by_name[name] for name in dict.fromkeys(wanted)]


def _rows(found: list[Depths]) -> list[tuple[object, ...]]:
    return [
        (one.frame, name, one.positions, *(f"{mean:.2f}" for mean in means), *map(_told, gains))
        for one in found
        for name, means, gains in (
            ("nominal", one.nominal, one.nominal_gains),
            ("of the answer", one.answer, one.answer_gains),
        )
    ]


def _told(gain: Gain) -> str:
    return f"{gain.share:+.1%} [{gain.low:+.1%}, {gain.high:+.1%}]"


# ---------------------------------------------------------------- the command

ACTIONS = {
    "report": (
        add_report,
        report,
        "fit a model to a player's earlier games, predict the later ones, and compare with baselines",
    ),
    "depth": (add_depth, depth, "measure the search depth gained with a model of the opponent"),
    "worth": (add_worth, worth, "play games to measure the rating gained with models of the opponents"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_actions(parser, ACTIONS)


def run(arguments: argparse.Namespace) -> int:
    """Run the chosen action; return the exit code."""
    return run_action(arguments, ACTIONS)
