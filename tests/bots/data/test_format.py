# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of data bots: written files are read back, and errors name the wrong field."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as some

from arena.protocol.schema import field_docs
from bots.data import format as files
from bots.data.format import (
    KIND,
    MOST_BYTES,
    MOST_NODES,
    MOST_SECONDS,
    OPPONENT_PARAMETERS,
    SWITCHES,
    VERSION,
    BadData,
    Configuration,
    OfGame,
    read,
    template,
    write,
)
from bots.data.options import LIMITS, options
from bots.data.player import MOST_GENOME_NODES, maker, name_in
from bots.evolution import genome
from bots.evolution.evochess import genome as searches
from engine.game import Game
from engine.search import ALGORITHMS
from engine.search.margins import MARGINS, PARAMETERS
from tests.compiling import searched_games

GAMES = {name: game for name, game in searched_games().items() if game.playable}
START = {"kind": "search", "version": 1, "games": {"checkers": {}}}
"""The least that a file must say."""
WHOLE: dict[str, Any] = {
    **START,
    "games": {"checkers": {"evaluation": "lecture", "weights": {"kings": 250_000}}, "tictactoe": {"weights": [3]}},
    "algorithm": "play",
    "switches": {"null-move": False, "check-extensions": True},
    "parameters": {"lmr_base": 100},
    "seconds": 0.5,
    "depth": 12,
    "nodes": 5000,
    "table_bits": 16,
    "name": "mine",
    "description": "Kings are worth less.",
}
"""A file with every field."""


def content(found: object) -> bytes:
    """Write a file."""
    return msgspec.json.encode(found)


def appended(field: str) -> bytes:
    """Write the least file and a field after it."""
    return content(START)[:-1] + f", {field}}}".encode()


@some.composite
def configurations(draw: some.DrawFn) -> Configuration:
    """Draw a configuration that a file may have."""
    named = draw(some.lists(some.sampled_from(sorted(GAMES)), min_size=1, max_size=3, unique=True))
    algorithm = draw(some.sampled_from(sorted(ALGORITHMS)))
    switches = draw(some.dictionaries(some.sampled_from(sorted(SWITCHES)), some.booleans(), max_size=4))
    found = Configuration(KIND, VERSION, {name: draw(of_game(GAMES[name])) for name in named}, algorithm, switches)
    rows = {name: row for name, row in PARAMETERS.items() if name not in OPPONENT_PARAMETERS}
    chosen = draw(some.sets(some.sampled_from(sorted(rows)), max_size=3)) if found.selective else ()
    return msgspec.structs.replace(
        found,
        parameters={name: draw(some.integers(rows[name].least, rows[name].most)) for name in sorted(chosen)},
        seconds=draw(some.floats(0.001, MOST_SECONDS)),
        depth=draw(some.none() | some.integers(1, 100)),
        nodes=draw(some.none() | some.integers(1, MOST_NODES)),
        table_bits=draw(some.integers(2, 22)),
        name=draw(some.sampled_from(["", "mine", "Zoë"])),
    )


@some.composite
def of_game(draw: some.DrawFn, game: Game) -> OfGame:
    """Draw an evaluation of a game with weights in their ranges."""
    evaluation = game.evaluations[draw(some.sampled_from(sorted(game.evaluations)))]
    numbers = [some.integers(max(least, -1000), min(most, 1000)) for least, most in files.ranges(evaluation)]
    if not evaluation.terms.names:
        return OfGame(evaluation.name, [draw(each) for each in numbers])
    places = draw(some.sets(some.integers(0, len(numbers) - 1), max_size=3))
    return OfGame(evaluation.name, {evaluation.terms.names[place]: draw(numbers[place]) for place in sorted(places)})


@given(configurations())
def test_what_is_written_is_read(found: Configuration) -> None:
    assert read(write(found).encode()) == found
    assert read(write(found).encode()).label == found.label


