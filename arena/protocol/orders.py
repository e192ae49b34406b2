# SPDX-License-Identifier: MIT
"""Orders of the server to its child processes, and their progress reports: lines of JSON on standard input and output.

The first line of a child's input is its orders. Tokens are new for each start and go through this pipe only. A child
ends when its input ends.
"""

from msgspec import Struct, field


class HostedBot(Struct, frozen=True):
    """A built-in bot and its token."""

    kind: str
    """The module of ``bots.built_in.kinds``."""
    name: str
    token: str
    """Empty: get the bot ready, and let it wait until further orders have its token."""


class HostOrders(Struct, frozen=True, omit_defaults=True):
    """Orders for a process of built-in bots."""

    url: str
    """The address of the play socket."""
    bots: list[HostedBot]
    games: list[str] | None = None
    """None: all games of the arena."""
    background: bool = False
    """Whether the process runs at lower priority than other processes of built-in bots."""
    waiting: dict[str, int] = field(default_factory=dict)
    """Compilation priority by game: the number of kinds of clients that wait for it."""


class FurtherOrders(Struct, frozen=True, omit_defaults=True):
    """A further line of input for a process of built-in bots."""

    waiting: dict[str, int] | None = None
    """The new compilation priority by game; None: as before."""
    enter: list[HostedBot] = []
    """Bots of the first line that connect now, with fresh tokens."""
    leave: list[str] = []
    """Names of bots that run elsewhere from now on: their tokens are void."""


class BreedingOrders(Struct, frozen=True, omit_defaults=True):
    """Orders for the breeder, which evolves a population."""

    url: str
    """The address of the REST API."""
    token: str
    """An operator's token."""
    bot: str
    """The bot whose versions are the champions."""
    bot_token: str
    game: str
    size: int
    """Members of the population."""
    pace: float
    """Minimum seconds per generation; old populations take longer."""
    every: int
    """Generations between two champions."""
    seed: int = 1


class OperatorOrders(Struct, frozen=True):
    """Orders for a process that works through the REST API."""

    url: str
    """The address of the REST API."""
    token: str
    """An operator's token."""


class HostProgress(Struct, frozen=True, omit_defaults=True):
    """Progress report of a child process."""

    warming: str = ""
    """The running compilation, for people."""
    ready: bool = False
    """Whether everything that a connected bot, a tournament or a viewer waits for is compiled."""
    settled: bool = False
    """Whether all bots of the process play all their games."""
    left: str = ""
    """Name of a bot that the arena refused."""
    ended: bool = False
    """Whether the process has ended; set by the server."""
    game: str = ""
    """Game of the running compilation."""
    until: dict[str, float] = field(default_factory=dict)
    """Estimated seconds until all bots of the process play a game, for each game that is not ready."""
    again: bool = False
    """Whether the compilation is the same as in the last report."""
