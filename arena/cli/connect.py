# SPDX-License-Identifier: GPL-3.0-or-later
"""Connect your own bot, a built-in bot or an outside engine to an arena.

BOT is FILE.py, FILE.py:CLASS, MODULE:CLASS, wasm:FILE, data:FILE, or a name that ``arena match`` knows too; --uci,
--xboard or --gtp starts an engine in its place, --program any program that reads and writes the protocol's messages as
lines of JSON. Each match gets a bot, an engine or a program of its own. Ends with Ctrl-C; with --challenge, after its
matches.
"""

import argparse
import asyncio
import contextlib
import logging
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import msgspec

from arena.cli.support.command_line import CommandError, check_least
from arena.cli.support.output import add_json, print_json, say
from arena.protocol.codec import PLAY_PATH
from arena.protocol.messages import ArenaMessage, Match, Over, Welcome
from arena.protocol.terminal import log_to_terminal
from bots.bridges.process import EngineFailed
from bots.bridges.program import ProgramMaker, parse_program
from bots.bridges.spec import LANGUAGES, option, parse
from bots.catalogue import UnknownBot, engine_maker, maker_of
from bots.client import ArenaError, BotMaker, Client, Rejected
from bots.client import run as play
from bots.sandbox import ProgramFailed

GROUP = "play"

PATIENCE = 30.0
"""Seconds that a challenger looks for its arena when it is not told how long."""

