# SPDX-License-Identifier: GPL-3.0-or-later
"""All settings of an arena: each has a default, an environment variable ARENA_NAME and an option of ``arena serve``."""

from collections.abc import Sequence
from dataclasses import Field, dataclass, field, fields
from typing import Any, TypeVar, get_args

from arena.connections.addresses import Networks
from arena.store.rows import InfoRelease
from engine.time_control import TimeControl, parse_instructions

SHORTEST_LIMIT = 50
"""The smallest value of ``max_plies``: room for an opening and a game."""

Value = TypeVar("Value", bound=bool | int | float | str)
Own = TypeVar("Own")


LARGEST = 1e15
"""All numbers of settings are below this."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """The values that a setting accepts: any text or one of ``choices``, or the numbers of a range."""

    choices: Sequence[str] = ()
    least: float = 0
    most: float | None = None
    above: float | None = None
    """Exclusive, unlike ``least``."""

    def check(self, name: str, value: object) -> None:
        """Raise ValueError for a value that the setting does not accept."""
        if isinstance(value, str):
            if self.choices and value not in self.choices:
                *others, last = [choice or "empty" for choice in self.choices]
                raise ValueError(f"{name} must be {', '.join(others)} or {last} (got {value!r})")
        elif isinstance(value, int | float) and not self._holds(value):
            raise ValueError(f"{name} must be {self._range()} (got {value})")

    def _holds(self, number: float) -> bool:
        if self.above is not None and number <= self.above:
            return False
        return self.least <= number < LARGEST and (self.most is None or number <= self.most)

    def _range(self) -> str:
        if self.most is not None:
            return f"{self.least:g} to {self.most:g}"
        return f"{f'above {self.above:g}' if self.above is not None else f'{self.least:g} or more'} and below 10^15"


def setting(
    default: Value,
    meaning: str,
    *,
    choices: Sequence[str] = (),
    least: float = 0,
    most: float | None = None,
    above: float | None = None,
) -> Value:
    """Return a field of Settings with a default, whose type is the setting's type, and a description for people.

    The other arguments are the values that it accepts; see ``Accepted``.
    """
    accepted = Accepted(choices, least, most, above)
    value: Value = field(default=default, metadata={"meaning": meaning, "accepted": accepted})
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Settings of an arena. Durations are in seconds."""

    games: str = setting("", "Games that the arena offers, separated by commas. Empty: all playable games.")
    time_controls: str = setting(
        "", 'Time controls that replace the default of a game: "checkers=30+0.5,tictactoe=5+0.1".'
    )
    lag_grace: float = setting(
        0.1,
        "Maximum network lag per move that is not charged to the clock. At each turn the server adds the measured "
        "round-trip time of the bot's connection to an allowance, from which it subtracts the lag of each move.",
    )
    reconnect_grace: float = setting(
        60.0,
        "Time within which a bot must reconnect before it loses its match. For built-in bots it starts when they "
        "are ready.",
    )
    person_grace: float = setting(
        300.0,
        "Time within which a person must reconnect. After it the person loses the match. The clock keeps running "
        "meanwhile.",
    )
    built_in_move_time: float = setting(
        0.4, "Minimum time between two moves in a match of two built-in bots, so that people can follow it."
    )

    ladder: bool = setting(True, "Start rated matches between connected bots that are free (the ladder).")
    ladder_interval: float = setting(1.0, "Time between two rounds of the ladder.", above=0)
    ladder_pairs: int = setting(
        20,
        "Maximum number of pairs of matches that one round of the ladder starts. In a pair of matches two bots play "
        "twice, with swapped seats.",
    )
    ladder_pause: float = setting(1.0, "Pause of a bot between two pairs of matches.")
    ladder_busy: float = setting(
        0.75,
        "Maximum share of a game's bots that play on the ladder at once. The others are candidates for the next "
        "pairing.",
    )
    ladder_misordered: float = setting(
        0.01,
        "Once the expected share of misordered pairs of bots in a game is this low, the ladder pairs only bots "
        "that have been idle for `ladder_patience`. 0: never.",
    )
    ladder_patience: float = setting(
        60.0,
        "If a bot has had no match in a game for this time, the ladder pairs it in any case. After each match the "
        "server chooses this time at random, from this value to twice this value.",
    )
    ladder_instructions: str = setting(
        "",
        "Ladder matches with an instruction limit instead of a clock: maximum number of WebAssembly instructions per "
        "move, such as `10M`. Only WebAssembly bots that the server hosts play these matches, in addition to their "
        "matches with clocks. They have separate ratings for these matches. Empty: no such matches.",
    )
    built_in_matches: int = setting(6, "Maximum number of ladder matches between two built-in bots at once.")
    searches: int = setting(
        0,
        "Maximum number of built-in bots that search at once. Any further bot starts its "
        "turn, and its clock, when another search ends. 0: one for each free processor.",
    )
    challenge_expiry: float = setting(30.0, "Time to answer a challenge.")
    challenge_seconds: float = setting(7200.0, "Longest time control of a challenge: a side's total time for 40 moves.")
    built_in_seconds: float = setting(
        600.0,
        "Longest time control of a challenge to a built-in bot: a side's total time for 40 moves. The game's "
        "default time control is always allowed.",
    )
    bot_share: float = setting(
        0.125,
        "Maximum share of a built-in bot's capacity that one bot may use. On the ladder one bot also plays against at "
        "most this share of the other bots of a game at once. One match is always allowed.",
        most=1,
    )
    owner_share: float = setting(
        0.25,
        "The same limits as in `bot_share`, for all bots of one owner together. A bot without an owner "
        "counts as its own owner. This limit does not apply to challenges between two bots of the same owner.",
        most=1,
    )
    own_share: float = setting(
        0.1,
        "Maximum share of pairings between two bots of the same owner among all ladder pairings of that owner's bots "
        "in a game. It applies only while bots of others play the game on the ladder. One such pairing is always "
        "allowed.",
        most=1,
    )
    bot_matches: int = setting(
        64,
        "Maximum number of matches that one bot plays at once, whatever its capacity. Tournament matches count "
        "but are never refused.",
    )
    owner_matches: int = setting(
        128,
        "Maximum number of matches that all bots of one owner play at once. Tournament matches count but are "
        "never refused.",
    )
    owner_matches_per_day: int = setting(
        0,
        "Maximum number of matches that all bots of one owner start within 24 hours. Beyond it the ladder does not "
        "pair these bots, and the arena refuses their challenges. Tournament matches and the second match of a pair "
        "count but are never refused. 0: no limit.",
    )
    owner_connections: int = setting(
        0,
        "Maximum number of connected bots of one owner. A bot with a running match is accepted beyond this limit. 0: "
        "no limit.",
    )
    challenges_open: int = setting(
        5, "Maximum number of open challenges of one bot. A withdrawn challenge counts until its time to answer ends."
    )
    rated_challenges_per_day: int = setting(
        10,
        "Maximum number of rated challenges between the same two bots within 24 hours, over all versions and in "
        "both directions. A rated challenge is two matches. The ladder and tournaments are not limited.",
    )
    versions_per_day: int = setting(
        20, "Maximum number of new versions of a bot within 24 hours. Known versions may always connect."
    )

    info_match_bytes: int = setting(
        262_144,
        "Maximum number of bytes of search info (score, depth, nodes and line, which bots send with moves) stored for "
        "each side of a match. The server drops further info and keeps the moves.",
    )
    info_day_bytes: int = setting(
        16_777_216,
        "Maximum number of bytes of search info stored for each bot in a day (UTC), except for built-in bots. The "
        "server drops further info and keeps the moves.",
    )
    max_plies: int = setting(
        1000,
        "Number of plies, opening included, after which a new match is adjudicated: as a draw, or by the points so "
        "far. If the rules bound the length of a game and this bound is larger, such as 500 rounds of the Prisoner's "
        "Dilemma, the bound is the limit. A tournament can set another limit.",
        least=SHORTEST_LIMIT,
    )

    learning: bool = setting(
        True, "Run the `adaptive` bot, in its own process with lower priority than the other built-in bots."
    )

    further_bots: str = setting(
        "",
        "Built-in bots that play besides the usual ones, separated by commas, such as uct-1k,mcts. Their code is "
        "compiled after that of the usual bots.",
    )

    public_names: str = setting(
        "",
        "Host names of the arena, separated by commas, such as arena.example.org. The arena accepts requests for "
        "these names, for the name in --host, for localhost and for IP addresses. It refuses other names.",
    )
    allowed_origins: str = setting(
        "",
        "Origins of websites that may read the REST API and open the sockets, separated by commas: "
        "https://example.org. *: all origins. The arena's own pages are always allowed.",
    )
    path_prefix: str = setting(
        "",
        "Path below which a reverse proxy serves the arena, such as /arena. All links begin with it. The server "
        "accepts requests with and without it.",
    )
    trusted_proxies: str = setting(
        "",
        "Addresses and networks of reverse proxies, separated by commas; `unix` means those that connect to the Unix "
        "socket. The arena reads forwarded addresses and schemes from these proxies only.",
    )
    strict_transport_security: float = setting(
        180 * 86_400.0,
        "Time for which a browser that has reached the arena by HTTPS uses nothing but HTTPS for this host name, on "
        "all ports (header Strict-Transport-Security). 0: the arena does not send the header.",
    )
    max_connections: int = setting(
        1000, "Maximum number of connected bots. A bot with a running match is accepted beyond this limit."
    )
    silent_connections: int = setting(
        1000,
        "Maximum number of play sockets without a valid hello. Beyond it the server closes the oldest socket of "
        "the address with the most sockets.",
    )
    silent_connections_each: int = setting(
        250,
        "Maximum number of play sockets without a valid hello from one address (IPv6: one /64). Beyond it the server "
        "closes the oldest one of that address.",
        above=0,
    )
    silent_rate: float = setting(
        20.0,
        "Play sockets per second that one address may open on average. Sockets that sent a valid hello do not count.",
        above=0,
    )
    token_rate: float = setting(
        2.0,
        "Connections per second that one token may open on average. Of the connections beyond this rate only the "
        "newest waits; the server closes the others.",
        above=0,
    )
    token_burst: int = setting(40, "Number of connections that one token may open at once.", above=0)
    max_spectators: int = setting(
        5000,
        "Maximum number of spectator sockets. Beyond it the server closes the oldest socket of the address with "
        "the most sockets.",
    )
    spectators_each: int = setting(
        500,
        "Maximum number of spectator sockets from one address. Beyond it the server closes the oldest one of that "
        "address.",
    )
    http_connections: int = setting(
        2000,
        "Maximum number of other connections: HTTP requests and idle connections. Beyond it the server closes the "
        "oldest connection of the address with the most connections.",
    )
    http_connections_each: int = setting(
        500,
        "Maximum number of HTTP requests and idle connections from one address (IPv6: one /64). Beyond it the server "
        "closes the oldest one of that address.",
    )
    connection_rate: float = setting(
        30.0,
        "Connections per second that one address may open on average. The server closes further ones at once.",
        above=0,
    )
    connection_burst: int = setting(600, "Number of connections that one address may open at once.", above=0)
    hello_timeout: float = setting(10.0, "Time within which a new connection must send hello.")
    message_rate: float = setting(
        50.0,
        "Messages per second that one connection may send on average. Each `turn`, `draw-offered` and `challenged` of "
        "the server allows one message more. Pongs count.",
    )
    message_burst: int = setting(200, "Number of messages that one connection may send at once.")
    visitor_share: float = setting(
        0.1,
        "Maximum share of the event loop's time that spectator sockets, HTTP requests and new connections get "
        "together while bots need the time. They may also use time that bots do not use.",
        least=0.01,
        most=1,
    )
    bad_messages: int = setting(20, "Number of invalid messages after which the server closes a connection.")
    outbox_messages: int = setting(
        2000, "Maximum number of unsent messages for a slow bot. Beyond it the server closes the connection."
    )
    outbox_bytes: int = setting(
        4_194_304, "Maximum number of unsent bytes for a slow bot. Beyond it the server closes the connection."
    )

    answer_timeout: float = setting(
        20.0,
        "Time within which a client must read the next 65,536 bytes of an answer. Slower clients are disconnected.",
        above=0,
    )
    answer_bytes: int = setting(
        67_108_864,
        "Maximum number of unread bytes of answers in all. Beyond it the server drops stalled answers or refuses "
        "new ones (503).",
    )
    answer_bytes_per_address: int = setting(
        8_388_608,
        "Maximum number of unread bytes of answers for one address. Beyond it the server refuses further requests "
        "(429).",
    )

    lobby_interval: float = setting(0.4, "Minimum time between two updates of the lobby.", above=0)
    moves_behind: int = setting(4, "Number of unsent moves after which a spectator receives the current state instead.")
    recent_matches: int = setting(12, "Number of finished matches that the lobby shows.")

    info_release: InfoRelease = setting(  # noqa: RUF009  # a field, like the others
        "delayed",
        "Time at which spectators see search info: live, delayed (with the same side's next move) or end (after the "
        "match). If both bots are built in, or both sent `open_info`, search info appears live, except in anonymous "
        "tournaments.",
        choices=get_args(InfoRelease),
    )
    tournament_info_release: InfoRelease = setting(  # noqa: RUF009  # likewise
        "end",
        "The same as `info_release`, for tournament matches. In anonymous tournaments search info always appears after "
        "the match, even if both sides opted in.",
        choices=get_args(InfoRelease),
    )

    retention_days: float = setting(
        0.0, "Age in days at which the server deletes the moves of a finished match and keeps its result. 0: never."
    )
    audit_days: float = setting(0.0, "Age in days at which the server deletes entries of the audit log. 0: never.")
    stop_timeout: float = setting(5.0, "Maximum duration of a graceful stop.")
    retry_after: float = setting(2.0, "Time after which clients should reconnect when the server stops.")

    log_file: str = setting(
        "",
        "File to which the server appends its log. When the file is renamed or removed, as logrotate does, the server "
        "opens a new one. Empty: standard error.",
    )
    log_format: str = setting("console", "Format of the log: console or json.", choices=("console", "json"))
    log_level: str = setting(
        "info",
        "Lowest level of log messages: debug, info, warning or error.",
        choices=("debug", "info", "warning", "error"),
    )

    features: tuple[Any, ...] = ()
    """The settings of features, one object each; see ``of``."""

    def __post_init__(self) -> None:
        check_values(self)
        self.own_time_controls()
        self.league()
        try:
            self.proxies()
        except ValueError as error:
            raise ValueError(f"trusted_proxies: {error}") from None

    def of(self, kind: type[Own]) -> Own:
        """Return the settings of a feature, by their class; the defaults where none were given."""
        return next((each for each in self.features if isinstance(each, kind)), None) or kind()

    def own_time_controls(self) -> dict[str, TimeControl]:
        """Return ``time_controls`` by game. Raises ValueError when they cannot be read."""
        found = {}
        for part in filter(None, (part.strip() for part in self.time_controls.split(","))):
            game, equals, text = part.partition("=")
            if not equals:
                raise ValueError(f"time_controls: {part[:40]!r} is not valid; write GAME=BASE+INCREMENT")
            control = found[game.strip()] = TimeControl.parse(text)
            if not control.timed:
                raise ValueError("time_controls: the usual time control of a game has a clock, for bots of all kinds")
        return found

    def league(self) -> TimeControl | None:
        """Return the time control of the ladder's matches by instructions. Raises ValueError if it cannot be read."""
        if not self.ladder_instructions:
            return None
        try:
            return TimeControl.by_instructions(parse_instructions(self.ladder_instructions))
        except ValueError as error:
            raise ValueError(f"ladder_instructions: {error}") from None

    def proxies(self) -> Networks:
        """Return ``trusted_proxies``. Raises ValueError when they cannot be read."""
        return Networks.parse(self.trusted_proxies)

    def further(self) -> list[str]:
        """Return the names in ``further_bots``."""
        return [name for name in (part.strip() for part in self.further_bots.split(",")) if name]

    def offered(self) -> list[str]:
        """Return the names in ``games``."""
        return [name for name in (part.strip() for part in self.games.split(",")) if name]


def check_values(settings: Any) -> None:
    """Raise ValueError for a value that its setting does not accept."""
    for each in declared(type(settings)):
        each.metadata["accepted"].check(each.name, getattr(settings, each.name))


def declared(kind: type[Any]) -> "list[Field[Any]]":
    """Return the settings that a class declares."""
    return [each for each in fields(kind) if "meaning" in each.metadata]
