# SPDX-License-Identifier: GPL-3.0-or-later
"""Genome views: a search genome for people, with its program as a formula and a tree, its numbers, and search traces.

The arena stores and shows a genome view, and needs no knowledge of genomes for that.
"""

import logging
from collections.abc import Iterable
from urllib.parse import urlencode

import msgspec

from arena.protocol.genome_views import GenomeView, SearchTrace, ShownGene, ShownModule, ShownWord
from bots.bot import Bot
from bots.client.errors import RequestRefused
from bots.client.rest import RestClient
from bots.evolution.evochess.bot import SearchGenomeBot
from bots.evolution.evochess.genome import SEARCH, Read, express, write
from bots.evolution.evochess.search_trace import positions, search_trace
from bots.evolution.genome import Schema, Values
from engine.games import find
from engine.search.margins import PARAMETERS
from engine.search.programs.program import word_of, written

SEARCHING, EVALUATION = "search parameters", "evaluation"


def genome_view(kept: Read, traces: Iterable[SearchTrace] = ()) -> GenomeView:
    """Return the view of a genome."""
    program, schema = kept.genome.program, kept.schema
    formula = written(program)
    return GenomeView(
        schema=schema.name,
        nodes=kept.nodes,
        formula=formula.text,
        program=[
            ShownWord(
                label=spot.label,
                meaning="" if (word := word_of(token)) is None else word.meaning,
                parent=spot.parent,
                start=spot.start,
                end=spot.end,
            )
            for token, spot in zip(program, formula.spots, strict=True)
        ],
        modules=[
            ShownModule(SEARCHING, _parameters(kept.genome.search)),
            ShownModule(EVALUATION, genes(schema, kept.genome.weights)),
        ],
        search_traces=list(traces),
    )


def search_traces(kept: Read, name: str) -> list[SearchTrace]:
    """Return the traces of a genome's player and its rivals on the positions of its game. Takes some seconds."""
    game, settings = find(kept.schema.game), express(kept.schema, kept.genome)
    return [search_trace(game, settings, kept.nodes, position, name) for position in positions(game.name)]


def genes(schema: Schema, values: Values) -> list[ShownGene]:
    """Return values with their bounds and standard values."""
    return [
        ShownGene(gene.name, value, gene.low, gene.high, gene.standard)
        for gene, value in zip(schema.genes, values, strict=True)
    ]


def _parameters(values: Values) -> list[ShownGene]:
    """Return search parameters beside the defaults of the built-in search; spaces in names break lines."""
    return [
        msgspec.structs.replace(shown, name=spaced(shown.name), standard=float(PARAMETERS[shown.name].default))
        for shown in genes(SEARCH, values)
    ]


def spaced(name: str) -> str:
    """Return the name of a search parameter for people."""
    return " ".join(word.upper() if word in ("lmr", "see") else word for word in name.split("_"))


log = logging.getLogger(__name__)


def introduce(name: str, bot: Bot, url: str, token: str) -> None:
    """Send the genome view of a bot to an arena that does not have it. A failure is only logged."""
    if not isinstance(bot, SearchGenomeBot):
        raise TypeError(f"{name} has no genome")
    rest = RestClient(url, token)
    try:
        # the arena stores one game for each version
        game, kept = next(iter(bot.kept.items()))
        if not _known(rest, name, bot.version):
            genome = msgspec.json.decode(write(kept.schema, kept.genome, kept.nodes, kept.lineage))
            shown = genome_view(kept, search_traces(kept, name))
            rest.post("/genome-views", {"version": bot.version, "game": game, "genome": genome, "view": shown})
    except (OSError, RequestRefused) as error:
        log.warning("%s cannot be shown: %s", name, error)


def _known(rest: RestClient, name: str, version: str) -> bool:
    try:
        found = rest.get(f"/genome-views?{urlencode({'bot': name, 'version': version})}")
    except RequestRefused as error:
        if error.status == 404:
            return False
        raise
    return bool(found["view"]["search_traces"])
