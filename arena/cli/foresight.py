# SPDX-License-Identifier: GPL-3.0-or-later
"""The actions of ``arena model`` that put a model to use: what each takes, does and tells."""

import argparse
import itertools
from dataclasses import asdict, replace
from pathlib import Path

from arena.cli.output import print_json, print_table, say
from arena.cli.progress import Bars
from bots.house.library import MOST
from bots.house.roster import Resident, resident
from bots.house.worth import measure as measure_worth
from bots.house.worth import opponents
from bots.modelling.depth import Depths, Gain, measure
from bots.modelling.replay import Skips, replays
from bots.modelling.sources import source
from bots.modelling.splitting import split
from engine.games import find


def add_depth(parser: argparse.ArgumentParser) -> None:
    """Declare what ``depth`` takes."""
    parser.add_argument("--games", metavar="FILE", type=Path, required=True, help="what it played")
    parser.add_argument("--player", metavar="NAME", help="its name (default: the one most games bear)")
    parser.add_argument("--train", metavar="N", type=int, default=80, help="games to learn (default: %(default)s)")
    parser.add_argument("--test", metavar="N", type=int, default=100, help="later games (default: %(default)s)")
    parser.add_argument("--every", metavar="N", type=int, default=5, help="search every n'th answer of the player")
    parser.add_argument("--nodes", metavar="N", type=int, default=20_000, help="of each search (default: %(default)s)")


def depth(arguments: argparse.Namespace) -> None:
    """Measure depths at equal nodes: plain, told how the player plays, and told awry."""
    if min(arguments.test, arguments.every, arguments.nodes) < 1 or arguments.train < 2:
        raise ValueError("--test, --every and --nodes must be at least 1, --train at least 2")
    games = source(arguments.games, arguments.player)
    game = find(games.game)
    skips = Skips(games.skips)
    parts = split(games.records, arguments.train, arguments.test)
    train, test = (replays(game, part, games.who, skips) for part in parts)
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
                "player": games.who.pattern,
                "train": len(train),
                "test": len(test),
                "nodes": arguments.nodes,
                "frames": [asdict(one) for one in found],
                "skipped": dict(skips),
            }
        )
        return
    say(f"{games.who.pattern}: learned from {len(train):,} games; {arguments.nodes:,} nodes a search")
    print_table(
        ("search", "depth", "positions", "plain", "told", "told awry", "told: gain", "awry: gain"), _rows(found)
    )
    for one in found:
        say(f"{one.frame}: the answer that was given is searched {_told(one.beyond)} deeper than by the control")


def add_worth(parser: argparse.ArgumentParser) -> None:
    """Declare what ``worth`` takes."""
    parser.add_argument("--game", metavar="GAME", default="checkers", help="(default: %(default)s)")
    parser.add_argument("--against", metavar="NAME,...", help="only these (default: all of the house that search)")
    parser.add_argument(
        "--known", metavar="N", type=int, default=80, help=f"known games of each opponent, up to {MOST}"
    )
    parser.add_argument("--pairs", metavar="N", type=int, default=50, help="openings against each, played twice")
    parser.add_argument("--nodes", metavar="N", type=int, default=2_000, help="of each search of the bot")
    parser.add_argument(
        "--plain-nodes",
        metavar="N",
        type=int,
        help="of each search where it does not know whom it plays (default: same)",
    )
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="what openings are drawn by")
    parser.add_argument("--switches", metavar="LIST", help="what the search does with it (default: the bot's own)")
    parser.add_argument("--no-chunks", action="store_true", help="leave the whole model out, know frequencies alone")


def worth(arguments: argparse.Namespace) -> None:
    """Let the adaptive bot play the house's others, with and without knowing whom it plays."""
    plain_nodes = arguments.nodes if arguments.plain_nodes is None else arguments.plain_nodes
    if min(arguments.pairs, arguments.nodes, plain_nodes) < 1 or arguments.known < 2:
        raise ValueError("--pairs, --nodes and --plain-nodes must be at least 1, --known at least 2")
    if arguments.known > MOST:
        raise ValueError(f"--known can be {MOST} at most: the bot heeds no more")
    own = replace(resident("adaptive"), nodes=arguments.nodes, seconds=None, looks_up=not arguments.no_chunks)
    if arguments.switches is not None:
        own = replace(own, switches=arguments.switches)
    rivals = _among(opponents(), arguments.against)
    game = find(arguments.game)
    # all meet each other as often as gives each opponent its known games; an opening makes four games
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


def _among(rivals: list[Resident], names: str | None) -> list[Resident]:
    """Return those of some names. Raises ValueError for a name that none has."""
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
