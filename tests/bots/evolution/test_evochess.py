# SPDX-License-Identifier: GPL-3.0-or-later
"""Search genomes, the games that select them, and breeding on islands."""

import itertools
import json
import lzma
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

import msgspec
import pytest

from bots import weights
from bots.bot import Reply, Turn
from bots.catalogue import UnknownBot, make, maker_of
from bots.evolution import evochess, history
from bots.evolution.breeding import VERSION, Breed, arenas_of, bred
from bots.evolution.dynamics.evochess import POSITIONS
from bots.evolution.evochess import drill
from bots.evolution.evochess.bot import SearchGenomeBot, label
from bots.evolution.evochess.contests import bred_openings, measured_openings
from bots.evolution.evochess.genome import (
    SEARCH,
    Genome,
    champion,
    champion_games,
    checked,
    drawn,
    express,
    read,
    schema_for,
    standard,
    write,
)
from bots.evolution.evochess.searches import Searches
from bots.evolution.genome import EVOCHESS, SCHEMAS, Genotype
from bots.evolution.history import RUN, History, NotARun
from bots.evolution.population import RIVAL, Population, Result
from bots.evolution.refereed import pair
from bots.evolution.rivals import ALPHA_BETA, Rival
from bots.local import Entrant, play
from engine.games import find
from engine.search.margins import NEUTRAL, PARAMETERS

CHECKERS = schema_for("checkers")
NODES = 200_000_000
"""More than a search visits in a minute."""
OF_MODELS = {name: row.default for name, row in PARAMETERS.items() if row.models}
BREED = Breed(
    VERSION,
    "checkers/search",
    "evochess",
    4,
    7,
    {"openings": 1, "elite": 1},
    plies=40,
    islands=2,
    migration=2,
    nodes=60,
)


# ---------------------------------------------------------------- genomes


@pytest.mark.parametrize("game", ["chess", "checkers"])
def test_genomes_are_written_and_read(game: str) -> None:
    schema = schema_for(game)
    for seed in range(20):
        genome = drawn(schema, Random(seed))
        kept = read(write(schema, genome, 500, {"seed": seed}))
        assert (kept.schema, kept.genome, kept.nodes) == (schema, genome, 500)
        assert express(schema, genome).program == genome.program


def test_the_genes_are_those_of_the_evaluation() -> None:
    terms = find("chess").evaluations["evochess"]
    assert tuple(name for name, *_ in EVOCHESS) == terms.terms.names
    assert tuple((low, high) for _, low, high, _ in EVOCHESS) == terms.terms.ranges
    assert tuple(standard for *_, standard in EVOCHESS) == terms.weights
    assert SCHEMAS["chess/evochess"].express(SCHEMAS["chess/evochess"].standard).weights == terms.weights


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"version": 2}, "version 2; this program reads version 5"),
        ({"kind": "other"}, "'other'"),
        ({"schema": "chess/unknown"}, "chess/unknown"),
        ({"schema_version": 9}, "version 9"),
        ({"nodes": 0}, "needs a node"),
        ({"program": ["+", 1]}, "ends before"),
        ({"program": ["threatened"]}, "a number should be"),
        ({"program": ["sin"] * 200}, "at most 64"),
        ({"program": [[]]}, "no genome"),
        ({"search": {"lmr": 1.0}}, "not in both"),
        ({"weights": {"man": 1.0}}, "not in both"),
        ({"more": 1}, "no genome"),
    ],
)
def test_bad_genomes_are_refused(change: dict[str, object], why: str) -> None:
    text = json.loads(write(CHECKERS, standard(CHECKERS), 100)) | change
    with pytest.raises(ValueError, match=why):
        read(json.dumps(text))


def test_a_genome_of_the_version_before_is_refused_by_its_version() -> None:
    text = json.loads(write(CHECKERS, standard(CHECKERS), 100)) | {"version": 4, "kind": "steered"}
    with pytest.raises(ValueError, match="version 4; this program reads version 5"):
        read(json.dumps(text))


