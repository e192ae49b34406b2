# SPDX-License-Identifier: GPL-3.0-or-later
"""A volunteer: a deme that lives where it runs, reports to an arena, and receives mates from it.

The arena says how many nodes a move may cost and how long a game may be, so that what demes claim means the same
everywhere; all else is the deme's own. It goes on while the arena is away.
"""

from collections.abc import Callable
from pathlib import Path

import msgspec

from arena.protocol.exchange import Best, Join, Joined, Report, Terms
from arena.protocol.version import EXCHANGE
from bots.client.rest import RestClient
from bots.evolution.evochess import run as runs
from bots.evolution.evochess.breeding import Course, Generation, checked_course
from bots.evolution.evochess.courier import Courier
from bots.evolution.evochess.genome import write

KEPT = 200
"""Generations that stay on disk at least: a deme may live for months."""
PACE = 10.0
"""Seconds between two reports."""


def report_of(course: Course, generation: Generation) -> Report:
    """Return what is reported of a generation; its run and number are the courier's to say."""
    deme, best = generation.best
    games = sum(member.games for member in deme.members)
    return Report(
        exchange=EXCHANGE,
        run="",
        sequence=0,
        generation=generation.number,
        level=deme.level,
        members=len(deme.members),
        games=generation.games,
        nodes=generation.nodes,
        mean=sum(member.points for member in deme.members) / max(games, 1),
        best=Best(
            genome=msgspec.json.decode(write(course.schema, best.genome, course.nodes)),
            member=best.number,
            games=best.games,
            points=best.points,
            moves=best.moves,
            nodes=best.nodes,
        ),
    )


class Volunteer:
    """A deme in a folder, and the arena that it has joined. ``about``: what it is bred by, for people."""

    def __init__(
        self, rest: RestClient, folder: Path, course: Course, about: str, *, pace: float = PACE, threads: int = 1
    ) -> None:
        """Join. Raises RequestRefused, NotJoined, ValueError and KeyError, with messages for people, and OSError."""
        self._folder = folder
        self._threads = threads
        self.courier = Courier(rest, folder, pace)
        order = Join(EXCHANGE, about, course.game, self.courier.run, course.seed, course.size)
        try:
            self.joined: Joined = self.courier.join(order)
            self.course = by_terms(course, self.joined.terms)
        except BaseException:
            self.courier.stop()
            raise

    def breed(self, until: int | None, tell: Callable[[Generation], None]) -> bool:
        """Breed and report, without end for None; returns whether the last report has arrived.

        Raises RequestRefused where the arena takes no more reports, and as ``runs.bred``.
        """
        courier, newest = self.courier, None
        courier.start()
        try:
            for generation in runs.bred(
                self._folder, self.course, until, self._threads, guests=courier.guests, keep=KEPT, again=False
            ):
                newest = generation
                courier.placed({one.migration for deme in generation.demes for one in deme.members if one.migration})
                courier.tell(report_of(self.course, generation))
                tell(generation)
                if courier.refused is not None:
                    break
        finally:
            arrived = courier.stop() or newest is None
        if courier.refused is not None:
            raise courier.refused
        return arrived


def by_terms(course: Course, terms: Terms) -> Course:
    """Return a course by an arena's terms. Raises ValueError and KeyError where it cannot be run."""
    return checked_course(msgspec.structs.replace(course, demes=1, nodes=terms.nodes, share=0.0, plies=terms.plies))
