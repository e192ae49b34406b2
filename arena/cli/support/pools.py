# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a command computes: the option ``--on``, and the pool that it names. Commands know no kind of pool."""

import argparse
import contextlib
from collections.abc import Callable, Iterator

from arena.cli.support.command_line import CommandError
from arena.cli.support.output import say_error
from bots.pools.pool import Pool, PoolFailed


def add_on(parser: argparse._ActionsContainer, count: str) -> None:
    """Give a command the option ``--on``. ``count``: its option for the number of games at the same time."""
    parser.add_argument(
        "--on",
        metavar="CLUSTER",
        help=f"play on a Ray cluster: ray (started on this machine) or ray://HOST:PORT; {count} limits the number of "
        "games at the same time (default: all processors of the cluster)",
    )


@contextlib.contextmanager
def pool_for(on: str | None, count: int | None, local: Callable[[int], Pool]) -> Iterator[Pool]:
    """Open the pool of ``--on``, or without it the ``local`` one.

    ``count``: the number of workers; None: one here, and all of a cluster.

    Raises CommandError for what the pool reports.
    """
    try:
        with local(count or 1) if on is None else _cluster(on, count) as pool:
            yield pool
    except PoolFailed as error:
        raise CommandError(str(error)) from error


@contextlib.contextmanager
def _cluster(on: str, count: int | None) -> Iterator[Pool]:
    # only a command with --on loads a cluster's modules
    from bots.pools.cluster import Cluster
    from bots.pools.connection import connected

    with Cluster(connected(on, count), count, say_error) as pool:
        try:
            yield pool
        finally:
            for share in pool.shares:
                busy = share.pieces / max(share.last - share.began, 1e-3)
                say_error(f"{share.name}: {share.pieces:,} pieces of work, {busy:,.1f}/s")


def note_of(pool: Pool | None) -> Callable[[], str]:
    """Return what tells the speeds of a pool's machines for a line of progress."""
    return (lambda: "") if pool is None else (lambda: pool.speeds)
