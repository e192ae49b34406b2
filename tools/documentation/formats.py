# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference of the arena's own JSON formats: a page for each, from its classes; and the list of all formats."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from arena.features.feeds.webhooks.events import Body
from arena.features.uploads.contents import Manifest as BotManifest
from arena.matches.timings import RecordedEvent
from arena.store.backups import manifest
from arena.tournaments.machine.config import Config
from arena.tournaments.machine.events import Event as TournamentEvent
from bots import weights
from bots.contest import Contest, SavedMatch
from bots.data import format as data_bots
from bots.evolution import breeding, genome
from bots.evolution.evochess import genome as search_genome
from bots.evolution.evochess.volunteer import CourierState
from bots.evolution.matrix import MatrixFile
from bots.modelling import file as model
from engine import formats
from engine.match.record import Record
from engine.regret import strategy as behaviour
from engine.search import strategy
from engine.search.strategy import Strategy
from tools.documentation.markdown import code, prose, table
from tools.documentation.schemas import Schema, types
from web.api.openapi import classes_of, describe

FOLDER = "reference/formats"


class JsonFormat(NamedTuple):
    """A format with classes."""

    title: str
    kinds: tuple[Any, ...]
    """Classes, or unions of classes, of its documents or lines."""
    use: str
    """The files and what reads and writes them, in Markdown."""
    version: int | None = None
    """The version that this arena writes, for formats with versions."""


JSON_FORMATS = {
    "records": JsonFormat(
        "Records of games",
        (Record,),
        "JSON lines (`.jsonl`), a game in each line. `arena matches export --format jsonl` and `arena "
        "match --jsonl FILE` write them; `arena model learn` and `arena verify --dice` read them. "
        "[Records of games](../records.md) describes them, and the other formats.",
    ),
    "series": JsonFormat(
        "Saved series",
        (Contest, SavedMatch),
        "The file of `arena match --save FILE`, with which the same command continues a series. JSON lines: the first "
        "line describes the series, each other line is a match.",
    ),
    "tournaments": JsonFormat(
        "Tournaments",
        (Config,),
        "The description of a tournament: `arena tournament create --config FILE`, and the body of "
        "`POST /api/v1/tournaments`. [Tournaments](../../how-to/tournaments.md) explains the formats of tournaments.",
    ),
    "data-bots": JsonFormat(
        "Data bots",
        (data_bots.Configuration,),
        "A bot without code: `arena submit FILE`, `data:FILE`. "
        "[Submitting a bot](../../how-to/submitting.md#bots-without-code) has an example. "
        "`/api/v1/data-bots/options` lists all names with their ranges.",
        data_bots.VERSION,
    ),
    "bot-manifests": JsonFormat(
        "Manifests of bots",
        (BotManifest,),
        "The file `bot.json` at the top of an uploaded zip. "
        "[Submitting a bot](../../how-to/submitting.md#files) describes the zip.",
    ),
    "genomes": JsonFormat(
        "Genomes of weights",
        (genome.GenomeFile,),
        "The weights that evolution has found. `arena evolve` writes `best.json`; `genome:FILE` plays with it. "
        "[Evolution](../../explanation/evolution.md#genomes) describes the schemas.",
        genome.VERSION,
    ),
    "search-genomes": JsonFormat(
        "Genomes of searches",
        (search_genome.GenomeFile,),
        "A program that controls a search, with its search parameters and weights. `arena evolve` "
        "writes `best.json`; `genome:FILE` plays with it. "
        "[EvoChess](../../explanation/evolution.md#evochess-evolved-search) describes the programs.",
        search_genome.VERSION,
    ),
    "runs": JsonFormat(
        "Runs of evolution",
        (breeding.Breed, list[breeding.Bred]),
        "The file `run.jsonl` in the folder of `arena evolve --out FOLDER`. JSON lines: the first line has the "
        "settings, each other line is a generation: the array of its islands.",
        breeding.VERSION,
    ),
    "matrices": JsonFormat(
        "Payoff matrices",
        (MatrixFile,),
        "`arena evolve --matrix FILE` reads them, and other files with payoffs. "
        "[Strategies of a payoff matrix](../../how-to/matrices.md) lists them all.",
    ),
    "islands": JsonFormat(
        "Islands of volunteers",
        (CourierState,),
        "The file `joined.json` in the folder of a run that takes part in an arena's evolution. "
        "[Volunteers](../../explanation/evolution.md#volunteers) describes them.",
    ),
    "strategies": JsonFormat(
        "Winning strategies",
        (Strategy,),
        "A file of a game with a solver, which makes the algorithm `solve` play the first plies without a proof. "
        "`arena lab strategy` writes it.",
        strategy.VERSION,
    ),
    "solved-games": JsonFormat(
        "Strategies of solved games",
        (behaviour.BehaviouralStrategy,),
        "The probability of each move in each information set. `arena solve GAME --output FILE` writes them, and the "
        "bot `cfr` plays by those that ship with the arena.",
        behaviour.VERSION,
    ),
    "weights": JsonFormat(
        "Weights of evaluations",
        (weights.WeightsFile,),
        "`arena lab tune` writes them; commands read them in place of the name of an evaluation.",
        weights.VERSION,
    ),
    "models": JsonFormat(
        "Opponent models",
        (model.ModelFile,),
        "`arena model learn` writes them; the other commands of `arena model` read them. "
        "[Opponent models](../../explanation/modelling.md) explains the terms.",
        model.VERSION,
    ),
    "backups": JsonFormat(
        "Manifests of backups",
        (manifest.Manifest,),
        "The file `manifest.json` in an archive of `arena backup`. "
        "[Back up](../../how-to/backups.md#the-file) describes the archive.",
        manifest.FORMAT,
    ),
    "webhooks": JsonFormat(
        "Requests to webhooks",
        (Body,),
        "The body of each request. [Feeds and webhooks](../../how-to/feeds.md#webhooks) lists the events with their "
        "`data`, and the headers.",
    ),
    "match-events": JsonFormat(
        "Events of matches",
        (RecordedEvent,),
        "The events that the database stores for each match, in order. [Storage](../storage.md) describes the tables.",
    ),
    "tournament-events": JsonFormat(
        "Events of tournaments",
        (TournamentEvent,),
        "The events that the database stores for each tournament, in order. [Storage](../storage.md) describes the "
        "tables.",
    ),
}
"""The formats, by the names of their pages."""