def test_missing_search_parameters_are_neutral() -> None:
    text = json.loads(write(CHECKERS, standard(CHECKERS), 100)) | {"search": {"lmr_depth": 2.0}}
    genome = read(json.dumps(text)).genome
    assert express(CHECKERS, genome).margins == NEUTRAL._replace(lmr_depth=2, **OF_MODELS)


def test_a_run_of_another_version_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run.jsonl").write_text('{"version":6,"game":"chess","seed":1,"demes":2}\n')
    with pytest.raises(NotARun, match="version 6; this program reads version"):
        history.read(tmp_path)


def test_numbers_out_of_bounds_are_refused() -> None:
    genome = standard(CHECKERS)
    with pytest.raises(ValueError, match="iteration_share"):
        checked(CHECKERS, msgspec.structs.replace(genome, search=(*SEARCH.standard[:-1], 3000.0)))
    with pytest.raises(ValueError, match="finite"):
        checked(CHECKERS, msgspec.structs.replace(genome, search=(*SEARCH.standard[:-1], float("nan"))))
    with pytest.raises(KeyError, match="nim"):
        schema_for("nim")


async def test_a_genome_in_a_file_is_a_bot(tmp_path: Path) -> None:
    path = tmp_path / "bred.json"
    path.write_text(write(CHECKERS, standard(CHECKERS), 300))
    maker = maker_of(f"genome:{path}")
    bot = maker()
    assert isinstance(bot, SearchGenomeBot)
    assert (bot.name, bot.games) == ("bred", ("checkers",))
    bot.prepare(["checkers"])
    match = await play(find("checkers"), (Entrant("bred", maker), Entrant("random", maker_of("random"))), seed=1)
    assert match.ending is not None
    own = [(moved.move, moved.info) for moved in match.moves if moved.seat == 0 and moved.info]
    assert 0 < sum(info.nodes or 0 for _, info in own) <= 300 * len(own)
    assert all(info.pv[0] == move for move, info in own)
    kept = read(path.read_bytes())
    assert bot.version == label(kept)
    (broken := tmp_path / "broken.json").write_text('{"kind": "steered"}')
    with pytest.raises(UnknownBot, match="no genome"):
        maker_of(f"genome:{broken}")


def test_a_genome_ends_its_search_when_its_clock_is_short(tmp_path: Path) -> None:
    path = tmp_path / "bred.json"
    path.write_text(write(CHECKERS, standard(CHECKERS), NODES))
    bot = maker_of(f"genome:{path}")()
    game = find("checkers")
    start = game.look(game.start())
    turn = Turn(
        match=1, game="checkers", ply=0, position=game.format_position(start.state), seat=0, clocks=(1000, 1000)
    )
    reply = bot.move(turn)
    assert isinstance(reply, Reply)
    assert reply.nodes is not None
    assert reply.nodes < NODES, "an eighth of a second was left for it"
    assert reply.move in game.move_texts(start)


@pytest.mark.parametrize("bot", evochess.CHAMPIONS)
def test_champions_ship_with_their_lineage(bot: str) -> None:
    assert "chess" in champion_games(bot)
    for game in champion_games(bot):
        kept = champion(game, bot)
        assert kept.schema.game == game
        assert {"seed", "generation", "parents", "by hand"} <= set(kept.lineage)
    with pytest.raises(KeyError, match="nim"):
        champion("nim", bot)
    made = make(bot)
    assert (made.name, made.games) == (bot, champion_games(bot))


def test_the_bred_champion_is_the_best_member_of_its_run(tmp_path: Path) -> None:
    kept = Path(__file__).parents[3] / "docs" / "reports" / "runs"
    (tmp_path / RUN).write_bytes(lzma.decompress((kept / "evochess-bred.jsonl.xz").read_bytes()))
    breed, generations = history.read(tmp_path)
    default = weights.from_json(find("chess"), (kept / "default-weights.json").read_bytes())
    assert breed.weights == schema_for("chess").standard == tuple(map(float, default.weights))
    assert not breed.guests
    founders = generations[0][0].population.members
    assert {one.origin for one in founders} == {"random"}
    assert len({one.program for one in founders}) > len(founders) // 2
    (population,) = (island.population for island in generations[-1])
    kind = breed.genes
    assert isinstance(kind, Searches)
    assert kind.genome(breed.best(population).genotype) == champion("chess", evochess.BRED).genome


