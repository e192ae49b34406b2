# SPDX-License-Identifier: GPL-3.0-or-later
"""``python -m bots.hosted.validation``: validates one upload, in a process of its own.

It reads a line of ``ValidationOrders`` and writes lines of ``HostingReport``, the result last. The program must say
hello, and then play, for each game, a match against itself and a match against the bot ``random`` without a fault: no
crash, no illegal move, no broken message, no loss on time.
"""

import contextlib
import time
from collections.abc import Iterator, Sequence

from arena.protocol.hosting import (
    LONGEST_LINE,
    Validated,
    ValidationLine,
    ValidationOrders,
    ValidationStarted,
)
from arena.protocol.terminal import plain_line
from bots.bridges.program import ProgramMaker
from bots.built_in.kinds.random import RandomBot
from bots.child_process import leave, obey
from bots.hosted.programs import NoSandbox, maker_of
from bots.hosted.reports import tell
from bots.local import Entrant
from bots.sandbox import Found, ProgramFailed, find
from bots.series import Played, Setting
from engine import warm
from engine.ending import FORFEITS, Adjudication, Termination
from engine.games import find as find_game
from engine.time_control import TimeControl

LONGEST_MATCH = 300
"""Plies of a match of a validation; then it is a draw."""
SHOWN_ERRORS = 24
"""Lines of the error output in the log: the last ones. An exception in ``move`` takes 16."""
OWN = "your bot"
"""The name of the validated bot in its log."""
SEED = 1
NICENESS = 5
"""As that of searches of built-in bots: with the lowest one, a program could lose on time where others compute."""

_FAULTS = FORFEITS | {Termination.TIME}


class Rejected(Exception):
    """The upload is rejected; the message says why, for people."""


class Series:
    """The validation of one upload."""

    def __init__(self, orders: ValidationOrders, found: Found) -> None:
        self._orders = orders.orders
        self._validation = orders.validation
        self._found = found
        self._time_control = TimeControl.parse(orders.orders.time_control)

    async def run(self) -> None:
        """Validate; write the log and the result."""
        try:
            result = await self._validated()
        except Rejected as error:
            self._say(f"rejected: {error}")
            result = Validated(self._validation.upload, False, plain_line(str(error))[:LONGEST_LINE])
        tell(result)

    async def _validated(self) -> Validated:
        """Raises Rejected."""
        try:
            maker = maker_of(
                self._validation.program,
                OWN,
                self._orders.memory,
                self._found,
                lambda match, text: self._show(text),
            )
        except NoSandbox as error:
            raise Rejected(str(error)) from None
        began = time.monotonic()
        try:
            hello = await maker.try_out()
        except ProgramFailed as error:
            raise Rejected(f"the program did not start: {error}") from None
        self._say(f"hello after {time.monotonic() - began:.1f} s: version {hello.version}, {', '.join(hello.games)}")
        games = self._chosen(hello.games)
        for game in games:
            await self._play(maker, game)
        self._say(f"accepted for {', '.join(games)}")
        return Validated(self._validation.upload, True, "", games, hello.version, hello.description)

    def _chosen(self, games: Sequence[str]) -> list[str]:
        """Return the games that it is to play. Raises Rejected."""
        wanted, offered = self._validation.games, self._orders.games
        for game in wanted:
            if game not in offered:
                raise Rejected(f"this arena does not offer {game[:40]!r}; it offers {', '.join(offered)}")
            if game not in games:
                raise Rejected(f"the program's hello does not name {game[:40]!r}, but {', '.join(games)}")
        chosen = [game for game in dict.fromkeys(games) if game in (wanted or offered)]
        if not chosen:
            raise Rejected(f"this arena offers none of the program's games ({', '.join(games)})")
        return chosen

    async def _play(self, maker: ProgramMaker, name: str) -> None:
        """Play the matches of one game. Raises Rejected."""
        game = find_game(name)
        warm.rules(game)
        setting = Setting(
            game, SEED, self._time_control, adjudication=Adjudication(plies=LONGEST_MATCH), time_margin=100
        )
        own, rival = Entrant(OWN, maker), Entrant("random", RandomBot)
        with _no_traceback():
            self._judge(f"{name}, against itself", await setting.play((own, own), 0), (0, 1))
            # seats are swapped: random moves first
            self._judge(f"{name}, against random", await setting.play((own, rival), 1), (1,))

    def _judge(self, what: str, played: Played, seats: Sequence[int]) -> None:
        """Log a match. Raises Rejected if one of these seats has lost it by a fault."""
        record = played.record
        assert record.termination is not None
        detail = (record.detail or "").removeprefix(f"{OWN} failed: ")
        ended = f"{record.result}, {record.termination}{f' ({detail})' if detail else ''}"
        self._say(f"{what}: {ended}, {len(record.moves)} plies")
        lost = {"0-1": 0, "1-0": 1}.get(record.result)
        if record.termination in _FAULTS and lost in seats:
            raise Rejected(f"{what}: {record.termination}: {detail or 'it lost the match by a fault'}")

    def _show(self, errors: str) -> None:
        lines = errors.splitlines()
        if len(lines) > SHOWN_ERRORS:
            self._say(f"error output, the last {SHOWN_ERRORS} of {len(lines):,} lines:")
        for line in lines[-SHOWN_ERRORS:]:
            self._say(f"  | {line}")

    def _say(self, text: str) -> None:
        tell(ValidationLine(self._validation.upload, text.replace("\t", "    ")[:LONGEST_LINE]))


@contextlib.contextmanager
def _no_traceback() -> Iterator[None]:
    """Reject an upload for which a match cannot be played, whatever the reason: the fault may be on either side."""
    try:
        yield
    except (ProgramFailed, OSError) as error:
        raise Rejected(f"a match could not be played: {error}") from error


async def work(orders: ValidationOrders) -> None:
    """Validate an upload."""
    tell(ValidationStarted(orders.validation.upload))
    await Series(orders, await find()).run()


def main() -> int:
    """Read the orders and validate; return the exit code."""
    return obey("validation", ValidationOrders, work, niceness=NICENESS)


if __name__ == "__main__":
    leave(main())
