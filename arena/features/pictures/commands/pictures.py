# SPDX-License-Identifier: GPL-3.0-or-later
"""Write a picture of a stored match: a position as SVG or PNG, or the game as an animated GIF.

Works on the database itself, whether a server runs on it or not.
"""

import argparse
from functools import partial
from pathlib import Path
from typing import get_args

from arena.cli.support.command_line import CommandError
from arena.cli.support.output import add_json, print_answer
from arena.cli.support.records import on_records
from arena.data_directory import add_place
from arena.features.pictures.drawing import Position, document, frame
from arena.features.pictures.process import Form, Job
from arena.features.pictures.shown import isolated
from arena.features.pictures.style import THEMES
from arena.registry import GameRegistry
from arena.settings import Settings
from arena.store import Store
from arena.store.rows import StoredMatch
from arena.watching.diagrams import DrawnMoves, draw_part
from arena.watching.disclosure import viewpoint_of, viewpoint_of_seat
from engine.games import find
from engine.match.events import Moved, decode_event
from web.api.games import describe
from web.application import STATIC
from web.assets import read_assets

GROUP = "compete"

FORMATS = ("svg", *get_args(Form))
"""Formats, by the end of a file's name."""

WIDTHS = {"png": 600, "gif": 360}
"""Width of a picture in pixels, if the command does not set one."""

LARGEST = 4096
"""Largest width."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("match", metavar="ID", type=int, help="number of the match")
    parser.add_argument("--format", choices=FORMATS, help="format of the picture (default: by the extension of FILE)")
    parser.add_argument("--ply", type=int, help="position after this many plies (default: the newest)")
    parser.add_argument("--start", type=int, help="first ply of an animation (default: 0)")
    parser.add_argument("--end", type=int, help="last ply of an animation (default: the newest)")
    parser.add_argument(
        "--seat",
        type=int,
        choices=(0, 1),
        help="draw what this seat saw, after the end of a match with hidden information or simultaneous moves",
    )
    parser.add_argument("--width", type=int, help="width in pixels (default: 600 for PNG, 360 for GIF)")
    parser.add_argument(
        "--theme", choices=THEMES, help="colours (default: light; in SVG files those that the viewer prefers)"
    )
    parser.add_argument("--out", metavar="FILE", type=Path, required=True, help="output file")
    add_place(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the picture; return the exit code."""
    kind = arguments.format or arguments.out.suffix.removeprefix(".").lower()
    if kind not in FORMATS:
        raise CommandError(f"{arguments.out} does not end in a format; choose one by --format: {', '.join(FORMATS)}")
    _check(arguments, kind)
    stored = on_records(arguments, partial(_stored, arguments.match))
    row, game = stored.row, find(stored.row.game)
    moved = (event for event in map(decode_event, (each.body for each in stored.events)) if isinstance(event, Moved))
    plies = len(row.opening) + len(stored.events)
    try:
        viewpoint = viewpoint_of(row, game) if arguments.seat is None else viewpoint_of_seat(row, game, arguments.seat)
    except ValueError as error:
        raise CommandError(str(error)) from None
    drawn = draw_part(viewpoint, row.start, row.opening, moved, 0, plies)
    board = describe(GameRegistry(Settings()), game).board
    assets = read_assets(STATIC)
    if kind == "gif":
        start, end = arguments.start or 0, drawn.ply if arguments.end is None else arguments.end
        if start > end:
            raise CommandError(f"--start must not be above --end (got {start} and {end})")
        shown = [_position(drawn, ply) for ply in range(start, end + 1)]
    else:
        start = drawn.ply if arguments.ply is None else arguments.ply
        shown = [_position(drawn, start)]
    if kind == "svg":
        names = " – ".join(isolated(side.bot) for side in row.players)
        picture = document(assets, board, shown[0], f"{game.title}: {names}, ply {start}", arguments.theme).encode()
    else:
        # loaded for this alone: it takes longer than the rest of the command
        from arena.features.pictures.rendering import Renderer

        frames = [frame(assets, board, each, arguments.theme or "light") for each in shown]
        with Renderer() as renderer:
            picture = renderer.render(Job(kind, arguments.width or WIDTHS[kind], frames))
    try:
        arguments.out.write_bytes(picture)
    except OSError as error:
        raise CommandError(f"cannot write {arguments.out}: {error.strerror}") from None
    answer = {"match": row.id, "out": str(arguments.out), "format": kind, "bytes": len(picture), "frames": len(shown)}
    print_answer(arguments, answer, f"wrote {arguments.out} ({len(picture):,} bytes)")
    return 0


def _check(arguments: argparse.Namespace, kind: str) -> None:
    """Raise CommandError for options that the format does not have, and for numbers out of range."""
    others = {"gif": ("ply",), "png": ("start", "end"), "svg": ("start", "end", "width")}
    for name in others[kind]:
        if getattr(arguments, name) is not None:
            raise CommandError(f"--{name} has no effect on {kind.upper()} pictures; leave it out")
    if arguments.width is not None and not 16 <= arguments.width <= LARGEST:
        raise CommandError(f"--width must be from 16 to {LARGEST} (got {arguments.width})")


async def _stored(number: int, store: Store) -> StoredMatch:
    stored = await store.matches.get(number)
    if stored is None:
        raise CommandError(f"there is no match {number}")
    if stored.row.pruned:
        raise CommandError(f"the moves of match {number} were deleted because of their age")
    return stored


def _position(drawn: DrawnMoves, ply: int) -> Position:
    if not 0 <= ply <= drawn.ply:
        raise CommandError(f"the match has no ply {ply}; choose a ply from 0 to {drawn.ply}")
    if ply == 0:
        return Position(drawn.initial, ())
    move = drawn.moves[ply - 1]
    return Position(move.diagram, move.squares)
