# SPDX-License-Identifier: GPL-3.0-or-later
"""Collects the source texts of the pages into the catalogues of translations: `python -m tools.texts`.

Texts come from the scripts (tools/texts.mjs), the templates, the Python modules of the web server and of features,
and from what these declare: menus, games, rating systems, tournament formats, searches. A catalogue
web/translations/CODE.po keeps the translations of texts that still exist, and gets those that are new without one.
`--missing CODE` prints the texts without a translation; `--unmarked` prints strings of scripts that look like texts
and are not marked.
"""

import argparse
import io
import json
import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, get_args

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po
from jinja2.ext import babel_extract

from arena.cli.features import FEATURES
from arena.hosting.readiness import Waiting
from arena.matches.instructions import Lack
from arena.pairing.swiss import Impossible
from arena.protocol.watching import TimeClass
from arena.rating.assessment import SYSTEMS
from arena.registry import Unready
from arena.store.acting import COMMAND_LINE, STARTS, STOPS
from arena.store.rows import TournamentStatus
from arena.tournaments.machine.course import End, Withdrawal
from arena.tournaments.machine.format import Format
from arena.tournaments.machine.format_fields import declarations
from arena.tournaments.machine.formats import FORMATS
from arena.tournaments.machine.formats.fixed_pairings import FixedPairings
from arena.tournaments.machine.formats.gauntlet import Gauntlet
from arena.tournaments.machine.formats.knockout import Knockout
from arena.tournaments.machine.formats.ladder import Ladder
from arena.tournaments.machine.formats.round_robin import RoundRobin
from arena.tournaments.machine.formats.sprt import SprtMatch
from arena.tournaments.machine.formats.swiss import Swiss
from arena.tournaments.shares import WhyNoShares
from bots.built_in.kinds import catalogue as built_in_bots
from bots.data.options import options
from bots.evolution.evochess.genome import SEARCH
from bots.evolution.evochess.genome_view import EVALUATION, SEARCHING, spaced
from bots.evolution.genome import SCHEMAS
from engine.games import catalogue as games
from engine.match.ending import Termination
from engine.native.compile_times import About
from engine.search.programs.program import WORDS
from web.api.endpoint import Group
from web.application import endpoints_of
from web.feature import WebPart
from web.language import CATALOGUES, DECLARED

ROOT = Path(__file__).parents[1]
MODULES = ("web", "arena/features")
SCRIPTS = tuple(f"{folder}/**/*.js" for folder in MODULES)
APART = ("/vendor/", "/static/texts.js", "/static/translating.js")
KEYWORDS = {"t": None, "Text": None, "plural": (2, 3), "in_context": ((1, "c"), 2)}
"""Functions that mark texts in Python modules and templates, with the arguments that are texts."""

NAVIGATION = "web/templates/navigation.html"
LEADERBOARD = "web/static/pages/leaderboard.js"
TOURNAMENTS = ("web/static/pages/tournament.js", "web/static/pages/tournaments.js")
BOT = "web/static/pages/bot.js"
ENDINGS = "web/static/endings.js"
LISTS, RESULTS = "web/static/results.js", "web/static/bot/endings.js"
GAME = "web/static/pages/game.js"
BUILT_IN = "bots/built_in/kinds"
"""Pages get the descriptions of built-in bots in the language of the visitor; no script translates them."""
GAMES = "web/static/pages/connect.js"
AUDIT = "arena/features/accounts/static/accounts/audit_log.js"
GENOME = "arena/features/genomes/static/genomes/genome_view.js"
PROGRAM = "arena/features/genomes/static/genomes/program.js"
GENES = "arena/features/genomes/static/genomes/genes.js"
NEW_TOURNAMENT = "arena/features/organising/static/organising/new_tournament.js"
BUILD = "arena/features/uploads/static/uploads/build.js"
EXPLORER = tuple(f"arena/features/explorer/static/explorer/{name}.js" for name in ("setup", "counts"))
"""Files that show texts which Python modules declare."""

EXAMPLES: tuple[Format, ...] = (
    *(Gauntlet(), Knockout(), Ladder(), FixedPairings(((0, 1),)), FixedPairings(((0, 1), (0, 1)))),
    *(RoundRobin(), RoundRobin(cycles=2), SprtMatch(0, 5), Swiss(5)),
)
"""Formats with all descriptions, up to their numbers."""

NUMBER = re.compile(r"(?<![\w-])-?\d+(?:\.\d+)?")
"""A number in the description of a format."""

SENTENCE = "sentence"
"""The context of sentences with places for values; web/static/sentences.js finds them in what the server says."""

WIDTH = 120


class Found(NamedTuple):
    """A source text and where it stands."""

    text: str
    place: str
    """A path in the repository, or ``DECLARED``."""
    plural: str | None = None
    context: str | None = None


