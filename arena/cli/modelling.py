# SPDX-License-Identifier: GPL-3.0-or-later
"""The actions of ``arena model``: what each takes, does and tells."""

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from arena.cli.output import print_json, print_table, say, say_error
from arena.cli.progress import Bars
from arena.rating.difference import wilson
from bots.modelling import file, told
from bots.modelling.baselines import Effort, Oracle
from bots.modelling.chunks import Chunk
from bots.modelling.model import Model
from bots.modelling.openings import Node
from bots.modelling.page import page, study_page
from bots.modelling.replay import Ply, Skips, replays
from bots.modelling.scoring import PUBLISHED
from bots.modelling.sources import Source, files, source
from bots.modelling.splitting import split
from bots.modelling.study import FULL, Part, Report, study
from engine.game import Game, Position
from engine.games import find

TRAIN, TEST = (12, 22, 80), 100

# ---------------------------------------------------------------- learn


def add_learn(parser: argparse.ArgumentParser) -> None:
    """Declare what ``learn`` takes."""
    parser.add_argument("--games", metavar="FILE", type=Path, required=True, help="what it played")
    parser.add_argument("--player", metavar="NAME", help="its name (default: the one most games bear)")
    parser.add_argument("--game", metavar="GAME", help="take games of this one only, such as chess")
    parser.add_argument("--model", metavar="FILE", type=Path, help="learn on with this model")
    parser.add_argument("--out", metavar="FILE", type=Path, required=True, help="write the model")


def learn(arguments: argparse.Namespace) -> None:
    """Learn games, and calibrate on them; a model that learns on keeps its weights, which one game cannot tell anew."""
    known = None if arguments.model is None else file.load(arguments.model.read_bytes())
    wanted = arguments.game if known is None else known.game.name
    player = arguments.player if known is None else known.who.pattern
    games = source(arguments.games, player, wanted)
    model = known or Model(find(games.game), games.who)
    skips = games.skips + model.learn(games.records)
    if model.weighing is None:
        model.calibrate(games.records)
    arguments.out.write_bytes(file.save(model))
    if arguments.json:
        print_json({**_summary(model), "names": games.names, "skipped": dict(skips)})
        return
    _warn(arguments.games, Skips(skips))
    say(f"{model.games:,} games of {games.game} by {', '.join(games.names)} are learned: {arguments.out}")


# ---------------------------------------------------------------- predict


def add_predict(parser: argparse.ArgumentParser) -> None:
    """Declare what ``predict`` takes."""
    parser.add_argument("--model", metavar="FILE", type=Path, required=True)
    parser.add_argument("--moves", metavar="M", nargs="*", default=[], help="played so far, in the game's notation")
    parser.add_argument("--position", metavar="P", help="where the moves begin (default: the game's start)")


def predict(arguments: argparse.Namespace) -> None:
    """Tell the beliefs in a position, the calibrated beside the raw."""
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
            "belief": belief,
            "raw": raw.get(move, 0.0),
        }
        for move, belief in model.predict(position, past)
    ]
    if arguments.json:
        print_json({"player": model.who.pattern, "game": game.name, "moves": rows})
        return
    print_table(
        ("move", "belief %", "raw %"),
        [(row["written"], 100 * row["belief"], 100 * row["raw"] if row["raw"] else None) for row in rows[:10]],  # type: ignore[operator]  # numbers
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
    """Declare what ``show`` takes."""
    parser.add_argument("--model", metavar="FILE", type=Path, required=True)
    parser.add_argument("--top", metavar="N", type=int, default=10, help="so many of each (default: %(default)s)")
    parser.add_argument(
        "--html", metavar="FILE", type=Path, help="write a page with the chunks on boards, and the openings"
    )


def show(arguments: argparse.Namespace) -> None:
    """Tell the most frequent chunks and sequences of each seat."""
    if arguments.top < 1:
        raise ValueError("--top must be at least 1")
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
        say(f"{model.who.pattern} as {seat['seat']}, {seat['games']:,} games")
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
        "player": model.who.pattern,
        "game": model.game.name,
        "games": model.games,
        "chunks_seen": sum(len(seat.chunks.known) for seat in model.seats),
        "chunks_used": sum(len(seat.chunks.used()) for seat in model.seats),
        "sequences_used": sum(1 for seat in model.seats for _ in seat.openings.chunks()),
        "calibrated": model.weighing is not None,
    }