DEFAULT_URL = f"ws://127.0.0.1:8080{PLAY_PATH}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "bot",
        metavar="BOT",
        nargs="?",
        help="FILE.py, FILE.py:CLASS, MODULE:CLASS, wasm:FILE, genome:FILE, data:FILE or the name of a built-in bot",
    )
    parser.add_argument(
        "--url",
        default=os.environ.get("ARENA_URL", DEFAULT_URL),
        help="address of the arena (ARENA_URL; default: %(default)s)",
    )
    parser.add_argument("--token", default=os.environ.get("ARENA_TOKEN"), help="the bot's token (ARENA_TOKEN)")
    parser.add_argument("--games", help="names of games, separated by commas (default: the bot's own)")
    parser.add_argument(
        "--capacity",
        type=int,
        metavar="N",
        help="maximum number of matches at the same time (default: the bot's own)",
    )
    parser.add_argument("--no-ladder", action="store_true", help="play only challenges")
    parser.add_argument("--no-challenges", action="store_true", help="play only on the ladder")
    parser.add_argument(
        "--people", action="store_true", help="let people play against the bot on the page /play of the arena"
    )
    parser.add_argument(
        "--open-info",
        action="store_true",
        default=None,
        help="let spectators see search info immediately, if the opponent also allows it and the tournament is not "
        "anonymous (default: the bot's open_info)",
    )
    parser.add_argument(
        "--patience",
        type=float,
        metavar="SECONDS",
        help="give up if no arena answers for this number of seconds (default: never; 30 with --challenge)",
    )
    program = parser.add_argument_group("programs", "play with a program in any language instead of BOT")
    program.add_argument("--program", metavar="COMMAND", help="start a program, one process for each match")
    program.add_argument(
        "--sandbox", action="store_true", help="run the program without network and with limits (see `arena doctor`)"
    )
    engine = parser.add_argument_group("engines", "play chess, Go or Othello with an engine instead of BOT")
    engine.add_argument("--uci", metavar="COMMAND", help="start a UCI engine, one process for each match")
    engine.add_argument("--xboard", metavar="COMMAND", help="start an engine with xboard's protocol (version 2)")
    engine.add_argument("--gtp", metavar="COMMAND", help="start a GTP engine for Go or Othello")
    engine.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set an option of a chess engine (repeatable)",
    )
    group = parser.add_argument_group("challenges", "challenge one opponent, print the results and exit")
    group.add_argument("--challenge", metavar="OPPONENT", help="name of a connected bot")
    group.add_argument("--game", metavar="G", help="name of the game; required with --challenge")
    group.add_argument("--rated", action="store_true", help="play rated matches, in pairs with swapped seats")
    group.add_argument(
        "--time-control",
        metavar="BASE+INCREMENT",
        help="time control in seconds (default: the game's own)",
    )
    group.add_argument("--count", type=int, default=1, metavar="N", help="number of challenges (default: %(default)s)")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play until interrupted, or until the challenges are played."""
    if not arguments.token:
        raise CommandError("no token: set --token or ARENA_TOKEN (`arena bots add NAME` prints a token)")
    check_least(arguments, {"capacity": 1})
    if str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))
    try:
        maker = _maker(arguments)
        if arguments.challenge is None:
            _stay(arguments, maker)
        else:
            _challenge(arguments, maker)
    except (ArenaError, EngineFailed, ProgramFailed, UnknownBot, ValueError) as error:
        raise CommandError(str(error)) from error
    return 0


def _maker(arguments: argparse.Namespace) -> BotMaker:
    """Return the factory of the bots. Raises UnknownBot; EngineFailed, ProgramFailed and ValueError for a command."""
    named = [name for name in ("bot", "program", *LANGUAGES) if getattr(arguments, name) is not None]
    if len(named) != 1:
        raise CommandError("name exactly one of BOT, --program, --uci, --xboard and --gtp")
    language = named[0]
    if arguments.sandbox and language != "program":
        raise CommandError("--sandbox needs --program")
    if language == "program":
        program = ProgramMaker(parse_program(arguments.program, sandboxed=arguments.sandbox))
        asyncio.run(program.try_out())
        return program
    if language == "bot":
        if arguments.option:
            raise CommandError("--option needs --uci or --xboard")
        named_maker = maker_of(arguments.bot)
        if isinstance(named_maker, ProgramMaker):
            asyncio.run(named_maker.try_out())
        return named_maker
    spec = parse(f"{language}:{getattr(arguments, language)}")
    maker = engine_maker(replace(spec, options={**spec.options, **dict(map(option, arguments.option))}))
    asyncio.run(maker.try_out())
    return maker


def _stay(arguments: argparse.Namespace, maker: BotMaker) -> None:
    if arguments.game or arguments.rated or arguments.time_control or arguments.count != 1:
        raise CommandError("--game, --rated, --time-control and --count need --challenge")
    if arguments.json:
        log_to_terminal(logging.WARNING)
    play(
        maker,
        url=arguments.url,
        token=arguments.token,
        games=arguments.games.split(",") if arguments.games else None,
        capacity=arguments.capacity,
        open_info=arguments.open_info,
        ladder=not arguments.no_ladder,
        challenges=not arguments.no_challenges,
        people=arguments.people,
        patience=arguments.patience,
        heard=partial(_hear, arguments),
    )


def _challenge(arguments: argparse.Namespace, maker: BotMaker) -> None:
    if not arguments.game:
        raise CommandError("--challenge needs --game")
    if arguments.count < 1:
        raise CommandError("--count must be 1 or more")
    played = maker().games
    if played is not None and arguments.game not in played:
        raise CommandError(f"{arguments.bot or maker().name} does not play {arguments.game}, but {', '.join(played)}")
    log_to_terminal(logging.ERROR)  # a permanent failure is reported once, at the end
    terms = ChallengeTerms(
        arguments.challenge, arguments.game, arguments.rated, arguments.time_control, arguments.count
    )
    challenger = Challenger(terms, lambda over: None if arguments.json else _tell(over))
    try:
        asyncio.run(_play(arguments, maker, challenger))
    finally:
        if challenger.score.matches:
            _sum_up(challenger.score, arguments)


async def _play(arguments: argparse.Namespace, maker: BotMaker, challenger: "Challenger") -> None:
    def heard(message: ArenaMessage) -> None:
        challenger.hear(message)
        if arguments.json:
            _print(message)

    client = Client(
        maker,
        url=arguments.url,
        token=arguments.token,
        games=[arguments.game],
        capacity=arguments.capacity,
        open_info=arguments.open_info,
        ladder=False,
        challenges=False,
        patience=PATIENCE if arguments.patience is None else arguments.patience,
        heard=heard,
    )
    await challenger.play(client)


def _tell(over: Over) -> None:
    outcome = {None: "void", 1.0: "won", 0.0: "lost"}.get(over.score, "drawn")
    why = f"{over.termination}: {over.detail}" if over.detail else over.termination
    rating = f"; rating {over.rating.before:.0f} -> {over.rating.after:.0f}" if over.rating else ""
    say(f"match {over.match}: {outcome} {over.result} ({why}){rating}", flush=True)


def _sum_up(score: "Score", arguments: argparse.Namespace) -> None:
    if arguments.json:
        print_json(score)
        return
    void = f", {score.void} void" if score.void else ""
    say(f"against {score.opponent}: {score.wins} won, {score.draws} drawn, {score.losses} lost{void}")


def _hear(arguments: argparse.Namespace, message: ArenaMessage) -> None:
    """Raise Rejected if the arena admits the bot to no game: it would wait endlessly."""
    if arguments.json:
        _print(message)
    if isinstance(message, Welcome) and not message.games:
        named = f"{arguments.games}, which --games names" if arguments.games else "the bot's games"
        raise Rejected(f"the arena plays none of {named}; its games are listed under /api/v1/games")


def _print(message: ArenaMessage) -> None:
    """Print a message as JSON if the bot is admitted, or a match starts or ends."""
    if isinstance(message, Welcome | Match | Over):
        print_json(message)


# ---------------------------------------------------------------- challenges

_RETURN_MATCH = 5.0
"""Seconds to wait for a match that follows: the second of a rated pair, or one that is played again because the arena
was late. There may be none.
"""


@dataclass(frozen=True, slots=True)
class ChallengeTerms:
    """The terms of a challenge, and its repetitions; each rated challenge is a pair with swapped seats."""

    opponent: str
    game: str
    rated: bool
    time_control: str | None
    count: int


class Score(msgspec.Struct):
    """How the matches ended, seen by the challenger."""

    opponent: str
    game: str
    rated: bool
    matches: list[int] = msgspec.field(default_factory=list)
    wins: int = 0
    draws: int = 0
    losses: int = 0
    void: int = 0

    def add(self, over: Over) -> None:
        """Count a match."""
        self.matches.append(over.match)
        match over.score:
            case None:
                self.void += 1
            case 1.0:
                self.wins += 1
            case 0.0:
                self.losses += 1
            case _:
                self.draws += 1


class Challenger:
    """Makes one challenge after another and waits for the matches to end; the client plays them."""

    def __init__(self, terms: ChallengeTerms, ended: Callable[[Over], None]) -> None:
        """``ended`` is called with the end of each match."""
        self.score = Score(terms.opponent, terms.game, terms.rated)
        self._terms = terms
        self._ended = ended
        self._newest = 0
        self._awaited = 0
        self._missed = False
        """Whether the awaited match ended while the connection was lost."""
        self._overs: dict[int, Over] = {}
        self._news = asyncio.Event()

    def hear(self, message: ArenaMessage) -> None:
        """Handle a message from the arena: the client's ``heard``."""
        match message:
            case Welcome(matches=going_on):
                self._missed = self._awaited not in going_on
            case Match(match=number):
                self._newest = max(self._newest, number)
            case Over(match=number):
                self._overs[number] = message
            case _:
                return
        self._news.set()

    async def play(self, client: Client) -> Score:
        """Play all challenges with a client that is not running yet, and disconnect.

        Raises ChallengeRefused and all errors that end the client.
        """
        running = asyncio.create_task(client.run())
        playing = asyncio.create_task(self._play(client))
        try:
            await asyncio.wait({running, playing}, return_when=asyncio.FIRST_COMPLETED)
            if not playing.done():
                await running
            return await playing
        finally:
            playing.cancel()
            await client.close()
            await asyncio.wait({running, playing})
            for task in running, playing:
                if not task.cancelled():
                    # retrieved, so that asyncio does not log it; the first error is raised already
                    task.exception()

    async def _play(self, client: Client) -> Score:
        terms = self._terms
        for _ in range(terms.count):
            numbers = await client.challenge(
                terms.opponent, terms.game, rated=terms.rated, time_control=terms.time_control
            )
            results = [await self._finish(number) for number in numbers]
            last = numbers[-1]
            while results.count(True) < (2 if terms.rated else 1) and await self._follows(last):
                last = self._newest
                results.append(await self._finish(last))
        return self.score

    async def _finish(self, number: int) -> bool:
        """Wait for the end of a match, count it, and return whether it has a result.

        Raises ArenaError when the end came while the connection was lost.
        """
        self._awaited, self._missed = number, False
        while number not in self._overs:
            self._news.clear()
            await self._news.wait()
            if number not in self._overs and self._missed:
                raise ArenaError(f"match {number} ended while the connection was lost")
        over = self._overs[number]
        self.score.add(over)
        self._ended(over)
        return over.score is not None

    async def _follows(self, number: int) -> bool:
        """Wait for the match that comes after one; returns whether it has come."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_RETURN_MATCH):
                while self._newest <= number:
                    self._news.clear()
                    await self._news.wait()
        return self._newest > number
