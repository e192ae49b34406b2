# SPDX-License-Identifier: GPL-3.0-or-later
"""All settings of an arena: each has a default, an environment variable ARENA_NAME and an option of ``arena serve``."""

import argparse
import os
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, TypeVar, get_args

from arena.connections.addresses import Networks
from arena.store.rows import InfoRelease
from engine.time_control import TimeControl

SHORTEST_LIMIT = 50
"""The smallest limit of plies: openings must fit in, and a game after them."""

Value = TypeVar("Value", bound=bool | int | float | str)


def setting(default: Value, meaning: str) -> Value:
    """Return a field of Settings: its default, whose type is the setting's, and what it means, for people."""
    value: Value = field(default=default, metadata={"meaning": meaning})
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What an operator may choose. Durations are in seconds."""

    games: str = setting("", "Games that are offered, separated by commas; empty: all playable ones.")
    time_controls: str = setting(
        "", 'Time controls that differ from the games\' own: "checkers=30+0.5,tictactoe=5+0.1".'
    )
    lag_grace: float = setting(
        0.1,
        "Time of a move at most that is not taken from the clock, for the way through the network: the measured round "
        "trip of the bot's connection fills a bank of it with each turn.",
    )
    reconnect_grace: float = setting(
        60.0,
        "Time a bot that lost its connection has to come back before it loses; that of built-in bots begins when they "
        "are ready.",
    )
    house_move_time: float = setting(
        0.4, "Least time between two moves of a match of house bots, so that people can watch."
    )

    ladder: bool = setting(True, "Whether bots that are connected and free are paired.")
    ladder_interval: float = setting(1.0, "Time between two rounds of pairing.")
    ladder_pairs: int = setting(20, "Pairs of matches that one round of pairing may start.")
    ladder_pause: float = setting(1.0, "Rest of a bot between two pairs of matches.")
    ladder_busy: float = setting(
        0.75,
        "Share of the bots there that the ladder of a game lets play at a time; among those who wait it can choose.",
    )
    ladder_wrong: float = setting(
        0.01,
        "Share of pairs of bots expected in the wrong order at which the ladder of a game has done its work; from then "
        "on it only pairs who has waited long.",
    )
    ladder_patience: float = setting(
        60.0,
        "Time that a bot has not played a game after which the ladder pairs it in any case, or up to twice as long.",
    )
    house_matches: int = setting(6, "Matches between house bots that the ladder keeps going at once.")
    searches: int = setting(
        0,
        "Turns of built-in bots that may go on at once; the clock of a further one starts when one of these is over. "
        "0: one for each processor that is free.",
    )
    challenge_expiry: float = setting(30.0, "Time to answer a challenge.")
    challenge_seconds: float = setting(
        7200.0, "Longest time control of a challenge, as time that a side has for 40 moves: matches hold bots' places."
    )
    built_in_seconds: float = setting(
        600.0,
        "Longest time control of a challenge to a built-in bot, as time that a side has for 40 moves; where the game's "
        "own is longer, that.",
    )
    bot_share: float = setting(
        0.125,
        "Share of the places of each built-in bot that one bot may hold at once, and of the others on a game's ladder "
        "that it is paired with at once; one at least.",
    )
    owner_share: float = setting(
        0.25,
        "The same share for all bots of one owner together; a bot without an owner is its own. Bots of one owner are "
        "paired with each other freely.",
    )
    bot_matches: int = setting(64, "Matches that one bot may play at once, whatever its capacity; tournaments go on.")
    owner_matches: int = setting(128, "Matches that all bots of one owner may play at once; tournaments go on.")
    challenges_open: int = setting(
        5, "Challenges that one bot may have open, those it takes back counted until they would have expired."
    )
    rated_challenges_per_day: int = setting(
        10,
        "Rated challenges between the same two bots, in whatever versions, that are played within 24 hours, either of "
        "them asking; the ladder and tournaments pair freely. A rated challenge is two matches.",
    )
    versions_per_day: int = setting(
        20, "New versions that a bot may bring within 24 hours; known versions are always let in."
    )

    info_match_bytes: int = setting(
        262_144, "Bytes of search info stored for each side of a match; further info is dropped, its moves count."
    )
    info_day_bytes: int = setting(
        16_777_216,
        "Bytes of search info stored for each bot, built-in ones excepted, in a day (UTC); further info is dropped, "
        "its moves count.",
    )
    max_plies: int = setting(
        1000,
        "Plies, those of the opening included, after which a new match is adjudicated a draw, unless its tournament "
        "says otherwise.",
    )

    learning: bool = setting(
        True, "Whether the bot that learns whom it meets plays here, in a process that stands back behind the house."
    )

    breeding: str = setting(
        "checkers",
        "The game in which a small population is bred at low priority; none, or a game not offered: nowhere.",
    )
    breeding_size: int = setting(20, "Members of that population.")
    breeding_pace: float = setting(5.0, "Time from one generation to the next, at least.")
    breeding_every: int = setting(10, "Generations after which the best is tried against the champion.")

    volunteers: str = setting(
        "chess,checkers", "Games that demes on volunteers' machines may breed, as far as they are offered."
    )
    volunteer_nodes: int = setting(1000, "Nodes that the players of these demes visit a move, on average.")
    volunteer_interval: float = setting(1.0, "Time between two reports of a deme, at least.")
    volunteer_silence: float = setting(60.0, "Time after which a deme that says nothing is off the air.")
    volunteer_mating: float = setting(30.0, "Time between two genomes that a deme is given, at least.")

    examining: bool = setting(
        True, "Whether a process beside the server tries what demes claim; where nobody does, nothing of them spreads."
    )

    public_names: str = setting(
        "",
        "Names under which browsers and programs reach the arena, separated by commas, such as arena.example.org. It "
        "answers to these, to the name given by --host, to localhost and to every address; to no other name.",
    )
    allowed_origins: str = setting(
        "",
        "Origins of websites whose pages may read the REST API and open the sockets, separated by commas: "
        "https://example.org; *: all. The arena's own pages always may.",
    )
    trusted_proxies: str = setting(
        "",
        "Addresses and networks of reverse proxies, separated by commas: the address and scheme of a forwarded "
        "request count as they tell them, and as nobody else does.",
    )
    max_connections: int = setting(
        1000, "Bots that may be connected at once; one that has a match to play is let in beyond them."
    )
    silent_connections: int = setting(
        1000,
        "Bots' sockets at once that have not said hello with a bot's token; of more, the oldest of the busiest address "
        "is closed.",
    )
    silent_connections_each: int = setting(
        250, "Such sockets from one address (of IPv6: from one /64); of more, its oldest is closed."
    )
    silent_rate: float = setting(
        20.0, "Such sockets that one address may open a second in the long run; hello with a bot's token takes one off."
    )
    token_rate: float = setting(2.0, "Connections a second that one token may open in the long run; others wait.")
    token_burst: int = setting(40, "Connections that one token may open at once.")
    max_spectators: int = setting(
        5000, "Spectators' sockets at once; of more, the oldest of the busiest address is closed."
    )
    spectators_each: int = setting(500, "Spectators' sockets from one address; of more, its oldest is closed.")
    http_connections: int = setting(
        2000,
        "Connections at once that are neither a bot's after its hello nor a spectator's: requests, and those who say "
        "nothing; of more, the oldest of the busiest address is closed.",
    )
    http_connections_each: int = setting(
        500, "Such connections from one address (of IPv6: from one /64); of more, its oldest is closed."
    )
    connection_rate: float = setting(
        30.0, "Connections that one address may open a second in the long run; others are closed at once."
    )
    connection_burst: int = setting(600, "Connections that one address may open at once.")
    hello_timeout: float = setting(10.0, "Time in which a new connection must say hello.")
    message_rate: float = setting(
        50.0, "Messages a second that one connection may send in the long run, besides answers to what it is asked."
    )
    message_burst: int = setting(200, "Messages that one connection may send at once.")
    visitor_share: float = setting(
        0.1,
        "Share of the server's event loop that spectators' sockets, requests and new connections may take together in "
        "the long run while bots play; what no bot wants is theirs too.",
    )
    bad_messages: int = setting(20, "Bad messages after which a connection is closed.")
    outbox_messages: int = setting(
        2000, "Messages that may wait for a bot that does not read; more close its connection."
    )
    outbox_bytes: int = setting(
        4_194_304, "Bytes that may wait for a bot that does not read; more close its connection."
    )

    answer_timeout: float = setting(
        20.0, "Time in which a client must take the next 65,536 bytes of an answer; one that takes longer is cut off."
    )
    answer_bytes: int = setting(
        67_108_864,
        "Bytes of answers that may wait for clients to read them; beyond it those that stand still give way.",
    )
    answer_bytes_per_address: int = setting(
        8_388_608, "Bytes of answers that may wait for the clients of one address; beyond it they are refused (429)."
    )

    lobby_interval: float = setting(0.4, "Least time between two states of the lobby.")
    moves_behind: int = setting(4, "Moves a spectator may be behind before it is sent the newest state instead.")
    recent_matches: int = setting(12, "Ended matches that the lobby shows.")

    info_release: InfoRelease = setting(  # noqa: RUF009  # a field, like the others
        "delayed",
        "When spectators see what players report of their searches: live, delayed (with the same side's next move) or "
        "end (after the match). Between two built-in bots, and where both sides opted in, it is always live.",
    )
    tournament_info_release: InfoRelease = setting(  # noqa: RUF009  # likewise
        "end", "The same for matches of tournaments; where a tournament hides who plays, it is always end."
    )

    retention_days: float = setting(
        0.0, "Days after which the moves of a finished match are dropped, its result kept; 0: never."
    )
    audit_days: float = setting(0.0, "Days after which entries of the audit log are dropped; 0: never.")
    stop_timeout: float = setting(5.0, "Time that a graceful stop may take.")
    retry_after: float = setting(2.0, "When clients are told to come back after a stop.")

    log_format: str = setting("console", "How logs are written: console or json.")
    log_level: str = setting("info", "What is logged: debug, info, warning or error.")

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, int | float) and not 0 <= value < 1e15:
                raise ValueError(f"{each.name} cannot be {value}")
        if self.log_format not in ("console", "json"):
            raise ValueError(f"log_format is console or json, not {self.log_format!r}")
        if self.log_level not in ("debug", "info", "warning", "error"):
            raise ValueError(f"log_level is debug, info, warning or error, not {self.log_level!r}")
        for name in ("info_release", "tournament_info_release"):
            if getattr(self, name) not in get_args(InfoRelease):
                raise ValueError(f"{name} is live, delayed or end, not {getattr(self, name)!r}")
        if not self.ladder_interval or not self.lobby_interval:
            raise ValueError("ladder_interval and lobby_interval must be above 0")
        if not 2 <= self.breeding_size <= 1_000 or self.breeding_every < 1:
            raise ValueError("a population has 2 to 1000 members, and a champion is tried after 1 generation or more")
        for name in _ABOVE_NOUGHT:
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} must be above 0")
        if self.max_plies < SHORTEST_LIMIT:
            raise ValueError(f"max_plies must be {SHORTEST_LIMIT} or more (got {self.max_plies})")
        for name in ("bot_share", "owner_share"):
            if getattr(self, name) > 1:
                raise ValueError(f"{name} must be 0 to 1 (got {getattr(self, name):g})")
        if not 0.01 <= self.visitor_share <= 1:
            raise ValueError("visitor_share must be from 0.01 to 1")
        if self.volunteer_nodes < 1:
            raise ValueError("a player needs a node a move")
        if not self.answer_timeout:
            raise ValueError("answer_timeout must be above 0")
        self.own_time_controls()
        try:
            self.proxies()
        except ValueError as error:
            raise ValueError(f"trusted_proxies: {error}") from None

    def own_time_controls(self) -> dict[str, TimeControl]:
        """Return ``time_controls`` by game. Raises ValueError when they cannot be read."""
        found = {}
        for part in filter(None, (part.strip() for part in self.time_controls.split(","))):
            game, equals, text = part.partition("=")
            if not equals:
                raise ValueError(f"{part[:40]!r} is no time control of a game; write game=base+increment")
            found[game.strip()] = TimeControl.parse(text)
        return found

    def proxies(self) -> Networks:
        """Return ``trusted_proxies``. Raises ValueError when they cannot be read."""
        return Networks.parse(self.trusted_proxies)

    def offered(self) -> list[str]:
        """Return the names in ``games``."""
        return [name for name in (part.strip() for part in self.games.split(",")) if name]


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Give a command an option for every setting."""
    group = parser.add_argument_group("settings", "also as environment variables ARENA_NAME")
    for each in fields(Settings):
        default, meaning = each.default, each.metadata["meaning"].replace("%", "%%")
        text = f"{meaning} Default: {str(default).lower() if isinstance(default, bool) else default or 'none'}."
        group.add_argument(f"--{each.name.replace('_', '-')}", metavar="VALUE", help=text)


