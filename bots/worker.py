# SPDX-License-Identifier: GPL-3.0-or-later
"""``python -m bots.worker``: one process that plays matches of a contest; see ``bots.workers``.

The first line of standard input is the contest, each other one the number of a match to play, and its answer is a line
of standard output. The end of the input ends the process, and the match that is under way.
"""

import asyncio
import contextlib
import os
import sys
import threading
from typing import TextIO

from msgspec import Struct, json

from bots.contest import Contest, NoEntrant
from engine.child import exit_after
from engine.record import Record

GRACE = 5.0
"""Seconds that bots have to end when nobody waits for the match any more."""


class Finished(Struct, frozen=True, tag="finished"):
    """A match that was played."""

    seat: int
    record: Record


class Refused(Struct, frozen=True, tag="refused"):
    """A match that cannot be played, and why, for people."""

    why: str


Reply = Finished | Refused


async def work(contest: Contest, answers: TextIO) -> None:
    """Play what is asked for, until nothing more can be."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    asked: asyncio.Queue[int] = asyncio.Queue()
    assert task is not None, "a coroutine runs in a task"

    def listen() -> None:
        for line in sys.stdin:
            loop.call_soon_threadsafe(asked.put_nowait, int(line))
        # a bot that hangs shall not outlive who asked for its match
        exit_after(GRACE)
        loop.call_soon_threadsafe(task.cancel)

    threading.Thread(target=listen, daemon=True).start()
    setting, entrants = contest.setting(), None
    while True:
        index = await asked.get()
        try:
            entrants = entrants or await contest.entrants()
            played = await setting.play(entrants, index)
            reply: Reply = Finished(played.seat, played.record)
        except (ValueError, NoEntrant) as error:
            reply = Refused(str(error))
        answers.write(json.encode(reply).decode() + "\n")
        answers.flush()


def main() -> None:
    """Read the contest and play."""
    # what bots print must not come between the answers
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    contest = json.decode(sys.stdin.readline(), type=Contest)
    with contextlib.suppress(asyncio.CancelledError):
        asyncio.run(work(contest, answers))


if __name__ == "__main__":
    main()
