# SPDX-License-Identifier: GPL-3.0-or-later
"""Searches of a command: interruptible, and their lines as text."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from engine.game import Game, State
from engine.search import Limits, Stop

Found = TypeVar("Found")


def in_thread(search: Callable[..., Found], state: State, limits: Limits, **options: Any) -> Found:
    """Search in another thread: compiled code answers no interrupt, but it does answer a stop."""
    stop = Stop()
    with ThreadPoolExecutor(1) as thread:
        found = thread.submit(search, state, limits, stop=stop, **options)
        try:
            return found.result()
        except KeyboardInterrupt:
            stop.set()
            raise


def line(game: Game, state: State, moves: tuple[int, ...]) -> list[str]:
    """Return the texts of moves played one after the other."""
    texts = []
    position = game.look(state)
    for move in moves:
        texts.append(game.format_move(position.state, move))
        position = game.play(position, move)
    return texts