def chosen(arguments: argparse.Namespace, environ: Mapping[str, str] = os.environ) -> Settings:
    """Return the settings that a command was given: its options, else the environment's, else the defaults.

    Raises ValueError.
    """
    values: dict[str, Any] = {}
    for each in fields(Settings):
        text = getattr(arguments, each.name, None)
        if text is None:
            text = environ.get(f"ARENA_{each.name.upper()}")
        if text is not None:
            values[each.name] = _read(each.name, text, each.default)
    return Settings(**values)


def _read(name: str, text: str, default: object) -> bool | int | float | str:
    if default is MISSING:
        raise TypeError(f"{name} has no default")
    if isinstance(default, bool):
        if text.lower() not in _TRUTH:
            raise ValueError(f"{name} is yes or no, not {text!r}")
        return _TRUTH[text.lower()]
    if isinstance(default, int | float):
        try:
            return type(default)(text)
        except ValueError:
            raise ValueError(f"{name} is a number, not {text!r}") from None
    return text


_ABOVE_NOUGHT = (
    "silent_connections_each", "silent_rate", "token_rate", "token_burst", "connection_rate", "connection_burst",
)  # fmt: skip

_TRUTH = {"yes": True, "true": True, "on": True, "1": True, "no": False, "false": False, "off": False, "0": False}


def markdown() -> str:
    """Return the reference of all settings, as Markdown."""
    lines = [_INTRODUCTION, "| option | environment | default | meaning |", "|---|---|---|---|"]
    for each in fields(Settings):
        default = str(each.default).lower() if isinstance(each.default, bool) else str(each.default)
        option, variable = each.name.replace("_", "-"), each.name.upper()
        meaning = each.metadata["meaning"]
        lines.append(f"| `--{option}` | `ARENA_{variable}` | {f'`{default}`' if default else ''} | {meaning} |")
    return "\n".join([*lines, ""])


_INTRODUCTION = """\
# Settings

This page is made from the class `Settings`: `arena settings --docs`. `arena settings` alone prints what is in force.

Every setting has a default, an environment variable and an option of `arena serve`; the option goes before the
variable. Durations are in seconds.
"""