# ---------------------------------------------------------------- games


def test_no_position_that_begins_a_game_of_breeding_begins_one_that_measures() -> None:
    game = find("checkers")

    def keys(openings: tuple[tuple[str, ...], ...]) -> set[int]:
        found = set()
        for opening in openings:
            position = game.look(game.start())
            for text in opening:
                position = game.play(position, game.parse_move(position, text))
            found.add(position.key)
        return found

    bred, measured = keys(bred_openings(game)), keys(measured_openings(game))
    assert len(bred) == len(bred_openings(game)) >= 100
    assert len(measured) == len(measured_openings(game)) >= 100
    assert not bred & measured


def test_a_pair_is_one_opening_with_both_colours_and_the_same_every_time() -> None:
    game = find("checkers")
    first, second = Rival(game, 3), Rival(game, 1)
    opening = bred_openings(game)[0]
    one, other = pair(first, second, opening)
    assert one.match.opening == other.match.opening == opening
    assert one.score + other.score > 1
    again = pair(first, second, opening)
    assert [each.match.moves for each in again] == [one.match.moves, other.match.moves]
    assert one.moves[0] + one.moves[1] == len(one.match.moves)


# ---------------------------------------------------------------- breeding


def bred_in(folder: Path, breed: Breed, generations: int, threads: int = 1, keep: int | None = None) -> History:
    """Breed to a generation in a folder; return the run."""
    run = History.open(folder, breed, keep=keep)
    with arenas_of(breed, threads) as arenas:
        for one in itertools.islice(bred(breed, run.newest, arenas), generations - run.number):
            run.add(one)
    return run


def populations(run: History) -> list[list[Population]]:
    """Return all populations, without their times."""
    return [[island.population for island in generation] for generation in run.generations]


def with_options(breed: Breed, **options: float) -> Breed:
    return msgspec.structs.replace(breed, options=breed.options | options)


def test_the_number_of_threads_does_not_change_a_run(tmp_path: Path) -> None:
    alone = populations(bred_in(tmp_path / "one", BREED, 5, 1))
    assert populations(bred_in(tmp_path / "two", BREED, 5, 2)) == alone
    assert [one[0].generation for one in alone] == list(range(6))
    assert sum(one.games for one in alone[-1]) == 5 * 2 * 4 * 2
    assert msgspec.structs.replace(BREED, seed=8).begin() != alone[0]
    for generation in alone:
        for island in generation:
            assert len({one.number for one in island.members}) == 4
            assert all(one.record.nodes <= 60 * one.record.moves for one in island.members)
    assert {one.origin for island in alone[2] for one in island.members} >= {"immigrant"}


def test_of_a_long_run_the_newest_generations_stay(tmp_path: Path) -> None:
    whole = populations(bred_in(tmp_path / "whole", BREED, 7))
    assert populations(bred_in(tmp_path / "short", BREED, 5, keep=2)) == whole[3:6]
    there = history.read(tmp_path / "short")[1]
    assert [one[0].population.generation for one in there] == [3, 4, 5]
    assert populations(bred_in(tmp_path / "short", BREED, 7, keep=2))[-2:] == whole[6:]
    path = tmp_path / "whole" / RUN
    path.write_bytes(path.read_bytes().replace(b'"members":', b'"membres":'))
    with pytest.raises(NotARun, match="can be read"):
        history.read(tmp_path / "whole")


def test_the_level_rises_when_the_best_score_enough() -> None:
    breed = with_options(msgspec.structs.replace(BREED, islands=1, migration=0), rise=0.5)
    (population,) = breed.begin()
    strong, *others = (one.number for one in population.members)
    results = [Result(strong, RIVAL, (1, 1), (1, 1), (1, 1)) for _ in range(20)]
    results += [Result(one, RIVAL, (0, 0)) for one in others]
    after = breed.advance(population, results)
    assert after.state["level"] == 2
    assert after.state["played"]["best"] == {"games": 40, "points": 40, "moves": 20, "nodes": 20}
    assert after.members[0].number == strong
    assert all(one.record.games == 0 for one in after.members)


