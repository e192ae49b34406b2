# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches in this process: two bots, the arena's referee, no server.

Plain methods of a bot run directly, so a bot that never answers holds everything up. Without a time control no time is
measured, and bots that choose by seed play the same games again.
"""

import asyncio
import inspect
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import TypeVar, cast

import msgspec

from arena.protocol import messages as wire
from bots.bot import Bot, Reply, Resign
from engine.game import Game
from engine.match import Info, Match, Termination
from engine.opening import random_opening
from engine.record import Player, Record
from engine.time_control import TimeControl

log = logging.getLogger(__name__)

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot that plays: what it is called, and what makes one for each match."""

    name: str
    make: Callable[[], Bot]


@dataclass(frozen=True, slots=True)
class Played:
    """A match of a series: its number from 1, and the seat of the first entrant."""

    number: int
    seat: int
    match: Match
    record: Record

    @property
    def score(self) -> float | None:
        """What the first entrant scored; None when void."""
        scores = self.match.ending and self.match.ending.scores
        return scores[self.seat] if scores else None


def number_of(seed: int, *parts: int) -> int:
    """Return a number of 52 bits, above 0, that follows from a seed and what it is drawn for."""
    text = "/".join(map(str, (seed, *parts)))
    return int.from_bytes(sha256(text.encode()).digest()[:8]) % 2**52 + 1


async def series(
    game: Game, first: Entrant, second: Entrant, *, games: int, seed: int = 0, time_control: TimeControl | None = None
) -> AsyncIterator[Played]:
    """Play a match after the other, in pairs with swapped seats, each pair from an opening drawn by the seed."""
    for index in range(games):
        pair, seat = divmod(index, 2)
        opening = random_opening(game, number_of(seed, pair))
        entrants = (second, first) if seat else (first, second)
        started = _now()
        match = Match(game, opening=opening, time_control=time_control)
        versions = await _play(match, entrants, number_of(seed, pair, seat))
        players = [Player(entrant.name, version) for entrant, version in zip(entrants, versions, strict=True)]
        record = Record.from_match(
            match,
            (players[0], players[1]),
            seed=seed,
            event="Local match",
            round=f"{pair + 1}.{seat + 1}",
            started=started,
            finished=_now(),
        )
        yield Played(index + 1, seat, match, record)


async def play(
    game: Game,
    entrants: tuple[Entrant, Entrant],
    *,
    number: int = 1,
    start: str | None = None,
    opening: Sequence[str] = (),
    time_control: TimeControl | None = None,
) -> Match:
    """Play one match to its end, the first entrant on seat 0; ``number`` is what the bots are told, and choose by.

    It begins at ``start``, None being the game's own start, with the moves of ``opening``.

    A bot that raises an exception loses by a crash, one whose ``move`` returns something else than a move by a bad
    message.
    """
    match = Match(game, start=start, opening=opening, time_control=time_control)
    await _play(match, entrants, number)
    return match


async def _play(match: Match, entrants: tuple[Entrant, Entrant], number: int) -> tuple[str, str]:
    """Play a match to its end; return the versions of the bots."""
    table = _Table(match, entrants, number)
    await table.start()
    while match.to_move is not None:
        await table.turn(match.to_move)
        # lets an interrupt through
        await asyncio.sleep(0)
    await table.end()
    return table.version(0), table.version(1)


class _Table:
    """Two bots at a match: says to them what the arena would, and to the referee what they answer."""

    def __init__(self, match: Match, entrants: tuple[Entrant, Entrant], number: int) -> None:
        self._match = match
        self._entrants = entrants
        self._number = number
        self._bots: list[Bot] = []

    def version(self, seat: int) -> str:
        return self._bots[seat].version if seat < len(self._bots) else ""

    async def start(self) -> None:
        for seat in (0, 1):
            try:
                bot = self._entrants[seat].make()
                self._bots.append(bot)
                # a clock must not pay for compiling
                await _settled(bot.prepare([self._match.game.name]))
            except Exception as error:
                self._crashed(seat, error)
                return
        players = tuple(
            wire.Player(entrant.name, bot.version) for entrant, bot in zip(self._entrants, self._bots, strict=True)
        )
        for seat, bot in enumerate(self._bots):
            try:
                await _settled(bot.match_started(self._whole(seat, cast(tuple[wire.Player, wire.Player], players))))
            except Exception as error:
                self._crashed(seat, error)
                return

    async def turn(self, seat: int) -> None:
        match, bot = self._match, self._bots[seat]
        before = time.perf_counter()
        try:
            if match.draw_offer == 1 - seat:
                if await _settled(bot.draw_offered(self._number)):
                    match.accept_draw(seat)
                    return
                match.decline_draw(seat)
            answer = await _settled(bot.move(self._turn(seat)))
        except Exception as error:
            self._crashed(seat, error)
            return
        elapsed = 0 if match.clocks is None else int(1000 * (time.perf_counter() - before))
        match answer:
            case Resign():
                self._match.resign(seat)
            case str():
                self._match.play(seat, answer, elapsed)
            case Reply(move=str()):
                self._reply(seat, answer, elapsed)
            case _:
                self._forfeit(seat, Termination.BAD_MESSAGE, f"move() returned {answer!r}")

    def _reply(self, seat: int, reply: Reply, elapsed: int) -> None:
        try:
            info = None if reply.info is None else msgspec.convert(reply.info, Info, from_attributes=True)
        except (TypeError, ValueError) as error:
            self._forfeit(seat, Termination.BAD_MESSAGE, f"what move() tells of its search is none: {error}")
            return
        self._match.play(seat, reply.move, elapsed, info)
        if reply.offer_draw and self._match.ending is None:
            self._match.offer_draw(seat)

    async def end(self) -> None:
        ending = self._match.ending
        assert ending is not None, "end() is called when the match is over"
        for seat, bot in enumerate(self._bots):
            score = ending.scores[seat] if ending.scores else None
            try:
                await _settled(
                    bot.match_over(wire.Over(self._number, ending.result, score, ending.termination, ending.detail))
                )
            except Exception:
                log.exception("%s failed when it was told that the match is over", self._entrants[seat].name)

    def _crashed(self, seat: int, error: Exception) -> None:
        self._forfeit(seat, Termination.CRASH, f"{type(error).__name__}: {error}")

    def _forfeit(self, seat: int, termination: Termination, detail: str) -> None:
        self._match.forfeit(seat, termination, detail.encode(errors="replace").decode()[:200])

    def _whole(self, seat: int, players: tuple[wire.Player, wire.Player]) -> wire.Match:
        match = self._match
        return wire.Match(
            match=self._number,
            game=match.game.name,
            seat=seat,
            players=players,
            rated=False,
            time_control=None if match.time_control is None else str(match.time_control),
            start=match.start,
            opening=list(match.opening),
            moves=[],
            position=match.game.format_position(match.position.state),
            ply=match.ply,
            to_move=match.position.to_move,
            clocks=match.clocks,
        )

    def _turn(self, seat: int) -> wire.Turn:
        match = self._match
        played = match.moves[-1].move if match.moves else match.opening[-1] if match.opening else None
        return wire.Turn(
            match=self._number,
            game=match.game.name,
            ply=match.ply,
            position=match.game.format_position(match.position.state),
            seat=seat,
            last_move=played,
            legal_moves=match.legal,
            clocks=match.clocks,
            increment=0 if match.time_control is None else match.time_control.increment,
            draw_offered=match.draw_offer == 1 - seat,
        )


async def _settled(answer: Result | Awaitable[Result]) -> Result:
    if inspect.isawaitable(answer):
        return await answer
    return answer


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