@pytest.mark.parametrize("name", GAMES)
def test_a_template_is_a_file(name: str) -> None:
    game = GAMES[name]
    found = template(game)
    assert read(write(found).encode()) == found
    assert found.margins == MARGINS
    own = game.evaluations[files.best(game)]
    assert found.evaluation(game).weights == own.weights


def test_every_field_has_its_effect() -> None:
    found = read(content(WHOLE))
    game = GAMES["checkers"]
    assert found.evaluation(game).weights == (100_000, 250_000, 5_000, 1_000)
    assert found.evaluation(GAMES["tictactoe"]).weights == (3,)
    assert found.margins == MARGINS._replace(lmr_base=100)
    own = ALGORITHMS["play"].switches
    assert found.all_switches == own & ~SWITCHES["null-move"] | SWITCHES["check-extensions"]
    same = msgspec.structs.replace(found, name="other", description="")
    assert same.label == found.label
    changes: tuple[dict[str, object], ...] = ({"depth": 11}, {"switches": {}}, {"nodes": 1})
    labels = {read(content({**WHOLE, **change})).label for change in changes}
    assert len(labels | {found.label}) == 4
    spelt_out = read(content({**START, "algorithm": "play", "depth": None, "games": {"checkers": {"evaluation": ""}}}))
    assert spelt_out.label == read(content(START)).label