# ---------------------------------------------------------------- report


def add_report(parser: argparse.ArgumentParser) -> None:
    """Declare what ``report`` takes."""
    effort = Effort()
    parser.add_argument("--games", metavar="PATH", type=Path, required=True, help="a file, or a folder of files")
    parser.add_argument("--player", metavar="NAME", help="whom to study (default: in each file whom most games name)")
    parser.add_argument("--train", metavar="N,...", default=",".join(map(str, TRAIN)), help="(default: %(default)s)")
    parser.add_argument("--test", metavar="N", type=int, default=TEST, help="later games (default: %(default)s)")
    parser.add_argument(
        "--depth", metavar="N", type=int, default=effort.depth, help="all moves are valued to this depth"
    )
    parser.add_argument(
        "--nodes",
        metavar="N",
        type=int,
        default=effort.nodes,
        help="of the search that chooses a move; 0: blend nothing",
    )
    parser.add_argument("--no-search", action="store_true", help="leave out what needs searches")
    parser.add_argument("--html", metavar="FILE", type=Path, help="write a page with all tables and calibration plots")


def report(arguments: argparse.Namespace) -> None:
    """Study one player, or those of a folder's files."""
    sizes = _sizes(arguments.train)
    if min(arguments.test, arguments.depth, arguments.nodes + 1) < 1:
        raise ValueError("--test and --depth must be at least 1, --nodes at least 0")
    effort = None if arguments.no_search else Effort(arguments.depth, arguments.nodes)
    answers = []
    sections = []
    for path in files(arguments.games):
        games = source(path, arguments.player)
        found, skips = _studied(games, sizes, arguments.test, effort, quiet=arguments.json)
        answers.append({**told.answer(games.who.pattern, found), "names": games.names, "skipped": dict(skips)})
        tables = [_tables(games, one) for one in found]
        sections += [(text, one.whole.readings[FULL].reliability) for text, one in zip(tables, found, strict=True)]
        if not arguments.json:
            _warn(path, skips)
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
        raise ValueError("--train takes numbers of games, at least 2, parted by commas")
    return sizes


def _studied(
    games: Source, sizes: list[int], test: int, effort: Effort | None, *, quiet: bool
) -> tuple[list[Report], Skips]:
    game = find(games.game)
    evaluation = max(game.evaluations.values(), key=lambda one: len(one.weights) - one.weights.count(0))
    oracle = Oracle(game, evaluation.name, effort)
    skips = Skips(games.skips)
    most = split(games.records, sizes[-1], test)
    train, later = (replays(game, part, games.who, skips) for part in most)
    found = []
    with Bars(quiet=quiet) as bars:
        for size in sizes:
            bar = bars.add_task(f"{games.who.pattern}, {size} games", total=None)
            found.append(study(game, games.who, train[-size:], later, oracle, lambda one: bars.advance(bar, one)))  # noqa: B023  # called in this round
    return found, skips


def _warn(path: Path, skips: Skips) -> None:
    if skips:
        say_error(f"{path}: left out {skips.told()}")


def _tables(games: Source, report: Report) -> str:
    names = ", ".join(f"{name} ({count:,})" for name, count in games.names.items())
    return "\n".join(
        [
            f"{games.who.pattern}: {names}; {games.game}",
            f"learned from {report.train:,} games, tested on {report.test:,} later ones",
            "",
            *_aligned(
                ["raw beliefs: correct/predicted", "positions", *_heads(report), "all", "coverage"], _raw_rows(report)
            ),
            "",
            *_aligned(["calibrated", "positions", "match", "log-loss", "more than calibrated", "off"], _rows(report)),
            "",
        ]
    )


def _aligned(heads: list[str], rows: list[list[str]]) -> list[str]:
    """Return rows under headings, as wide as they are: studies are kept in files."""
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in (heads, *rows)
    ]


def _heads(report: Report) -> list[str]:
    return [f"{100 * one.low:.0f}-{100 * one.high:.0f} %" for one in report.whole.readings[FULL].bins]


def _parts(report: Report) -> list[tuple[Part, str]]:
    return [(report.whole, "all"), (report.after_opening, "after the opening")]


def _raw_rows(report: Report) -> list[list[str]]:
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


def _rows(report: Report) -> list[list[str]]:
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
