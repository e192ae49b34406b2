# SPDX-License-Identifier: MIT
"""What a configuration of a search, which is a bot without code, may say; with the documentation of each part.

``bots.data.options`` makes these from the declarations of the engine, and the API and the form show them.
"""

from msgspec import Struct


class SearchAlgorithm(Struct, frozen=True):
    """A search."""

    name: str
    description: str
    switches: list[str]
    """The switches that it has on."""


class SearchSwitch(Struct, frozen=True):
    """A switch of a search."""

    name: str
    description: str
    exact: bool
    """Whether the value of the search stays minimax's."""
    selective: bool
    """Whether a search with it is selective, and so uses search parameters."""
    dice: bool
    """Whether only games with dice use it."""


class SearchNumber(Struct, frozen=True):
    """A limit of a search, or a search parameter."""

    name: str
    unit: str
    """For example plies or cp (hundredths of a pawn); empty: the description says it."""
    default: float | None
    """null: no limit."""
    least: float
    most: float
    description: str


class EvaluationWeight(Struct, frozen=True):
    """A weight of an evaluation."""

    name: str
    """Empty where the weights of the evaluation have no names."""
    default: int
    least: int
    most: int


class GameEvaluation(Struct, frozen=True):
    """An evaluation of a game."""

    name: str
    description: str
    weights: list[EvaluationWeight]


class ConfigurableGame(Struct, frozen=True):
    """A game and its evaluations."""

    name: str
    title: str
    chance: bool
    """Whether it has dice."""
    evaluation: str
    """Name of the default evaluation."""
    evaluations: list[GameEvaluation]


class DataBotOptions(Struct, frozen=True):
    """What a configuration of a search may say."""

    version: int
    """Version of the format."""
    algorithms: list[SearchAlgorithm]
    switches: list[SearchSwitch]
    limits: list[SearchNumber]
    parameters: list[SearchNumber]
    games: list[ConfigurableGame]
