# SPDX-License-Identifier: GPL-3.0-or-later
"""Show a genome: its program, its numbers, and its search of a position.

A search trace has the branches near the root that the search tries: the depth of each, the deepest line and the nodes,
beside the searches of two fixed opponents on the same position. With --bot the command also stores the genome as that
of a registered bot, for the bot's page.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import msgspec

from arena.cli.support.command_line import CommandError
from arena.cli.support.output import add_json, print_answer, print_json, print_table, say
from arena.cli.support.records import on_records
from arena.data_directory import add_place
from arena.features.genomes.records import GenomeRecords
from arena.protocol.genome_views import Branch, GenomeView, SearchTrace, ShownGene, ShownModule, ShownWord
from arena.store import Store
from bots.evolution import genome as weights
from bots.evolution.evochess import CHAMPIONS
from bots.evolution.evochess import genome as searches
from bots.evolution.evochess.bot import label as search_label
from bots.evolution.evochess.genome import Read, champion, express
from bots.evolution.evochess.genome_view import EVALUATION, genes, genome_view, search_traces
from bots.evolution.evochess.search_trace import search_trace
from bots.evolution.player import label
from engine.games import find

GROUP = "breed"

MOVES = 12
"""Maximum number of root moves in a table."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    shipped = " or ".join(CHAMPIONS)
    parser.add_argument("genome", metavar="FILE", help=f"a genome file, or {shipped} for a shipped champion")
    parser.add_argument("--game", default="chess", help="game of the champion (default: %(default)s)")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--position", metavar="P", help="show a search trace of this position, in the game's notation")
    where.add_argument(
        "--traces", action="store_true", help="show search traces of the positions on the genome's page of the arena"
    )
    parser.add_argument("--bot", metavar="NAME", help="store the genome for this registered bot")
    add_place(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Show or store the genome; return the exit code."""
    try:
        if arguments.bot is not None:
            return _store(arguments)
        if arguments.genome in CHAMPIONS:
            kept = champion(arguments.game, arguments.genome)
        else:
            text = Path(arguments.genome).expanduser().read_bytes()
            if not searches.is_one(text):
                return _show_weights(arguments, text)
            kept = searches.read(text)
        traces = _traces(arguments, kept)
    except OSError as error:
        raise CommandError(f"{arguments.genome}: {error.strerror}") from None
    except (KeyError, ValueError) as error:
        raise CommandError(error.args[0]) from None
    about = genome_view(kept, traces)
    if arguments.json:
        print_json(about)
        return 0
    say(f"{about.schema}, {about.nodes:,} nodes a move\nremaining depth: {about.formula}")
    for line in tree(about.program):
        say(f"  {line}")
    for module in about.modules:
        say(f"\n{module.title}")
        _show_genes(module.genes)
    for one in traces:
        _show_trace(one)
    return 0


def _store(arguments: argparse.Namespace) -> int:
    """Store a genome of either kind as that of a bot. Raises ValueError if the file holds no genome."""
    text = Path(arguments.genome).expanduser().read_bytes()
    view: GenomeView | None = None
    if searches.is_one(text):
        kept = searches.read(text)
        version, game, view = search_label(kept), kept.schema.game, genome_view(kept)
    else:
        schema, values = weights.read(text)
        version, game = label(schema, values), schema.game

    async def work(store: Store) -> None:
        bot = await store.bots.named(arguments.bot)
        if bot is None or bot.removed is not None:
            raise CommandError(f"no bot is called {arguments.bot}")
        number = (await store.bots.version(bot.id, version)).id
        await store.records(GenomeRecords).put(number, game, msgspec.json.decode(text), view, replace=True)

    on_records(argparse.Namespace(**vars(arguments), action="store"), work)
    print_answer(
        arguments,
        {"bot": arguments.bot, "version": version, "game": game},
        f"stored as version {version} of {arguments.bot}",
    )
    return 0


def tree(words: Sequence[ShownWord]) -> list[str]:
    """Return a program as lines, each token below the token whose argument it is."""
    depths: list[int] = []
    for word in words:
        depths.append(0 if word.parent < 0 else depths[word.parent] + 1)
    return [
        f"{'  ' * deep}{word.label}" + (f"  ({word.meaning})" if word.meaning else "")
        for deep, word in zip(depths, words, strict=True)
    ]


def _traces(arguments: argparse.Namespace, kept: Read) -> list[SearchTrace]:
    name = arguments.genome if arguments.genome in CHAMPIONS else Path(arguments.genome).stem
    if arguments.traces:
        return search_traces(kept, name)
    if arguments.position is None:
        return []
    game = find(kept.schema.game)
    position = game.look(game.parse_position(arguments.position))
    if position.over:
        raise ValueError("the game is over in this position")
    return [search_trace(game, express(kept.schema, kept.genome), kept.nodes, position, name)]


def _show_weights(arguments: argparse.Namespace, text: bytes) -> int:
    schema, values = weights.read(text)
    if arguments.position is not None or arguments.traces:
        raise CommandError("this genome has only evaluation weights and no program")
    told = genes(schema, values)
    if arguments.json:
        print_json({"schema": schema.name, "modules": [ShownModule(EVALUATION, told)]})
        return 0
    say(schema.name)
    _show_genes(told)
    return 0


def _show_genes(told: Sequence[ShownGene]) -> None:
    print_table(
        ("gene", "value", "standard", "from", "to"),
        [
            (gene.name, *(f"{value:,.5g}" for value in (gene.value, gene.standard, gene.low, gene.high)))
            for gene in told
        ],
    )


def _show_trace(one: SearchTrace) -> None:
    say(f"\n{one.position}")
    print_table(
        ("player", "nodes", "depth", "move"),
        [(each.name, f"{'over ' * each.capped}{each.nodes:,}", each.depth or "–", each.move) for each in one.searches],
    )
    own = one.searches[0]
    print_table(
        ("branch", "depth given", "as far as ply", "nodes"),
        [(text, f"{branch.given:g}", branch.reach, f"{branch.nodes:,}") for text, branch in _dearest(own.branches)],
    )


def _dearest(branches: Sequence[Branch]) -> list[tuple[str, Branch]]:
    """Return the root's branches with most nodes, in the order tried, each with the costliest line below it."""
    roots = sorted((place for place, one in enumerate(branches) if one.parent < 0), key=lambda at: -branches[at].nodes)
    found = []
    for root in sorted(roots[:MOVES]):
        text, place = branches[root].move, root
        found.append((text, branches[root]))
        while behind := [at for at, one in enumerate(branches) if one.parent == place]:
            place = max(behind, key=lambda at: branches[at].nodes)
            text = f"{text} {branches[place].move}"
            found.append((f"  {text}", branches[place]))
    return found
