# SPDX-License-Identifier: GPL-3.0-or-later
"""Configurations of searches as files: versioned JSON that names games, algorithm, switches, parameters and weights.

``read`` is strict: it refuses unknown fields and names, and numbers out of range. Its errors begin with the name of the
field. docs/how-to/submitting.md describes the fields for people.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from math import ceil
from typing import Annotated, Literal, NoReturn, TypeVar

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import asdict

from arena.protocol.messages import LONGEST_TEXT
from arena.protocol.terminal import printable_line
from bots.built_in.kinds.searching import BEST
from engine import games
from engine.evaluation import Evaluation
from engine.game import Game
from engine.search import ALGORITHMS, Switch
from engine.search.margins import PARAMETERS, Margins
from engine.search.memory import MAX_DEPTH
from engine.search.switches import OPPONENT_MODEL, SELECTIVE

KIND: Literal["search"] = "search"
VERSION = 1

MOST_BYTES = 1 << 18
"""Bytes of a file."""
LARGEST_WEIGHT = 1_000_000
"""The largest weight of an evaluation without ranges of its own, and the negative of the smallest."""
MOST_NODES = 1_000_000_000
MOST_SECONDS = 60.0
LABEL = 12
"""Characters of a version."""
WRITTEN_OUT = 64
"""Weights that a template writes out; an evaluation with more keeps its own."""

OPPONENT_PARAMETERS = frozenset(name for name, row in PARAMETERS.items() if row.models)
"""Search parameters that need a model of the opponent, which data bots do not have."""

Value = TypeVar("Value")
Word = Annotated[str, Meta(max_length=100)]
Number = Annotated[int, Meta(ge=-(2**62), le=2**62)]


class BadData(ValueError):
    """A file is no data bot; the message names the field."""


class OfGame(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How the search evaluates the positions of a game."""

    evaluation: Word = ""
    """Name of one of the game's evaluations. Empty: the one that the strongest built-in bot uses."""
    weights: Annotated[dict[Word, Number], Meta(max_length=4096)] | Annotated[list[Number], Meta(max_length=4096)] = {}
    """Weights that replace those of the evaluation: by name, or all of them as a list."""