def test_games_are_spent_where_they_tell_most(tmp_path: Path) -> None:
    breed = with_options(
        msgspec.structs.replace(BREED, islands=1, migration=0, share=0.5),
        founders=12,
        openings=3,
        halving=1,
        apart=1.0,
        elite=2,
    )
    run = bred_in(tmp_path, breed, 1)
    (begun,), (later,) = run.generations
    counts = Counter(result.first for result in later.results)
    assert sorted(counts.values()) == [1] * 6 + [2] * 3 + [3] * 3
    assert later.population.games == 42
    assert len(later.population.members) == breed.size
    before = {one.number: one for one in begun.population.members}
    for child in later.population.members[2:]:
        mother = before[child.parents[0]]
        assert child.program == mother.program or child.values == mother.values


def test_the_child_with_the_least_error_survives(monkeypatch: pytest.MonkeyPatch) -> None:
    breed = with_options(msgspec.structs.replace(BREED, islands=1, migration=0), brood=3, drill=5)
    erred: list[tuple[float, Genotype]] = []

    def errors(kind: Searches, genotypes: Sequence[Genotype], numbers: Sequence[int], level: int) -> Sequence[float]:
        assert (len(set(numbers)), level) == (5, 1)
        found = [(sum(genotype.values) % 1, genotype) for genotype in genotypes]
        erred.extend(found)
        return [error for error, _ in found]

    monkeypatch.setattr(Searches, "errors", errors)
    (population,) = breed.begin()
    after = breed.advance(population, [Result(one.number, RIVAL, (0, 0)) for one in population.members])
    children = [child.genotype for child in after.members[1:]]
    assert len(erred) == 9
    assert children == [min(erred[at : at + 3], key=lambda one: one[0])[1] for at in (0, 3, 6)]


def test_a_drill_has_the_loss_of_every_move() -> None:
    game = find("checkers")
    for number in range(5):
        position, lost = drill.task("checkers", number)
        assert set(lost) == set(position.moves)
        assert min(lost.values()) == 0
        assert max(lost.values()) < 1
    sure = Rival(game, drill.JUDGE)
    hasty = Rival(game, 1, ALPHA_BETA)
    numbers = Random(1).sample(range(POSITIONS), 30)
    assert len(set(numbers)) == 30
    assert drill.errors(sure, numbers) <= drill.errors(hasty, numbers)


def test_the_allowed_nodes_grow_with_the_rival_s_nodes() -> None:
    plain, part, all_of_it = (Searches(CHECKERS, 60, share) for share in (0.0, 0.5, 1.0))
    assert [plain.allowed(level) for level in (1, 4)] == [60, 60]
    assert part.allowed(1) == 60 < part.allowed(3) < part.allowed(4)
    assert all_of_it.allowed(4) in range(2 * part.allowed(4), 2 * part.allowed(4) + 2)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"founders": 3}, "founders"),
        ({"halving": 2}, "halving"),
        ({"halving": 0.5}, "halving must be an integer"),
        ({"level": 8}, "level"),
        ({"elite": 4}, "elite"),
        ({"rise": 2.0}, "rise"),
    ],
)
def test_options_that_cannot_be_are_refused(change: dict[str, float], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        with_options(BREED, **change).begin()


@pytest.mark.parametrize(
    ("schema", "dynamics", "why"),
    [
        ("checkers/search", "kendall-whitwell", "changes numbers only, but genomes of checkers/search have programs"),
        ("checkers/search", "cma-es", "changes numbers only"),
        ("checkers/search", "spsa", "changes numbers only"),
        ("checkers/lecture", "evochess", "needs genomes of searches"),
    ],
)
def test_dynamics_and_genomes_that_do_not_go_together_are_refused(schema: str, dynamics: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Breed(VERSION, schema, dynamics, 4, 1).begin()


def test_a_genome_of_another_schema_is_none_here() -> None:
    chess = schema_for("chess")
    with pytest.raises(ValueError, match="genes"):
        checked(CHECKERS, Genome(("horizon",), SEARCH.standard, chess.standard))
