# SPDX-License-Identifier: GPL-3.0-or-later
"""The description of a series of matches, and the file from which an interrupted series goes on.

Another process can play a series from its description. The file's first line is the description; each further line is
the record of a match that ended, with the lengths that the files of games then had. A series that goes on cuts these
files back to the lengths: their last lines may be torn, or not be in the file of the series.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Self, TextIO

from msgspec import DecodeError, Struct, ValidationError, json

from bots.bridges.gtp.player import GtpMaker
from bots.bridges.player import EngineMaker
from bots.bridges.process import EngineFailed
from bots.bridges.spec import Allowance
from bots.built_in import kinds
from bots.built_in.kinds.searching import Searching
from bots.built_in.kinds.tree import TreeSearching
from bots.catalogue import BotMaker, UnknownBot, maker_of
from bots.local import Entrant
from bots.sandbox import ProgramFailed
from bots.series import Played, Setting
from bots.wasm.league import limited, tagged
from engine.formats.suite import Opening
from engine.game import Game
from engine.games import find
from engine.match.ending import Adjudication
from engine.match.record import Record
from engine.search.tree import TREE_ALGORITHMS
from engine.time_control import TimeControl


class NoEntrant(Exception):
    """A bot cannot be made, or does not play the game; the message says why, for people."""


_NUMBERS = ("depth", "nodes", "playouts")


def _check_algorithm(name: str | None) -> None:
    if name is not None and name not in TREE_ALGORITHMS:
        raise ValueError(f"no tree search is called {name[:40]!r}; there are {', '.join(TREE_ALGORITHMS)}")


class EntrantTerms(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The limits and the name of one bot, where they differ from those of both."""

    time_control: str | None = None
    """The bot's own time control."""
    depth: int | None = None
    """The bot's own depth limit, in plies."""
    nodes: int | None = None
    """The bot's own node limit per move."""
    name: str | None = None
    """Its name in reports; None: its specification."""
    playouts: int | None = None
    """The bot's own limit of playouts per move, if it is one of Monte Carlo tree search."""
    algorithm: str | None = None
    """The bot's tree search: uct, rave or puct."""

    def __post_init__(self) -> None:
        for what, number in (("depth", self.depth), ("nodes", self.nodes), ("playouts", self.playouts)):
            if number is not None and number < 1:
                raise ValueError(f"{what} must be at least 1, not {number}")
        _check_algorithm(self.algorithm)

    @classmethod
    def parse(cls, words: list[str]) -> Self:
        """Read words such as "tc=40/60+0.5", "st=5", "depth=8", "nodes=10000", "playouts=1000", "algorithm=uct" and
        "name=new". Raises ValueError.
        """
        given: dict[str, str] = {}
        for word in words:
            name, _, value = word.partition("=")
            if name == "st":
                name, value = "tc", f"{value}/move"
            if name not in ("tc", *_NUMBERS, "name", "algorithm") or not value or name in given:
                raise ValueError(
                    f"{word!r} is not understood; write tc=40/60+0.5 or st=5, depth=8, nodes=10000, playouts=1000, "
                    "algorithm=uct, name=new"
                )
            given[name] = value
        try:
            depth, nodes, playouts = (int(given[name]) if name in given else None for name in _NUMBERS)
        except ValueError:
            raise ValueError("depth, nodes and playouts are whole numbers") from None
        return cls(given.get("tc"), depth, nodes, given.get("name"), playouts, given.get("algorithm"))


AS_THE_MATCH_SAYS = EntrantTerms()


