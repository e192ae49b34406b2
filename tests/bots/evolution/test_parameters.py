# SPDX-License-Identifier: GPL-3.0-or-later
"""Search parameters of any game without dice as genomes: what changes, the saved data bot, and the start from one."""

import json
from pathlib import Path
from typing import Any

import pytest

from arena.cli import main
from bots.data.format import read
from bots.evolution.breeding import VERSION, Breed, arenas_of, first, played
from bots.evolution.kinds.parameters import Parameters
from bots.evolution.refereed import RESIGNS
from engine.games import find
from engine.match.machine import Match
from engine.search.margins import MARGINS, PARAMETERS

TUNED = {name: row for name, row in PARAMETERS.items() if row.step}
QUICK = ("--dynamics", "spsa", "--population", "4", "--plies", "80", "--nodes", "60", "--generations", "2")


def tuned(out: Path, capsys: pytest.CaptureFixture[str], schema: str, *arguments: str) -> Any:
    """Return what the command prints for programs."""
    words = ("--game", schema.partition("/")[0], "--schema", schema, "--seed", "3", *QUICK)
    assert main(["evolve", "--out", str(out), *words, *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("dynamics", ["spsa", "cma-es", "kendall-whitwell"])
def test_the_parameters_that_games_can_tune_change_and_the_others_stay(dynamics: str) -> None:
    breed = Breed(VERSION, "checkers/parameters", dynamics, 4, 7, nodes=60, plies=80)
    generation = first(breed)
    with arenas_of(breed, 2) as arenas:
        generation = played(breed, [one.population for one in generation], arenas)
    population, kind = generation[0].population, breed.genes
    assert isinstance(kind, Parameters)
    assert population.games == 2 * len(generation[0].results)
    players = [kind.player(member.genotype) for member in population.members]
    assert {one.evaluation.name for one in players} == {"lecture"}
    for name, row in TUNED.items():
        values = [getattr(one.margins, name) for one in players]
        assert len({*values, row.default}) > 1
        assert all(row.least <= value <= row.most for value in values)
    for name in PARAMETERS.keys() - TUNED.keys():
        assert {getattr(one.margins, name) for one in players} == {getattr(MARGINS, name)}


def test_a_pair_of_games_is_a_function_of_its_seed_and_keeps_the_rules() -> None:
    breed = Breed(VERSION, "checkers/parameters", "spsa", 2, 7, nodes=60, plies=300)
    kind, game = breed.genes, find("checkers")
    members = breed.begin()[0].members
    one, other = (kind.player(member.genotype) for member in members[1:])
    assert kind.tables is not None
    for seat in (0, 1):
        found, again = (kind.tables().play(one, other, 5, seat) for _ in range(2))
        assert found.match.moves == again.match.moves
        assert found.score == again.score
        assert sum(found.moves) == found.match.ply - len(found.match.opening)
        referee = Match(game, opening=found.match.opening, adjudication=RESIGNS)
        for moved in found.match.moves:
            referee.play(moved.seat, moved.move, info=moved.info)
        assert referee.ending == found.match.ending


def test_the_best_parameters_are_a_data_bot_with_which_tuning_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = tuned(tmp_path / "run", capsys, "checkers/parameters/material")
    saved = read((tmp_path / "run" / "best.json").read_bytes())
    assert saved.games["checkers"].evaluation == "material"
    assert saved.nodes == 60
    assert saved.description == "Search parameters of a run of spsa, seed 3, generation 2."
    assert saved.parameters == {name: round(value) for name, value in told["best_genome"].items()}
    assert saved.margins != MARGINS
    best = str(tmp_path / "run" / "best.json")
    more = tuned(tmp_path / "more", capsys, "checkers/parameters/material", "--guest", best, "--generations", "0")
    assert more["best_genome"] == saved.parameters
    bots = [f"data:{tmp_path / name / 'best.json'}" for name in ("run", "more")]
    assert main(["match", *bots, "--game", "checkers", "--games", "2"]) == 0
    capsys.readouterr()
    assert main(["evolve", "--show", str(tmp_path / "run")]) == 0
    assert all(name in capsys.readouterr().out for name in list(TUNED)[:1])


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--game", "einstein", "--schema", "einstein/parameters"), "einstein has none"),
        (("--game", "chess", "--schema", "chess/parameters/nonsense"), "no kind of genomes is called"),
        (("--game", "nim", "--schema", "nim/parameters", "--weights", "x.json"), "begin with random weights"),
        (("--game", "nim", "--schema", "nim/parameters", "--guest", "x.json"), "x.json"),
        (("--game", "nim", "--schema", "nim/parameters", "--guest", "other.json"), "does not play nim by"),
        (("--game", "checkers", "--schema", "checkers/parameters", "--guest", "exact.json"), "only the search play"),
        (("--game", "nim", "--schema", "nim/parameters", "--dynamics", "evochess"), "needs genomes of searches"),
        (("--game", "checkers", "--schema", "checkers/parameters", *["--guest", "plain.json"] * 2), "near one guest"),
    ],
)
def test_invalid_input_is_refused_before_any_game(
    arguments: tuple[str, ...],
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, algorithm in (("plain", "play"), ("exact", "advanced"), ("other", "play")):
        bot = {"kind": "search", "version": 1, "games": {"checkers": {}}, "algorithm": algorithm}
        Path(f"{name}.json").write_text(json.dumps(bot))
    assert main(["evolve", "--out", "run", *QUICK, *arguments]) == 2
    assert why in capsys.readouterr().err
    assert not Path("run").exists()
