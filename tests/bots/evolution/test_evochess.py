# SPDX-License-Identifier: GPL-3.0-or-later
"""Search genomes, the games that select them, and breeding on islands."""

import json
from pathlib import Path
from random import Random

import msgspec
import pytest

from bots.bot import Reply, Turn
from bots.catalogue import UnknownBot, make, maker_of
from bots.evolution import evochess, history
from bots.evolution.evochess import drill, run
from bots.evolution.evochess.bot import SearchGenomeBot, label
from bots.evolution.evochess.breeding import (
    VERSION,
    Breeding,
    Generation,
    Guest,
    Individual,
    RunSettings,
    allowed,
    checked_course,
)
from bots.evolution.evochess.contests import bred_openings, measured_openings, pair
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
from bots.evolution.evochess.player import Player
from bots.evolution.genome import EVOCHESS, SCHEMAS
from bots.evolution.history import BEST, RUN, NotARun
from bots.evolution.rivals import ALPHA_BETA, Rival
from bots.local import Entrant, play
from engine.games import find
from engine.search.margins import NEUTRAL, PARAMETERS

CHECKERS = schema_for("checkers")
NODES = 200_000_000
"""More than a search visits in a minute."""
OF_MODELS = {name: row.default for name, row in PARAMETERS.items() if row.models}
COURSE = RunSettings(VERSION, "checkers", 7, size=4, islands=2, nodes=60, openings=1, elite=1, migrate=2, plies=40)


def without_clock(generation: Generation) -> Generation:
    return msgspec.structs.replace(generation, seconds=0.0)


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
        run.read(tmp_path)
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


def test_champions_ship_with_their_lineage() -> None:
    assert "chess" in champion_games()
    for game in champion_games():
        kept = champion(game)
        assert kept.schema.game == game
        text = (Path(evochess.__file__).parent / "champions" / f"{game}.json").read_text()
        assert {"seed", "generation", "parents"} <= set(json.loads(text)["lineage"])
    with pytest.raises(KeyError, match="nim"):
        champion("nim")
    assert make("evochess").games == champion_games()


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


# ---------------------------------------------------------------- islands


def test_the_number_of_threads_does_not_change_a_run(tmp_path: Path) -> None:
    alone = [without_clock(one) for one in run.bred(tmp_path / "one", COURSE, 4, 1)]
    both = [without_clock(one) for one in run.bred(tmp_path / "two", COURSE, 4, 2)]
    assert alone == both
    assert [one.number for one in alone] == [0, 1, 2, 3, 4]
    assert alone[-1].games == 5 * 2 * 4 * 2
    other = msgspec.structs.replace(COURSE, seed=8)
    assert without_clock(next(iter(run.bred(tmp_path / "three", other, 0)))) != alone[0]
    for generation in alone:
        numbers = [one.number for island in generation.islands for one in island.members]
        assert len(set(numbers)) == 8
        assert max(numbers) < generation.next_number
        for island in generation.islands:
            assert all(checked(CHECKERS, one.genome) == one.genome for one in island.members)
            assert all(one.nodes <= 60 * one.moves for one in island.members)
    assert {one.origin for island in alone[2].islands for one in island.members} >= {"immigrant"}


def test_a_run_goes_on_where_a_kill_cut_it_off(tmp_path: Path) -> None:
    whole = [without_clock(one) for one in run.bred(tmp_path / "whole", COURSE, 3)]
    list(run.bred(tmp_path / "cut", COURSE, 2))
    path = tmp_path / "cut" / RUN
    path.write_bytes(path.read_bytes()[:-40])
    assert [without_clock(one) for one in run.bred(tmp_path / "cut", COURSE, 3)] == whole
    assert [without_clock(one) for one in run.bred(tmp_path / "cut", COURSE, 1)] == whole
    assert (tmp_path / "cut" / BEST).read_text() == (tmp_path / "whole" / BEST).read_text()
    with pytest.raises(NotARun, match="nodes differ"):
        list(run.bred(tmp_path / "cut", msgspec.structs.replace(COURSE, nodes=70), 3))
    path.write_bytes(path.read_bytes().replace(b'"level":', b'"lever":'))
    with pytest.raises(NotARun, match="can be read"):
        list(run.bred(tmp_path / "cut", COURSE, 3))


def test_of_a_long_run_the_newest_generations_stay(tmp_path: Path) -> None:
    whole = [without_clock(one) for one in run.bred(tmp_path / "whole", COURSE, 7)]
    assert [without_clock(one) for one in run.bred(tmp_path / "short", COURSE, 5, keep=2)] == whole[:6]
    _, there, _ = run.read(tmp_path / "short")
    assert [one.number for one in there] == [3, 4, 5]
    assert [without_clock(one) for one in run.bred(tmp_path / "short", COURSE, 7, keep=2)] == whole[3:]
    path = tmp_path / "whole" / RUN
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], *lines[3:]]))
    with pytest.raises(NotARun, match="is not generation 1"):
        run.read(tmp_path / "whole")


