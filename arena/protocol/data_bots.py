# SPDX-License-Identifier: MIT
"""The allowed contents of a configuration of a search (a bot without code), with the documentation of each part.

``bots.data.options`` makes these from the declarations of the engine, and the API and the form show them.
"""

from msgspec import Struct


class SearchAlgorithm(Struct, frozen=True):
    """A search."""

    name: str
    """Name of the search, for `algorithm` of a configuration."""
    description: str
    """What the search does, in words."""
    switches: list[str]
    """The switches that it has on."""


class SearchSwitch(Struct, frozen=True):
    """A switch of a search."""

    name: str
    """Name of the switch in a configuration."""
    description: str
    """What the technique does, in words."""
    exact: bool
    """Whether the value of the search stays minimax's."""
    selective: bool
    """Whether a search with it is selective, and so uses search parameters."""
    dice: bool
    """Whether only games with dice use it."""


class SearchNumber(Struct, frozen=True):
    """A limit of a search, or a search parameter."""

    name: str
    """Name of the limit or the parameter in a configuration."""
    unit: str
    """For example plies or cp (hundredths of a pawn); empty: the description says it."""
    default: float | None
    """null: no limit."""
    least: float
    """Lowest value that the arena accepts."""
    most: float
    """Highest value that the arena accepts."""
    description: str
    """What it limits or changes, in words."""


class EvaluationWeight(Struct, frozen=True):
    """A weight of an evaluation."""

    name: str
    """Empty where the weights of the evaluation have no names."""
    default: int
    """Value where a configuration gives no weights."""
    least: int
    """Lowest value that the arena accepts."""
    most: int
    """Highest value that the arena accepts."""


class GameEvaluation(Struct, frozen=True):
    """An evaluation of a game."""

    name: str
    """Name of the evaluation, for `evaluation` of a configuration."""
    description: str
    """What the evaluation counts, in words."""
    weights: list[EvaluationWeight]
    """The weights that a configuration may replace, in their order; empty: none."""


class ConfigurableGame(Struct, frozen=True):
    """A game and its evaluations."""

    name: str
    """Name of the game, for `game` of a configuration."""
    title: str
    """The game's name for people."""
    chance: bool
    """Whether it has dice."""
    evaluation: str
    """Name of the default evaluation."""
    evaluations: list[GameEvaluation]
    """The evaluations of the game."""


class DataBotOptions(Struct, frozen=True):
    """The allowed contents of a configuration of a search."""

    version: int
    """Version of the format."""
    algorithms: list[SearchAlgorithm]
    """The searches, of which a configuration names one."""
    switches: list[SearchSwitch]
    """The techniques that a configuration may turn on or off."""
    limits: list[SearchNumber]
    """The limits that end a search."""
    parameters: list[SearchNumber]
    """The search parameters, which only selective searches read."""
    games: list[ConfigurableGame]
    """The games, with their evaluations."""