class Unmarked(NamedTuple):
    """A string of a script that looks like a text and is not marked."""

    place: str
    line: int
    text: str
    start: int
    end: int


def read_scripts(paths: Iterable[Path] | None = None) -> dict[str, Any]:
    """Return what tools/texts.mjs finds in scripts, by their paths in the repository; in all scripts by default."""
    chosen = sorted({path for pattern in SCRIPTS for path in ROOT.glob(pattern)} if paths is None else paths)
    names = [os.path.relpath(path, ROOT) for path in chosen if not any(part in str(path) for part in APART)]
    command = ["node", "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", "tools/texts.mjs", *names]
    # Node.js is the machine's, or that of requirements/node.lock
    path = os.pathsep.join((os.environ.get("PATH", os.defpath), str(ROOT / ".venv" / "bin")))
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "PATH": path}, check=True, capture_output=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def of_scripts() -> Iterator[Found]:
    """Yield the texts of the scripts."""
    for place, found in read_scripts().items():
        for each in found["texts"]:
            yield Found(each["text"], place, each.get("plural"), each.get("context"))


def unmarked() -> list[Unmarked]:
    """Return the strings of scripts that look like texts and are not marked."""
    return [
        Unmarked(place, each["line"], each["text"], each["start"], each["end"])
        for place, found in read_scripts().items()
        for each in found["unmarked"]
    ]


def of_files() -> Iterator[Found]:
    """Yield the texts of templates and Python modules."""
    for folder in MODULES:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in (".py", ".html") or path.name == "language.py":
                continue
            # types of Jinja's function and of Babel differ
            method: Any = "python" if path.suffix == ".py" else babel_extract
            file = io.BytesIO(path.read_bytes())
            place = path.relative_to(ROOT).as_posix()
            for _, text, _, context in extract(method, file, KEYWORDS, options={"encoding": "utf-8"}):
                one, *more = (text,) if isinstance(text, str) else text
                yield Found(one, place, more[0] if more else None, context)


def declared() -> Iterator[Found]:
    """Yield the texts that Python modules declare: with the files that show them, or ``DECLARED`` if many do."""
    yield from shown((*get_args(TimeClass), *(each.value for each in Termination)), DECLARED)
    yield from shown(get_args(TournamentStatus), *TOURNAMENTS)
    yield from shown(get_args(Group), NAVIGATION)
    for endpoint in endpoints_of(FEATURES):
        yield from shown((endpoint.short_summary,) if endpoint.method == "POST" else (), AUDIT)
        yield from shown((endpoint.menu,), NAVIGATION)
        yield from shown(endpoint.menus.values(), DECLARED)
    for part in (feature.web() for feature in FEATURES if feature.web is not None):
        yield from shown(labels(part), NAVIGATION)
        yield from shown(part.exclusions, LEADERBOARD, BOT)
        for module, texts in part.sentences.items():
            place = f"arena/features/{module.partition('/')[0]}/static/{module}"
            yield from (Found(text, place, context=SENTENCE) for text in texts)
    for system in SYSTEMS.values():
        columns = (text for column in system.columns for text in (column.title, column.description))
        yield from shown((system.title, system.description, *columns), LEADERBOARD)
    yield from sentences()
    for form in FORMATS.values():
        name = str(form.__struct_config__.tag).replace("-", " ")
        yield from shown((form.heading, name, *form.tie_breaks), *TOURNAMENTS)
    for game in games().values():
        pieces = (piece.name for piece in game.board.pieces.values())
        counted = game.board.counted, game.board.counted_one
        yield from shown(filter(None, (game.title, *game.seats, *pieces, *counted)), DECLARED)
        yield from shown(game.endings.words, ENDINGS)
        yield from shown((game.endings.win, game.endings.draw), LISTS, RESULTS)
        yield from shown((game.description,), GAME, GAMES, NEW_TOURNAMENT)
        yield from shown(game.rules.split("\n\n"), GAME)
    for declaration in declarations():
        fields = (text for each in declaration.options for text in (each.name.replace("_", " "), each.description))
        yield from shown((declaration.title, declaration.description, *fields), NEW_TOURNAMENT)
    yield from shown((bot.description for bot in built_in_bots().values()), BUILT_IN)
    yield from shown((SEARCHING, EVALUATION), GENOME)
    yield from genes()
    yield from shown((word.meaning for word in WORDS.values()), PROGRAM)
    yield from searches()


def sentences() -> Iterator[Found]:
    """Yield the sentences of the server."""
    tournament = (
        *End,
        *Impossible,
        *Withdrawal,
        *WhyNoShares,
        *(numbered(example.description) for example in EXAMPLES),
    )
    waits = (*Waiting, *Unready, *About, *Lack)
    yield from (Found(text, TOURNAMENTS[0], context=SENTENCE) for text in (*tournament, *waits))
    yield from (Found(text, AUDIT, context=SENTENCE) for text in (STARTS, STOPS, COMMAND_LINE))