class Configuration(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The contents of a file."""

    kind: Literal["search"]
    version: Annotated[int, Meta(ge=0, le=2**31)]
    """Of the format."""
    games: Annotated[dict[Word, OfGame], Meta(min_length=1, max_length=64)]
    """The games that the bot plays."""
    algorithm: Word = "play"
    """The search, by its name."""
    switches: Annotated[dict[Word, bool], Meta(max_length=64)] = {}
    """Switches of the algorithm that are turned on (true) or off (false)."""
    parameters: Annotated[dict[Word, Number], Meta(max_length=256)] = {}
    """Search parameters that replace the defaults; only the selective search uses them."""
    seconds: Annotated[float, Meta(ge=0.001, le=MOST_SECONDS)] = MOST_SECONDS
    """Maximum time for a move, in seconds. The bot uses less if its clock is short."""
    depth: Annotated[int, Meta(ge=1, le=MAX_DEPTH)] | None = None
    """Maximum depth of a search, in plies."""
    nodes: Annotated[int, Meta(ge=1, le=MOST_NODES)] | None = None
    """Maximum number of positions that a search visits."""
    table_bits: Annotated[int, Meta(ge=2, le=22)] = 18
    """Size of the transposition table: the binary logarithm of the number of its entries."""
    name: Annotated[str, Meta(max_length=40)] = ""
    """Name of the bot, for `arena submit` without `--name`."""
    description: Annotated[str, Meta(max_length=LONGEST_TEXT)] = ""
    """One line for people, which the arena shows on the bot's page."""

    @property
    def all_switches(self) -> Switch:
        """The switches of the searches."""
        found = ALGORITHMS[self.algorithm].switches
        for word, on in self.switches.items():
            found = found | SWITCHES[word] if on else found & ~SWITCHES[word]
        return found

    @property
    def selective(self) -> bool:
        """Whether the searches are selective, so that they use search parameters."""
        return bool(self.all_switches & SELECTIVE)

    @property
    def margins(self) -> Margins:
        """The search parameters."""
        return Margins(**self.parameters)

    @property
    def label(self) -> str:
        """The version of the bot: a hash of the configuration without name and description."""
        # the encoder leaves defaults out only where they are the same object
        games = {name: asdict(each) for name, each in self.games.items()}
        content = asdict(self) | {"games": games, "name": "", "description": ""}
        return "c" + sha256(msgspec.json.encode(content, order="sorted")).hexdigest()[: LABEL - 1]

    def evaluation(self, game: Game) -> Evaluation:
        """Return the evaluation for one of the games. Raises BadData."""
        chosen = self.games[game.name]
        base = _at(f"games.{game.name}.evaluation", game.evaluations, chosen.evaluation or best(game))
        found = weighted(base, chosen)
        return replace(found, win=ceil(base.win * _growth(base, found))) if game.chance else found


def word_of(switch: Switch) -> str:
    """Return the name of a switch in files."""
    assert switch.name is not None
    return switch.name.lower().replace("_", "-")


SWITCHES: Mapping[str, Switch] = {
    word_of(switch): switch for switch in Switch if not switch & (OPPONENT_MODEL | Switch.PROGRAM)
}
"""The switches that files may name."""


def best(game: Game) -> str:
    """Return the name of the evaluation that the strongest built-in bot uses."""
    return next((name for name in BEST if name in game.evaluations), next(iter(game.evaluations)))


def ranges(evaluation: Evaluation) -> Sequence[tuple[int, int]]:
    """Return the least and the largest value of each weight."""
    own = evaluation.terms.ranges
    return own or ((-LARGEST_WEIGHT, LARGEST_WEIGHT),) * len(evaluation.weights)


def read(content: bytes) -> Configuration:
    """Read a configuration. Raises BadData."""
    found = decoded(content, Configuration)
    if found.version != VERSION:
        _refuse("version", f"the file is of version {found.version}; this program reads version {VERSION}")
    _at("algorithm", ALGORITHMS, found.algorithm)
    for word in found.switches:
        if word == word_of(Switch.PROGRAM):
            _refuse(f"switches.{word}", "this switch needs a depth program, which data bots do not have")
        if word.upper().replace("-", "_") in Switch.__members__ and word not in SWITCHES:
            _refuse(f"switches.{word}", "this switch needs a model of the opponent, which data bots do not have")
        _at(f"switches.{word}", SWITCHES, word)
    for name, value in found.parameters.items():
        if name in OPPONENT_PARAMETERS:
            _refuse(f"parameters.{name}", "this parameter needs a model of the opponent, which data bots do not have")
        row = _at(f"parameters.{name}", PARAMETERS, name)
        _within(f"parameters.{name}", value, row.least, row.most)
    if found.parameters and not found.selective:
        _refuse("parameters", f"only the selective search uses them; {found.algorithm} with these switches is exact")
    for name in found.games:
        found.evaluation(game_named(name))
    for field in ("name", "description"):
        text = getattr(found, field)
        if printable_line(text) != text:
            _refuse(field, "it has control characters")
    return found


def write(configuration: Configuration) -> str:
    """Write a configuration as JSON."""
    return msgspec.json.format(msgspec.json.encode(configuration)).decode() + "\n"


def game_named(name: str) -> Game:
    """Return a game of the arena. Raises BadData."""
    try:
        game = games.find(name)
    except KeyError as error:
        _refuse("games", error.args[0])
    if not game.playable:
        _refuse("games", f"nobody plays {name}: it serves tests only")
    if not game.perfect_information:
        _refuse("games", f"searches cannot play {name}, where a seat does not see everything")
    return game


def weighted(evaluation: Evaluation, chosen: OfGame) -> Evaluation:
    """Return an evaluation with the weights that a file gives it. Raises BadData."""
    field, names, weights = f"weights of {evaluation.name}", evaluation.terms.names, list(evaluation.weights)
    if isinstance(chosen.weights, list):
        if len(chosen.weights) != len(weights):
            _refuse(field, f"the list must have {len(weights)} numbers (got {len(chosen.weights)})")
        weights = list(chosen.weights)
    elif chosen.weights:
        if not names:
            _refuse(field, f"these weights have no names; write a list of {len(weights)} numbers")
        places = {name: place for place, name in enumerate(names)}
        for name, weight in chosen.weights.items():
            weights[_at(field, places, name)] = weight
    else:
        return evaluation
    for place, (weight, (least, most)) in enumerate(zip(weights, ranges(evaluation), strict=True)):
        _within(f"{field}: {names[place] if names else place + 1}", weight, least, most)
    found = replace(evaluation, weights=tuple(weights))
    try:
        found.words()
    except (ValueError, OverflowError) as error:
        _refuse(field, str(error))
    return found


def _growth(base: Evaluation, found: Evaluation) -> float:
    """Return how many times larger the scores of positions can be, at least 1.

    With dice, a search finds no move if a position scores more than a won game.
    """
    largest = max(map(abs, base.weights))
    pairs = zip(base.weights, found.weights, strict=True)
    return max(1.0, *(abs(weight) / (abs(own) or largest or 1) for own, weight in pairs))


def decoded(content: bytes, kind: type[Value]) -> Value:
    """Decode JSON of a type. Raises BadData, which names the field that has another type."""
    if len(content) > MOST_BYTES:
        raise BadData(f"the file has {len(content):,} bytes; a data bot has at most {MOST_BYTES:,}")
    return explained(lambda: msgspec.json.decode(content, type=kind))


def explained(reading: Callable[[], Value]) -> Value:
    """Return what a function reads from JSON. Raises BadData for all errors that hostile JSON causes."""
    try:
        return reading()
    except BadData:
        raise
    except RecursionError:
        raise BadData("the file is nested too deeply") from None
    except (msgspec.MsgspecError, ValueError, OverflowError) as error:
        text, _, path = str(error).partition(" - at `$.")
        field = re.sub(r"[^\w.\[\]-]", "", path)
        raise BadData(f"{field}: {text}" if field else text) from None


def _at(field: str, table: Mapping[str, Value], name: str) -> Value:
    if name not in table:
        known = ", ".join(table) if len(table) <= 64 else f"{', '.join(list(table)[:12])} and others"
        _refuse(field[:120], f"{name[:60]!r} is not known; known are {known}")
    return table[name]


def _within(field: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        _refuse(field, f"the number must be {least:,} to {most:,} (got {value:,})")


def _refuse(field: str, why: str) -> NoReturn:
    raise BadData(f"{printable_line(field)}: {why}")


def template(game: Game) -> Configuration:
    """Return a configuration to start from: the search of the bot `play`, with its numbers written out."""
    evaluation = game.evaluations[best(game)]
    weights: dict[str, int] | list[int] = list(evaluation.weights)
    if evaluation.terms.names:
        weights = dict(zip(evaluation.terms.names, evaluation.weights, strict=True))
    parameters = {name: row.default for name, row in PARAMETERS.items() if name not in OPPONENT_PARAMETERS}
    return Configuration(
        KIND,
        VERSION,
        {game.name: OfGame(evaluation.name, weights if len(weights) <= WRITTEN_OUT else {})},
        "play",
        parameters={} if game.chance else parameters,
        seconds=1.0,
        description=f"The selective search with the evaluation {evaluation.name}.",
    )