class Contest(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The description of a series: two bots, as ``bots.catalogue`` reads them, and the rules and limits of their
    matches.
    """

    game: str
    """Name of the game."""
    first: str
    """The first bot."""
    second: str
    """The second bot."""
    seed: int = 0
    """Seed of openings, dice and random moves."""
    time_control: str | None = None
    """Time control of both bots; None: no clock."""
    depth: int | None = None
    """Depth limit of built-in bots and engines, in plies; replaces their own limits."""
    nodes: int | None = None
    """Node limit per move (replaces the bots' own limits)."""
    adjudication: Adjudication | None = None
    """Rules of adjudication."""
    openings: tuple[Opening, ...] = ()
    """The suite of openings; empty: the game's balanced random openings."""
    in_turn: bool = False
    """Whether openings are taken in their own order, not in one that the seed shuffles."""
    first_terms: EntrantTerms = AS_THE_MATCH_SAYS
    """What differs for the first bot."""
    second_terms: EntrantTerms = AS_THE_MATCH_SAYS
    """What differs for the second bot."""
    time_margin: int = 0
    """Milliseconds by which a clock may be overrun without losing."""
    event: str = "Local match"
    """Name of the event, for the records."""
    site: str = ""
    """Place of the match, for the records."""
    instructions: int | None = None
    """Budget of each move, for a match by instructions between WebAssembly bots; no clock runs then."""
    playouts: int | None = None
    """Limit of playouts per move of bots that search by Monte Carlo tree search; replaces their own limits."""
    algorithm: str | None = None
    """The tree search of these bots: uct, rave or puct; None: their own."""
    mirrored_dice: bool = False
    """Whether both matches of a pair have the same rolls by seat."""

    @property
    def names(self) -> tuple[str, str]:
        """The names of the bots in reports."""
        return self.first_terms.name or self.first, self.second_terms.name or self.second

    def setting(self) -> Setting:
        """Return the settings of its matches. Raises KeyError for an unknown game, ValueError for a time control."""
        _check_algorithm(self.algorithm)
        if self.time_margin < 0:
            raise ValueError(f"a clock cannot be overrun by {self.time_margin} ms")
        game = find(self.game)
        if self.mirrored_dice and not game.chance:
            raise ValueError(f"{game.name} has no dice that could be mirrored")
        return Setting(
            game,
            self.seed,
            self._time_control(),
            self.openings,
            self.adjudication,
            in_turn=self.in_turn,
            time_margin=self.time_margin,
            event=self.event,
            site=self.site,
            mirrored_dice=self.mirrored_dice,
        )

    def noted(self, played: Played) -> Played:
        """Return a match of this series with the tags that a replay needs, if it was played by instructions."""
        return played if self.instructions is None else tagged(played, (self.first, self.second))

    async def entrants(self) -> tuple[Entrant, Entrant]:
        """Return the makers of its bots. Starts outside engines once, to check that they work.

        Raises NoEntrant.
        """
        game = find(self.game)
        return (
            await self._entrant(self.first, self.first_terms, game),
            await self._entrant(self.second, self.second_terms, game),
        )

    def _time_control(self) -> TimeControl | None:
        if self.instructions is not None:
            if self.time_control or self.first_terms.time_control or self.second_terms.time_control:
                raise ValueError("a match by instructions has no time control")
            return TimeControl.by_instructions(self.instructions)
        own = None if self.time_control is None else TimeControl.parse(self.time_control)
        sides = [
            own and own.of(number) if terms.time_control is None else TimeControl.parse(terms.time_control)
            for number, terms in enumerate((self.first_terms, self.second_terms))
        ]
        one, other = sides
        if one is None or other is None:
            if one is not other:
                raise ValueError("a clock runs for both sides or for none: give the other bot a time control too")
            return None
        return TimeControl.between(one, other)

    async def _entrant(self, spec: str, terms: EntrantTerms, game: Game) -> Entrant:
        try:
            maker = self._limited(spec, terms)
            if isinstance(maker, GtpMaker):  # the program's ``hello`` lists its games
                await maker.try_out()
            bot = maker()
            built_in = kinds.catalogue().get(spec)
            # a built-in bot may play further variants than it lists
            plays = built_in.plays(game.name) if built_in else bot.games is None or game.name in bot.games
            if not plays:
                listed = f", but {', '.join(bot.games)}" if bot.games else ""
                raise NoEntrant(f"{spec} does not play {game.name}{listed}")
            if isinstance(maker, EngineMaker):
                await maker.try_out()
            elif self.instructions is not None:
                await bot.prepare([game.name])  # type: ignore[misc]  # a program's is a coroutine
                if bot.games is not None and game.name not in bot.games:
                    raise NoEntrant(f"{spec} does not play {game.name}, but {', '.join(bot.games)}")
        except (UnknownBot, EngineFailed, ProgramFailed, ValueError) as error:
            raise NoEntrant(str(error)) from None
        return Entrant(terms.name or bot.name or spec, maker)

    def _limited(self, spec: str, terms: EntrantTerms) -> BotMaker:
        """Return the maker of a bot, with the limits of the series instead of its own.

        Raises NoEntrant for a bot that does not support the requested limits, and UnknownBot.
        """
        depth = self.depth if terms.depth is None else terms.depth
        nodes = self.nodes if terms.nodes is None else terms.nodes
        built_in = kinds.catalogue().get(spec)
        if isinstance(built_in, TreeSearching) and self.instructions is None:
            return self._limited_tree(built_in, terms).make
        if terms.playouts is not None or terms.algorithm is not None:
            raise NoEntrant(f"playouts and algorithm are for bots of Monte Carlo tree search, not for {spec}")
        if self.instructions is not None:
            if depth is not None or nodes is not None:
                raise NoEntrant("a match by instructions has no limits of depth or nodes")
            return limited(spec)
        if depth is None and nodes is None:
            return maker_of(spec)
        if isinstance(built_in, Searching):
            return replace(built_in, depth=depth, nodes=nodes, seconds=None).make
        maker = maker_of(spec)
        if isinstance(maker, EngineMaker):
            return EngineMaker(replace(maker.spec, allowance=Allowance(None, nodes, depth)))
        if terms.depth is not None or terms.nodes is not None:
            raise NoEntrant(f"depth and nodes are for built-in bots that search and for engines, not for {spec}")
        return maker

    def _limited_tree(self, bot: TreeSearching, terms: EntrantTerms) -> TreeSearching:
        """Return a bot of tree search with its own algorithm and limits, or those of the series; a depth is ignored.

        Raises NoEntrant.
        """
        if terms.depth is not None:
            raise NoEntrant(f"{bot.name} has no limit of depth; limit its playouts or nodes")
        algorithm = terms.algorithm or self.algorithm or bot.algorithm
        nodes = self.nodes if terms.nodes is None else terms.nodes
        playouts = self.playouts if terms.playouts is None else terms.playouts
        if nodes is None and playouts is None:
            return replace(bot, algorithm=algorithm)
        return replace(bot, algorithm=algorithm, nodes=nodes, playouts=playouts, seconds=None)


class NotSaved(ValueError):
    """The file holds no series, or another series; the message gives the reason, for people."""


class SavedMatch(Struct, frozen=True):
    """A match of a series on disk."""

    number: int
    """Number of the match in the series."""
    record: Record
    """The record of the match."""
    sizes: dict[str, int]
    """Sizes of the written files of games after this match, in bytes, by path."""


_decode = json.Decoder(SavedMatch).decode


class Saved:
    """A series on disk; ``sizes``: the lengths of the files of games, by path, after the last saved match."""

    def __init__(self, file: TextIO, played: list[Played], sizes: dict[str, int]) -> None:
        self._file = file
        self.played = played
        self.sizes = sizes

    @classmethod
    def open(cls, path: Path, contest: Contest) -> Self:
        """Open a file; create it if it is missing.

        Raises NotSaved when it holds something else or another contest, and OSError.
        """
        file = path.open("r+" if path.exists() else "w+", encoding="utf-8", newline="\n")
        try:
            played, sizes, end = _read(path, file, contest)
            file.seek(end)
            file.truncate()
            saved = cls(file, played, sizes)
            if end == 0:
                saved._write(json.encode(contest))
        except BaseException:
            file.close()
            raise
        return saved

    def add(self, played: Played, sizes: Mapping[str, int]) -> None:
        """Save one more match."""
        self._write(json.encode(SavedMatch(played.number, played.record, dict(sizes))))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _write(self, line: bytes) -> None:
        self._file.write(line.decode() + "\n")
        self._file.flush()


def _read(path: Path, file: TextIO, contest: Contest) -> tuple[list[Played], dict[str, int], int]:
    """Return the matches that are saved, the sizes after the last, and where the last whole line ends."""
    lines = _whole_lines(file)
    first = next(lines, None)
    if first is None:
        if not json.encode(contest).startswith(path.read_bytes()):
            raise NotSaved(f"{path} does not hold a match that was saved")
        return [], {}, 0
    try:
        begun, end = json.decode(first[0], type=Contest), first[1]
        if begun != contest:
            raise NotSaved(f"{path} holds another match: {_differences(begun, contest)}")
        played: list[Played] = []
        sizes: dict[str, int] = {}
        for text, line_end in lines:
            line = _decode(text)
            if line.number != len(played) + 1:
                raise NotSaved(f"{path}: match {line.number} cannot follow match {len(played)}")
            played.append(Played(line.number, (line.number - 1) % 2, line.record))
            sizes, end = line.sizes, line_end
    except (DecodeError, ValidationError) as error:
        raise NotSaved(f"{path} does not hold a match that was saved: {error}") from None
    return played, sizes, end


def _whole_lines(file: TextIO) -> Iterator[tuple[bytes, int]]:
    """Yield the lines that were written to their end, and where each ends."""
    end = 0
    for line in file.buffer:
        if line.endswith(b"\n"):
            end += len(line)
            yield line, end


def _differences(begun: Contest, contest: Contest) -> str:
    names = [name for name in Contest.__struct_fields__ if getattr(begun, name) != getattr(contest, name)]
    return f"{', '.join(name.replace('_', ' ') for name in names)} differ{'' if len(names) > 1 else 's'}"


def cut_back(path: Path, size: int) -> None:
    """Cut a file of games to its saved length. Raises NotSaved if it is shorter, and OSError."""
    there = path.stat().st_size if path.exists() else 0
    if there < size:
        raise NotSaved(f"{path} is shorter than it was when the match was saved")
    if there > size:
        os.truncate(path, size)