def test_guests_play_and_stand_in_the_run(tmp_path: Path) -> None:
    guests = [Guest(8, standard(CHECKERS))]
    *_, newest = run.bred(tmp_path, COURSE, 1, guests=lambda: guests)
    (one,) = (one for island in newest.islands for one in island.members if one.migration and one.born == 1)
    assert (one.migration, one.origin, one.genome) == (8, "immigrant", checked(CHECKERS, standard(CHECKERS)))
    assert one.games == 2 * COURSE.openings
    assert run.read(tmp_path)[1][-1] == newest


def test_the_level_rises_when_the_best_score_enough() -> None:
    schema = COURSE.schema
    course = msgspec.structs.replace(COURSE, islands=1, rise=0.5)
    with Breeding(course) as breeding:
        generation = next(breeding.follow())
    strong = msgspec.structs.replace(
        generation.islands[0].members[0], genome=standard(schema), games=40, points=39.0, moves=1, nodes=1
    )
    island = msgspec.structs.replace(generation.islands[0], members=(strong, *generation.islands[0].members[1:]))
    after = breeding.bred(msgspec.structs.replace(generation, islands=(island,))).islands[0]
    assert after.level == 2
    assert after.members[0].number == strong.number
    assert all(one.games == 0 for one in after.members)


def test_games_are_spent_where_they_tell_most(tmp_path: Path) -> None:
    course = msgspec.structs.replace(
        COURSE, islands=1, founders=12, openings=3, halving=1, apart=1.0, share=0.5, elite=2, migrate=1
    )
    first, second = [without_clock(one) for one in run.bred(tmp_path / "one", course, 1)]
    (begun,), (later,) = first.islands, second.islands
    assert sorted(one.games for one in begun.members) == [2] * 6 + [4] * 3 + [6] * 3
    assert first.games == 42
    assert len(later.members) == course.size
    assert later.members[0].number == begun.ranked[0].number
    before = {one.number: one.genome for one in begun.members}
    for child in later.members[course.elite :]:
        mother = before[child.parents[0]]
        same = child.genome.program == mother.program
        assert same or (child.genome.search, child.genome.weights) == (mother.search, mother.weights)
    assert [without_clock(one) for one in run.bred(tmp_path / "two", course, 1, 2)] == [first, second]


def test_the_child_with_the_least_error_survives(tmp_path: Path) -> None:
    course = msgspec.structs.replace(COURSE, islands=1, brood=3, drill=5)
    alone, both = (
        [without_clock(one) for one in run.bred(tmp_path / str(threads), course, 1, threads)] for threads in (1, 2)
    )
    assert alone == both
    schema, game = course.schema, find("checkers")
    with Breeding(course) as breeding:
        brood = [
            Individual(number, Genome((depth,), SEARCH.standard, schema.standard), 0, "mutant")
            for number, depth in enumerate((0.0, 5.0, -3.0))
        ]
        (left,) = breeding._fledged([brood], 1, range(20))
    erred = {
        one.number: drill.errors(Player(game, express(schema, one.genome), course.nodes), range(20)) for one in brood
    }
    assert erred[left.number] == min(erred.values())


def test_a_drill_has_the_loss_of_every_move() -> None:
    game = find("checkers")
    for number in range(5):
        position, lost = drill.task("checkers", number)
        assert set(lost) == set(position.moves)
        assert min(lost.values()) == 0
        assert max(lost.values()) < 1
    sure = Rival(game, drill.JUDGE)
    hasty = Rival(game, 1, ALPHA_BETA)
    numbers = drill.drawn(Random(1), 30)
    assert len(set(numbers)) == 30
    assert drill.errors(sure, numbers) <= drill.errors(hasty, numbers)


def test_the_allowed_nodes_grow_with_the_rival_s_nodes() -> None:
    assert [allowed(COURSE, level) for level in (1, 4)] == [60, 60]
    part = msgspec.structs.replace(COURSE, share=0.5)
    assert allowed(part, 1) == 60 < allowed(part, 3) < allowed(part, 4)
    assert allowed(msgspec.structs.replace(COURSE, share=1.0), 4) in range(
        2 * allowed(part, 4), 2 * allowed(part, 4) + 2
    )


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"size": 1}, "size"),
        ({"founders": 3}, "founders"),
        ({"halving": 2}, "halving"),
        ({"nodes": 0}, "nodes"),
        ({"level": 8}, "level"),
        ({"elite": 4}, "elite"),
        ({"rise": 2.0}, "rise"),
    ],
)
def test_a_course_that_cannot_be_run_is_refused(change: dict[str, float], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        checked_course(msgspec.structs.replace(COURSE, **change))


def test_a_genome_of_another_schema_is_none_here() -> None:
    chess = schema_for("chess")
    with pytest.raises(ValueError, match="genes"):
        checked(CHECKERS, Genome(("horizon",), SEARCH.standard, chess.standard))