def places(found: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the path of every value in a file."""
    if path:
        yield path
    pairs = found.items() if isinstance(found, dict) else enumerate(found) if isinstance(found, list) else ()
    for key, value in pairs:
        yield from places(value, (*path, key))


def changed(found: Any, path: tuple[str | int, ...], value: Any) -> Any:
    """Return a file with another value in a place."""
    if not path:
        return value
    copied: Any = found.copy()
    copied[path[0]] = changed(found[path[0]], path[1:], value)
    return copied


HOSTILE: tuple[Any, ...] = (
    None,
    True,
    "",
    "x",
    -1,
    0,
    0.5,
    10**9,
    2**64,
    -(2**63),
    1e308,
    [],
    {},
    [[]],
    {"a": {}},
    ["mine"],
    "\x1b[2J",
)
"""Values that a mutation puts into a place."""


@pytest.mark.parametrize("path", list(places(WHOLE)), ids=lambda path: ".".join(map(str, path)))
def test_a_mutation_is_refused_or_read_as_it_is(path: tuple[str | int, ...]) -> None:
    for value in HOSTILE:
        mutant = changed(WHOLE, path, value)
        try:
            found = read(content(mutant))
        except BadData:
            continue
        assert read(write(found).encode()) == found
        assert found == msgspec.convert(mutant, Configuration)


REFUSED = {
    b"": "truncated",
    b"\xff\xfe": "malformed",
    b"[]": "Expected `object`",
    b"{}": 'kind: it must be "search"',
    b'{"kind": "steered"}': "`version`",
    b'{"schema": "go"}': "`version`",
    b"[" * 200_000: "Expected `object`",
    b'{"kind":"search","version":1,"games":' + b'{"a":' * 20_000: "the file is nested",
    b'{"lineage":' + b'{"a":' * 20_000: "nested too deeply",
    b" " * (MOST_BYTES + 1): "a data bot has at most 262,144",
    content({**START, "version": 2}): "version: the file is of version 2",
    content({**START, "depth": 10**9}): "depth: ",
    appended('"depth": NaN'): "malformed",
    appended('"seconds": 1e999'): "seconds: ",
    appended('"nodes": 1' + "0" * 5000): "nodes: ",
    content({**START, "seconds": 61}): "seconds: ",
    content({**START, "table_bits": 40}): "table_bits: ",
    content({**START, "sandbox": False}): "`sandbox`",
    content({**START, "games": {}}): "games: ",
    content({**START, "games": {"go": {}}}): "games: no game is called 'go'; there are backgammon, battleship, ",
    content({**START, "games": {"nim/9999999": {}}}): "games: no game is called 'nim/9999999'",
    content({**START, "games": {"checkers": {"depth": 1}}}): "games[...]: Object contains unknown field `depth`",
    content({**START, "games": {"checkers": {"evaluation": "none"}}}): "games.checkers.evaluation: 'none' is not known",
    content({**START, "games": {"checkers": {"weights": {"men": 10**7}}}}): "weights of lecture: men: the number",
    content({**START, "games": {"checkers": {"weights": {"rooks": 1}}}}): "weights of lecture: 'rooks' is not known",
    content({**START, "games": {"checkers": {"weights": [1]}}}): "weights of lecture: the list must have 4 numbers",
    content({**START, "games": {"tictactoe": {"weights": {"a": 1}}}}): "weights of open-lines: these weights have no",
    content({**START, "algorithm": "mcts"}): "algorithm: 'mcts' is not known; known are minimax, ",
    content({**START, "switches": {"magic": True}}): "switches.magic: 'magic' is not known",
    content({**START, "switches": {"root-expectation": True}}): "switches.root-expectation: this switch needs a model",
    content({**START, "parameters": {"magic": 1}}): "parameters.magic: 'magic' is not known",
    content({**START, "switches": {"program": True}}): "switches.program: this switch needs a depth program",
    content({**START, "parameters": {"probable": 1}}): "parameters.probable: this parameter needs a model",
    content({**START, "parameters": {"lmr_base": 251}}): "parameters.lmr_base: the number must be -60 to 250 (got 251)",
    content({**START, "algorithm": "advanced", "parameters": {"lmr_base": 1}}): "parameters: only the selective search",
    content({**START, "description": "a\x1b[2J"}): "description: it has control characters",
    content({**START, "name": "x" * 41}): "name: ",
}  # fmt: skip


@pytest.mark.parametrize(("file", "case"), REFUSED.items(), ids=range(len(REFUSED)))
def test_a_wrong_file_is_refused_with_the_name_of_its_field(file: bytes, case: str) -> None:
    with pytest.raises(BadData) as refused:
        maker(file, "mine")
    assert case in str(refused.value)
    assert len(str(refused.value)) < 2000
    assert name_in(file) == ""


def test_a_genome_is_a_data_bot() -> None:
    schema = genome.schema_named("checkers/lecture")
    bot = maker(genome.write(schema, schema.standard, {"run": 7}).encode(), "mine")()
    assert (bot.name, bot.games) == ("mine", ("checkers",))
    champion = searches.champion("chess")
    written = searches.write(champion.schema, champion.genome, champion.nodes)
    bot = maker(written.encode(), "mine")()
    assert (bot.name, bot.games) == ("mine", ("chess",))
    endless = searches.write(champion.schema, champion.genome, MOST_GENOME_NODES + 1)
    with pytest.raises(BadData, match="nodes: the number must be 1 to"):
        maker(endless.encode(), "mine")


def test_the_options_document_every_part_from_its_declaration() -> None:
    found = options(GAMES.values())
    assert found.version == VERSION
    assert {each.name for each in found.switches} == set(SWITCHES)
    assert {each.name for each in found.parameters} == set(PARAMETERS) - OPPONENT_PARAMETERS
    assert {each.name: each.description for each in found.limits} == {
        name: text for name, text in field_docs(Configuration).items() if name in LIMITS
    }
    for part in (found.algorithms, found.switches, found.limits, found.parameters):
        assert all(each.description for each in part), part
    for game in found.games:
        for evaluation in game.evaluations:
            assert evaluation.description, evaluation.name
            for weight in evaluation.weights:
                assert weight.least <= weight.default <= weight.most, (game.name, evaluation.name, weight)


def test_parameters_of_opponent_models_are_not_offered() -> None:
    """A parameter that this misses would be offered, and would have no effect."""
    named = {name for name, row in PARAMETERS.items() if "opponent" in row.description.lower()}
    assert named <= OPPONENT_PARAMETERS