def numbered(description: str) -> str:
    """Return the description of a format with places for its numbers."""
    places = count()
    return NUMBER.sub(lambda _: f"{{{next(places)}}}", description)


def genes() -> Iterator[Found]:
    """Yield the names of genes; the same name can mean another thing in another game."""
    for schema in SCHEMAS.values():
        yield from (Found(gene.name, GENES, context=f"gene of {schema.game}") for gene in schema.genes)
    yield from (Found(spaced(gene.name), GENES, context="search parameter") for gene in SEARCH.genes)


def searches() -> Iterator[Found]:
    """Yield the descriptions of what a search can be made of."""
    offered = options(games().values())
    yield from shown((each.description for each in offered.algorithms), BUILD, *EXPLORER)
    evaluations = (each for game in offered.games for each in game.evaluations)
    rows: tuple[Any, ...] = (*offered.switches, *offered.limits, *offered.parameters, *evaluations)
    yield from shown((each.description for each in rows), BUILD)


def shown(texts: Iterable[str], *places: str) -> Iterator[Found]:
    """Yield texts that files show."""
    for text in filter(None, texts):
        yield from (Found(text, place) for place in places)


def labels(part: WebPart) -> Iterator[str]:
    """Yield the texts of a feature's part of the web server."""
    if part.header_link is not None:
        yield part.header_link.label


def collect() -> Catalog:
    """Return a catalogue of all source texts, in the order of their places."""
    catalogue = Catalog(fuzzy=False)
    for text, place, more, context in dict.fromkeys((*of_scripts(), *of_files(), *declared())):
        catalogue.add((text, more) if more else text, locations=[(place, 0)], context=context)
    return catalogue


def path_of(code: str) -> Path:
    """Return the path of the catalogue of a language."""
    return CATALOGUES / f"{code}.po"


def read(code: str) -> Catalog:
    """Return the catalogue of a language."""
    with path_of(code).open("rb") as file:
        return read_po(file, locale=code.replace("-", "_"))


def updated(code: str, sources: Catalog) -> bytes:
    """Return the file of a language with exactly the texts of ``sources``."""
    old = read(code) if path_of(code).exists() else Catalog()
    new = Catalog(
        locale=code.replace("-", "_"), fuzzy=False, header_comment="# SPDX-License-Identifier: GPL-3.0-or-later"
    )
    for message in sources:
        if message.id:
            known = old.get(message.id if isinstance(message.id, str) else message.id[0], message.context)
            kept = known is not None and isinstance(known.id, str) == isinstance(message.id, str)
            string = known.string if known is not None and kept else None
            new.add(message.id, string, locations=message.locations, context=message.context)
    file = io.BytesIO()
    write_po(file, new, width=WIDTH, omit_header=True, sort_by_file=True, include_lineno=False)
    return header(new) + file.getvalue()


def header(catalogue: Catalog) -> bytes:
    """Return the first entry of a file, without the dates that Babel writes there."""
    fields = {
        "Language": str(catalogue.locale).replace("_", "-"),
        "Plural-Forms": catalogue.plural_forms,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Transfer-Encoding": "8bit",
    }
    lines = "".join(f'"{name}: {value}\\n"\n' for name, value in fields.items())
    return f'# SPDX-License-Identifier: GPL-3.0-or-later\nmsgid ""\nmsgstr ""\n{lines}\n'.encode()


def missing(catalogue: Catalog) -> list[str | Sequence[str]]:
    """Return the source texts without a translation."""
    return [message.id for message in catalogue if message.id and not translated(message.string)]


def translated(string: str | Sequence[str] | None) -> bool:
    """Return whether a translation is complete."""
    return bool(string) if isinstance(string, str) or string is None else all(string)


def main() -> None:
    """Update the catalogues."""
    parser = argparse.ArgumentParser(prog="python -m tools.texts", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--missing", metavar="CODE", help="print the texts that have no translation to this language")
    parser.add_argument("--unmarked", action="store_true", help="print strings that look like texts and are not marked")
    parser.add_argument("--new", metavar="CODE", help="begin the catalogue of a language")
    arguments = parser.parse_args()
    if arguments.unmarked:
        print("\n".join(f"{each.place}:{each.line}: {each.text}" for each in unmarked()))
    elif arguments.missing:
        print("\n".join(json.dumps(each, ensure_ascii=False) for each in missing(read(arguments.missing))))
    else:
        sources = collect()
        codes = {path.stem for path in CATALOGUES.glob("*.po")} | ({arguments.new} if arguments.new else set())
        for code in sorted(codes):
            path_of(code).write_bytes(updated(code, sources))


if __name__ == "__main__":
    main()