OTHER = (
    ("`.epd`", "Suites of positions, openings and problems", "[Suites and books](../records.md#suites-and-books)"),
    ("`.bin`", "Polyglot opening books", "[Suites and books](../records.md#suites-and-books)"),
    ("`.wasm`", "WebAssembly bots", "[The WebAssembly interface](../webassembly.md)"),
    ("`.zip`", "Uploaded bots of several files", "[Files](../../how-to/submitting.md#files)"),
    ("lines of JSON", "Bots on the standard input and output", "[Messages](../../how-to/programs.md#messages)"),
    ("Atom", "Feeds of matches", "[Atom feed](../../how-to/feeds.md#atom-feed)"),
)
"""Formats without classes: their endings, contents, and descriptions."""

_INTRODUCTION = """\
# File formats

These pages list the fields of the arena's own JSON files. A field without a default is required. The arena refuses
unknown fields in the files that people write: tournaments, data bots, manifests of bots and genomes.
"""


def pages() -> Mapping[str, str]:
    """Return the pages by their paths."""
    found = {f"{FOLDER}/README.md": "\n".join(_index())}
    for name, each in JSON_FORMATS.items():
        found[f"{FOLDER}/{name}.md"] = "\n".join([f"# {each.title}", "", *_about(each), *types(schemas(each.kinds))])
    return found


def _about(each: JsonFormat) -> list[str]:
    """Return the first paragraph of a page."""
    version = "" if each.version is None else f" This arena writes version {each.version}."
    return [f"{each.use}{version}", ""]


def schemas(kinds: tuple[Any, ...]) -> Mapping[str, Schema]:
    """Return the JSON Schemas of classes and of the classes of their fields, by name, their own first."""
    _, found = msgspec.json.schema_components(kinds, schema_hook=_anything, ref_template="{name}")
    named = classes_of(kinds)
    for name, kind in named.items():
        describe(found[name], kind)
        if "prefixItems" in found[name]:
            names = ", ".join(_names(kind))
            found[name]["description"] += f"\n\nA list of {names}:"
    return {**{name: found.pop(name) for name in named}, **found}


def _index() -> list[str]:
    texts = [(code(f".{each.name}"), prose(each.title), "[Formats](../records.md#formats)") for each in _text_formats()]
    return [
        _INTRODUCTION,
        *(f"- [{each.title}]({name}.md): {_first_sentence(each.use)}" for name, each in JSON_FORMATS.items()),
        "",
        "## Other formats",
        "",
        *table(("format", "contents", "description"), [*texts, *OTHER]),
    ]


def _first_sentence(text: str) -> str:
    return f"{text.partition('. ')[0].removesuffix('.')}."


def _text_formats() -> list[formats.Format]:
    """Return the formats of records without classes."""
    return [each for each in formats.catalogue().values() if each.name != "jsonl"]


def _names(kind: Any) -> tuple[str, ...]:
    """Return the names of the fields of a class that JSON has as a list."""
    names: tuple[str, ...] = kind._fields if issubclass(kind, tuple) else kind.__struct_fields__
    return names


def _anything(kind: type) -> dict[str, Any]:
    """Return the schema of a type that stands for any value. Raises NotImplementedError for other types."""
    if kind is object:
        return {"title": "any value"}
    raise NotImplementedError
