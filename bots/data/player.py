# SPDX-License-Identifier: GPL-3.0-or-later
"""The players of data bots: the same as those of the built-in bots and of evolution, with the settings of a file."""

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from bots.bot import Bot
from bots.built_in.kinds.searching import Searching, SearchingBot
from bots.built_in.kinds.strategies import StrategyBot
from bots.data.format import KIND, BadData, Configuration, decoded, explained, game_named, read
from bots.evolution import genome
from bots.evolution.evochess import genome as searches
from bots.evolution.evochess.bot import SearchGenomeBot
from bots.evolution.kinds import memory_one
from bots.evolution.player import GenomeBot
from engine.game import Game
from engine.search import Searcher

BotMaker: TypeAlias = Callable[[], Bot]

MOST_GENOME_NODES = 10_000_000
"""Nodes a move of a genome, on average: without a clock nothing else ends its searches."""


class _Head(Struct, frozen=True):
    """The fields that tell the kinds of files apart."""

    kind: str = ""
    schema: str = ""


class ConfiguredBot(SearchingBot):
    """Plays as a configuration says. Its version depends on the configuration alone."""

    capacity = 1

    def __init__(self, configuration: Configuration, name: str) -> None:
        super().__init__(
            Searching(
                name,
                configuration.description or f"The search {configuration.algorithm} with settings of its own.",
                configuration.algorithm,
                depth=configuration.depth,
                nodes=configuration.nodes,
                seconds=configuration.seconds,
            )
        )
        self._configuration = configuration
        self.games = tuple(configuration.games)
        self.version = configuration.label

    def _new_searcher(self, game: Game) -> Searcher:
        configuration = self._configuration
        return Searcher(
            game,
            configuration.algorithm,
            configuration.evaluation(game),
            switches=configuration.all_switches,
            table_bits=configuration.table_bits,
            margins=configuration.margins,
        )


def maker(content: bytes, name: str, bounded: bool = True) -> BotMaker:
    """Return a factory of the bots of a file, which is a configuration or a genome. Raises BadData.

    ``name``: the bot's name, if the file does not name it; ``bounded``: whether the nodes of a genome have a limit.
    """
    head = decoded(content, _Head)
    if head.kind == KIND:
        configuration = read(content)
        return lambda: ConfiguredBot(configuration, configuration.name or name)
    if searches.is_one(content):
        return _search_genome(explained(lambda: searches.read(content)), name, bounded)
    if head.schema in memory_one.NAMES:
        strategy = explained(lambda: memory_one.strategy_of(content, name))
        return lambda: StrategyBot(strategy)
    if head.schema and not head.kind:
        schema, values = explained(lambda: genome.read(content))
        game_named(schema.game)
        return lambda: GenomeBot(schema, values, name)
    raise BadData(
        f'kind: it must be "{KIND}" for a configuration of a search, or "{searches.KIND}" for a genome '
        f"(got {head.kind[:40]!r})"
    )


def _search_genome(kept: searches.Read, name: str, bounded: bool) -> BotMaker:
    if bounded and kept.nodes > MOST_GENOME_NODES:
        raise BadData(f"nodes: the number must be 1 to {MOST_GENOME_NODES:,} (got {kept.nodes:,})")
    game = game_named(kept.schema.game).name
    about = f"A genome of {kept.schema.name}, {kept.nodes:,} nodes a move."
    return lambda: SearchGenomeBot({game: kept}, name, about)


def name_in(content: bytes) -> str:
    """Return the name of the bot in a file; "" if it has none, or is no configuration."""
    try:
        return read(content).name
    except BadData:
        return ""
