# SPDX-License-Identifier: GPL-3.0-or-later
"""``python -m bots.hosted.validation``: validates one upload, in a process of its own.

It reads a line of ``ValidationOrders`` and writes lines of ``HostingReport``, the result last. The program must say
hello, and then play, for each game, a match against itself and a match against the bot ``random`` without a fault: no
crash, no illegal move, no broken message, no loss on time.

All its time limits are in own time of the program (``bots.sandbox.own_time``): a program that waits for a processor
loses none. Where the machine may be the cause of a failure, the validation ends without a result, and the arena tries
again later.
"""

import contextlib
from collections.abc import Coroutine, Iterator, Sequence
from typing import Any, TypeVar

from arena.protocol.hosting import (
    LONGEST_LINE,
    Validated,
    ValidationEnded,
    ValidationLine,
    ValidationOrders,
    ValidationStarted,
)
from arena.protocol.terminal import plain_line
from bots.bot import Bot
from bots.bridges.program import ProgramBot, ProgramMaker
from bots.built_in.kinds.random import RandomBot
from bots.child_process import leave, obey
from bots.hosted.programs import NoSandbox, maker_of
from bots.hosted.reports import tell
from bots.local import Entrant, OutOfTime, by_wall_clock
from bots.sandbox import Found, MachineFailed, ProgramFailed, find
from bots.series import Played, Setting
from engine import warm
from engine.games import find as find_game
from engine.match.ending import FORFEITS, Adjudication, Termination
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


Result = TypeVar("Result")


class Rejected(Exception):
    """The upload is rejected; the message says why, for people."""


class NotDecided(Exception):
    """The machine may be the cause of a failure, so another try must decide; the message says why, for people."""


async def by_own_time(bot: Bot, answer: Coroutine[Any, Any, Result], limit: float | None) -> tuple[Result, float]:
    """Return a bot's answer, and its own time that passed. Raises OutOfTime after the limit; None: no limit."""
    if not isinstance(bot, ProgramBot):
        return await by_wall_clock(bot, answer, limit)
    try:
        return await bot.within(limit, answer)
    except TimeoutError:
        raise OutOfTime from None


class Series:
    """The validation of one upload."""

    def __init__(self, orders: ValidationOrders, found: Found) -> None:
        self._orders = orders.orders
        self._validation = orders.validation
        self._sandboxed = orders.sandboxed
        self._found = found
        self._time_control = TimeControl.parse(orders.orders.time_control)

    async def run(self) -> None:
        """Validate; write the log, and the result if there is one."""
        upload = self._validation.upload
        try:
            tell(await self._validated())
        except Rejected as error:
            self._say(f"rejected: {error}")
            tell(Validated(upload, False, plain_line(str(error))[:LONGEST_LINE]))
        except NotDecided as error:
            self._say(f"not decided, because the cause may be this machine: {error}")
            tell(ValidationEnded(upload, plain_line(str(error))[:LONGEST_LINE]))

    async def _validated(self) -> Validated:
        """Raises Rejected and NotDecided."""
        if self._found.sandbox is None and self._sandboxed:
            raise NotDecided(f"its sandbox did not work this time: {'; '.join(self._found.reasons)}")
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
        try:
            hello = await maker.try_out()
        except MachineFailed as error:
            raise NotDecided(f"the program did not start: {error}") from None
        except ProgramFailed as error:
            raise Rejected(f"the program did not start: {error}") from None
        self._say(f"hello after {maker.own_seconds:.1f} s: version {hello.version}, {', '.join(hello.games)}")
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
            game,
            SEED,
            self._time_control,
            adjudication=Adjudication(plies=LONGEST_MATCH),
            time_margin=100,
            timed=by_own_time,
        )
        own, rival = Entrant(OWN, maker), Entrant("random", RandomBot)
        # in the second match seats are swapped: random moves first
        for what, entrants, index, seats in (("itself", (own, own), 0, (0, 1)), ("random", (own, rival), 1, (1,))):
            with _no_traceback():
                played = await setting.play(entrants, index)
            self._judge(f"{name}, against {what}", played, seats, maker)

    def _judge(self, what: str, played: Played, seats: Sequence[int], maker: ProgramMaker) -> None:
        """Log a match. Raises Rejected if one of these seats has lost it by a fault, and NotDecided."""
        record = played.record
        assert record.termination is not None
        detail = (record.detail or "").removeprefix(f"{OWN} failed: ")
        ended = f"{record.result}, {record.termination}{f' ({detail})' if detail else ''}"
        self._say(f"{what}: {ended}, {len(record.moves)} plies")
        if maker.machine_failure:
            raise NotDecided(f"{what}: {maker.machine_failure}")
        limit = self._orders.validation_time
        if maker.own_seconds > limit:
            raise Rejected(f"the program took more than {limit:g} s for its validation, without its waits")
        lost = {"0-1": 0, "1-0": 1}.get(record.result)
        if record.termination in _FAULTS and lost in seats:
            if record.termination is Termination.TIME:
                detail = f"its clock ran out before it answered ({self._time_control})"
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
    """Raise Rejected or NotDecided where a match cannot be played: the fault may be on either side."""
    try:
        yield
    except (ProgramFailed, OSError) as error:
        rejected = isinstance(error, ProgramFailed) and not isinstance(error, MachineFailed)
        raise (Rejected if rejected else NotDecided)(f"a match could not be played: {error}") from error


async def work(orders: ValidationOrders) -> None:
    """Validate an upload."""
    tell(ValidationStarted(orders.validation.upload))
    await Series(orders, await find()).run()


def main() -> int:
    """Read the orders and validate; return the exit code."""
    return obey("validation", ValidationOrders, work, niceness=NICENESS)


if __name__ == "__main__":
    leave(main())
