# SPDX-License-Identifier: GPL-3.0-or-later
"""``arena evolve``: runs, islands, joining an arena, and ``--show``."""

import functools
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.cli import main
from bots import weights
from bots.evolution import genome
from bots.evolution.breeding import Breed
from bots.evolution.evochess import contests
from bots.evolution.evochess.genome import read, schema_for, standard, write
from bots.evolution.evochess.searches import genotype_of
from bots.evolution.history import read as read_run
from engine.games import find

QUICK = ("--game", "checkers", "--population", "8", "--plies", "60", "--seed", "5")


def evolved(capsys: pytest.CaptureFixture[str], out: Path, *arguments: str) -> Any:
    """Return what the command prints for programs."""
    assert main(["evolve", "--out", str(out), *QUICK, *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_run_is_continued_and_reset_to_an_earlier_generation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = evolved(capsys, tmp_path / "run", "--generations", "6", "--threads", "2")
    assert (told["generation"], told["games"], told["game"]) == (6, 48, "checkers")
    assert told["games_per_second"] > 0
    assert told["evaluations_per_second"] > 0
    assert told["mean"].keys() == told["sigma"].keys() == told["best_genome"].keys()
    schema, values = genome.read(Path(told["best"]).read_bytes())
    assert list(told["best_genome"].values()) == list(values)
    assert schema.name == told["schema"]
    evolved(capsys, tmp_path / "parts", "--generations", "2")
    again = evolved(capsys, tmp_path / "parts", "--generations", "6")
    same = ("mean", "sigma", "best_genome", "games")
    assert [again[name] for name in same] == [told[name] for name in same]
    again = evolved(capsys, tmp_path / "parts", "--generations", "6", "--from", "3")
    assert [again[name] for name in same] == [told[name] for name in same]
    assert evolved(capsys, tmp_path / "parts", "--generations", "6")["games_per_second"] is None


def test_islands_evolve_by_the_same_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--islands", "2", "--migration", "2", "--generations")
    told = evolved(capsys, tmp_path / "run", *arguments, "4", "--threads", "2")
    assert (told["generation"], told["games"], len(told["islands"])) == (4, 2 * 32, 2)
    assert told["best_genome"] == told["islands"][told["best_island"] - 1]["best_genome"]
    _, values = genome.read(Path(told["best"]).read_bytes())
    assert list(told["best_genome"].values()) == list(values)
    evolved(capsys, tmp_path / "parts", *arguments, "3")
    assert main(["evolve", "--out", str(tmp_path / "parts"), *QUICK, *arguments, "4"]) == 0
    assert "the best genome, of island" in capsys.readouterr().out
    again = evolved(capsys, tmp_path / "parts", *arguments, "4")
    assert [one["mean"] for one in again["islands"]] == [one["mean"] for one in told["islands"]]
    assert main(["evolve", "--show", str(tmp_path / "parts"), "--island", "2"]) == 0
    assert main(["evolve", "--show", str(tmp_path / "parts"), "--island", "3"]) == 2
    assert "--island must be from 1 to 2 (got 3)" in capsys.readouterr().err


def test_the_output_for_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evolve", "--out", str(tmp_path), *QUICK, "--generations", "2"]) == 0
    told = capsys.readouterr().out
    assert "generation 2 of kendall-whitwell, after 16 games" in told
    assert "king in the centre" in told
    plot = tmp_path / "weights.svg"
    assert main(["evolve", "--show", str(tmp_path), "--plot", str(plot)]) == 0
    told = capsys.readouterr().out
    assert "born in generation" in told
    assert "king in the centre" in plot.read_text(encoding="utf-8")
    before = plot.read_bytes()
    assert main(["evolve", "--show", str(tmp_path), "--plot", str(plot), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [one["generation"] for one in answer["generations"]] == [0, 1, 2]
    assert answer["lineage"][-1]["parents"] == [] or len(answer["lineage"]) == 11
    assert plot.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--game", "nim"], "these dynamics have no usual genomes of nim"),
        (["--game", "chequers"], "no game is called 'chequers'"),
        (
            ["--game", "nim", "--schema", "nim/search"],
            "no kind of genomes is called 'nim/search'; nim has nim/parameters",
        ),
        (["--game", "chess", "--schema", "checkers/lecture"], "is for checkers, not for chess"),
        (["--population", "1"], "--population must be 2 or more, and at most 10000 (got 1)"),
        (["--threads", "0"], "--threads must be 1 or more"),
        (["--generations", "-1"], "--generations must be 0 or more"),
        (["--depth", "9"], "--depth must be 1 or more, and at most 6"),
        (["--dynamics", "cma-es", "--population", "3"], "at least four samples"),
        (["--option", "speed=3"], "kendall-whitwell has no option 'speed'; there are walk"),
        (["--option", "walk"], "'walk' is not an option; write NAME=NUMBER"),
        (["--islands", "0"], "--islands must be 1 or more, and at most 100"),
        (["--schema", "checkers/search", "--game", "checkers"], "changes numbers only"),
        (["--islands", "2", "--dynamics", "cma-es", "--population", "4"], "cannot run on islands"),
        (["--from", "4"], "has no generation 4"),
    ],
)
def test_invalid_arguments_are_refused(
    arguments: list[str], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evolve", "--out", str(tmp_path / "run"), "--generations", "0", *arguments]) == 2
    assert why in capsys.readouterr().err


def test_a_folder_that_holds_something_else_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "run.jsonl").write_text('{"what": 1}\n')
    assert main(["evolve", "--out", str(tmp_path), *QUICK, "--generations", "1"]) == 2
    assert "holds no run of breeding that can be read" in capsys.readouterr().err
    assert main(["evolve", "--show", str(tmp_path)]) == 2
    assert main(["evolve", "--show", str(tmp_path / "nowhere")]) == 2
    assert "holds no run of breeding" in capsys.readouterr().err
    assert (tmp_path / "run.jsonl").read_text() == '{"what": 1}\n'
    evolved(capsys, tmp_path / "run", "--generations", "0")
    assert main(["evolve", "--out", str(tmp_path / "run"), *QUICK, "--dynamics", "moran"]) == 2
    assert "holds another run: dynamics differ" in capsys.readouterr().err
    assert main(["evolve", "--show", str(tmp_path / "run"), "--plot", str(tmp_path / "plot.gif")]) == 2
    assert "ends in none of .svg, .png, .pdf" in capsys.readouterr().err


HAWK_DOVE = ",hawk,dove\nhawk,-1,2\ndove,0,1\n"


def test_strategies_of_a_matrix_evolve_continue_and_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (file := tmp_path / "hawk-dove.csv").write_text(HAWK_DOVE)
    begins = ("--start", "hawk=2", "--start", "dove=10", "--mutation", "0.01")
    command = ["evolve", "--schema", "matrix/pure", "--matrix", str(file), *begins]
    command += ["--dynamics", "moran", "--population", "12", "--seed", "4"]
    answers = []
    for folder, generations in (("whole", "6"), ("parts", "3"), ("parts", "6")):
        words = [*command, "--out", str(tmp_path / folder), "--generations", generations, "--json"]
        assert main(words) == 0
        answers.append(json.loads(capsys.readouterr().out))
    whole, _, parts = answers
    assert whole["shares"] == parts["shares"]
    assert sum(whole["shares"].values()) == pytest.approx(1)
    assert (whole["game"], whole["games"], whole["games_per_second"]) == ("matrix", 0, None)
    best, again = ((tmp_path / name / "best.json").read_bytes() for name in ("whole", "parts"))
    assert best == again
    assert sorted(json.loads(best)["strategy"].values()) == [0, 1]
    file.unlink()
    assert main(["evolve", "--show", str(tmp_path / "whole")]) == 0
    told = capsys.readouterr().out
    assert told.splitlines()[0].split() == ["generation", "hawk", "dove", "mean", "payoff"]
    assert told.splitlines()[1].split()[:3] == ["0", "0.167", "0.833"]
    plot = tmp_path / "shares.svg"
    assert main(["evolve", "--show", str(tmp_path / "whole"), "--plot", str(plot), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["generations"][0]["shares"] == {"hawk": 2 / 12, "dove": 10 / 12}
    assert shown["lineage"][0]["strategy"].keys() == {"hawk", "dove"}
    assert "share of the population" in plot.read_text(encoding="utf-8")
    file.write_text(HAWK_DOVE.replace("-1", "-2"))
    assert main([*command, "--out", str(tmp_path / "whole"), "--generations", "7"]) == 2
    assert "holds another run: matrix differ" in capsys.readouterr().err


def test_mixed_strategies_of_a_matrix_evolve_by_the_same_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (file := tmp_path / "hawk-dove.csv").write_text(HAWK_DOVE)
    command = ["evolve", "--schema", "matrix/mixed", "--matrix", str(file), "--out", str(tmp_path / "run")]
    assert main([*command, "--population", "8", "--islands", "2", "--migration", "2", "--generations", "4"]) == 0
    told = capsys.readouterr().out
    assert told.splitlines()[0].split() == ["strategy", "share", "payoff", "best"]
    assert "generation 4 of kendall-whitwell\n" in told
    assert "games" not in told


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--schema", "matrix/pure"], "genomes of matrix/pure need --matrix FILE"),
        (["--schema", "matrix/both", "--matrix", "FILE"], "no kind of genomes is called 'matrix/both'"),
        (["--game", "matrix", "--matrix", "FILE"], "choose matrix/pure, matrix/mixed"),
        (["--matrix", "FILE"], "choose --schema matrix/pure or matrix/mixed"),
        (["--schema", "matrix/pure", "--matrix", "FILE"], "are names of strategies; choose matrix/mixed"),
        (["--schema", "matrix/mixed", "--matrix", "FILE", "--dynamics", "cma-es"], "cma-es needs games"),
        (["--schema", "matrix/mixed", "--matrix", "FILE", "--start", "hawk=1"], "need --schema matrix/pure"),
        (["--schema", "matrix/mixed", "--matrix", "nowhere.csv"], "nowhere.csv: No such file or directory"),
        (["--schema", "matrix/mixed", "--matrix", "."], ". is not a file"),
        (["--schema", "matrix/mixed", "--start", "hawk=1"], "--start and --mutation need --matrix"),
        (
            ["--schema", "matrix/pure", "--matrix", "FILE", "--start", "hawk"],
            "--start 'hawk' is not a number of members",
        ),
        (["--schema", "matrix/pure", "--matrix", "FILE", "--mutation", "nan"], "must be from 0 to 1 (got nan)"),
        (
            ["--schema", "matrix/mixed", "--matrix", "FILE", "--guest", "x.json"],
            "genomes of matrix/mixed have no guests",
        ),
        (["--game", "chess", "--schema", "matrix/pure", "--matrix", "FILE"], "is for matrix, not for chess"),
    ],
)
def test_invalid_arguments_of_a_matrix_are_refused(
    arguments: list[str], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (file := tmp_path / "hawk-dove.csv").write_text(HAWK_DOVE)
    words = [str(file) if word == "FILE" else word for word in arguments]
    assert main(["evolve", "--out", str(tmp_path / "run"), "--generations", "1", *words]) == 2
    assert why in capsys.readouterr().err


STEERED = ("--dynamics", "evochess", "--game", "checkers", "--population", "4", "--plies", "30", "--seed", "5")
FEW = ("--nodes", "50", "--option", "openings=1", "--option", "elite=1", "--islands", "2")


def test_evolved_searches_evolve_by_the_same_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["evolve", "--out", str(tmp_path), *STEERED, *FEW]
    assert main([*command, "--generations", "2"]) == 0
    told = capsys.readouterr().out
    assert "generation 2: rivals of depth 1" in told
    assert "remaining depth: " in told
    assert main([*command, "--generations", "3", "--threads", "2", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["generation"], answer["games"], len(answer["islands"])) == (3, 48, 2)
    island = str(answer["best_island"])
    plot = tmp_path / "scores.svg"
    assert main(["evolve", "--show", str(tmp_path), "--island", island, "--plot", str(plot)]) == 0
    told = capsys.readouterr().out
    assert answer["best_member"]["program"] in told
    assert "score against the rival" in plot.read_text("utf-8")
    assert "born in generation" in told
    assert main(["evolve", "--show", str(tmp_path), "--island", island, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["generation"] for one in told["generations"]] == [0, 1, 2, 3]
    assert told["lineage"][0] == answer["best_member"]


@pytest.fixture
def few_openings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let evolution begin its games from 20 openings. All 400 of chess take ten seconds of processor time."""
    monkeypatch.setattr(contests, "suite", functools.cache(contests.suite.__wrapped__))
    monkeypatch.setattr(contests, "BRED", 20)
    monkeypatch.setattr(contests, "MEASURED", 20)


@pytest.mark.usefixtures("few_openings")
def test_all_may_begin_with_weights_that_were_fitted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chess, folder = find("chess"), tmp_path / "run"
    usual = chess.evaluations["evochess"]
    fitted = replace(usual, weights=(110, *usual.weights[1:]))
    (path := tmp_path / "fitted.json").write_text(weights.as_json(chess, fitted))
    command = ["evolve", "--out", str(folder), *STEERED, *FEW, "--game", "chess", "--generations", "0"]
    assert main([*command, "--weights", str(path)]) == 0
    kept = read((folder / "best.json").read_text())
    assert kept.genome.weights == tuple(map(float, fitted.weights))
    assert kept.lineage["weights"] == "the first members' were given"
    assert main(command) == 2
    assert "weights differ" in capsys.readouterr().err
    assert main([*command, "--dynamics", "moran", "--weights", str(path)]) == 2
    assert "genomes of chess/men-and-mobility begin with random weights" in capsys.readouterr().err
    path.write_text(weights.as_json(chess, replace(usual, weights=(500, *usual.weights[1:]))))
    assert main([*command, "--weights", str(path)]) == 2
    assert "pawn is 500, not from 85 to 115" in capsys.readouterr().err
    path.write_text(weights.as_json(chess, chess.evaluations["kendall-whitwell"]))
    assert main([*command, "--weights", str(path)]) == 2
    assert "the weights are for kendall-whitwell, not for chess/evochess" in capsys.readouterr().err
    path.write_text("{}")
    assert main([*command, "--weights", str(path)]) == 2
    assert str(path) in capsys.readouterr().err


def test_guests_are_among_the_first_and_lineages_say_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    schema, folder = schema_for("checkers"), tmp_path / "run"
    (path := tmp_path / "made.json").write_text(write(schema, standard(schema), 100))
    command = ["evolve", "--out", str(folder), *STEERED, *FEW, "--generations", "1"]
    assert main([*command, "--guest", str(path)]) == 0
    breed, generations = read_run(folder)
    made = genotype_of(standard(schema))
    assert breed.guests == (made,)
    first = [member for island in generations[0] for member in island.population.members]
    assert [member.genotype for member in first if member.origin == "guest"] == [made] * 2
    assert read((folder / "best.json").read_text()).lineage["guests"] == 1
    capsys.readouterr()
    assert main([*command, *["--guest", str(path)] * 5]) == 2
    assert "places for 4 guests, not for 5" in capsys.readouterr().err
    assert main([*command, "--game", "chess", "--guest", str(path)]) == 2
    assert "the genome has the schema checkers/lecture, not chess/evochess" in capsys.readouterr().err
    path.write_text("{}")
    assert main([*command, "--guest", str(path)]) == 2
    assert str(path) in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--game", "nim"], "these dynamics have no usual genomes of nim"),
        (["--nodes", "0"], "nodes must be"),
        (["--option", "level=1.5"], "must be an integer"),
        (["--option", "walk=1"], "no option 'walk'"),
        (["--option", "level"], "write NAME=NUMBER"),
        (["--population", "3"], "elite must be"),
        (["--arena", "http://127.0.0.1:9"], "one option must say where to run"),
    ],
)
def test_invalid_arguments_of_evochess_are_refused(
    arguments: list[str], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evolve", "--out", str(tmp_path / "run"), *STEERED, *arguments]) == 2
    assert why in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ([], "--out DIR, --arena URL or --join URL"),
        (["--out", "x", "--arena", "http://127.0.0.1:9"], "one option must say where to run"),
        (["--join", "http://127.0.0.1:9"], "no token: set --token"),
        (["--join", "http://127.0.0.1:9", "--token", "t", "--dynamics", "moran"], "--join needs --dynamics evochess"),
        (["--join", "http://127.0.0.1:9", "--token", "t", "--islands", "2"], "--join runs one island"),
        (["--join", "http://127.0.0.1:9", "--token", "t", "--pace", "-1"], "--pace must be 0 or more"),
        (["--join", "nowhere", "--token", "t"], "is not an address of an arena"),
        (["--join", "http://127.0.0.1:9", "--token", "t", "--option", "speed=3"], "evochess has no option 'speed'"),
        (["--join", "http://127.0.0.1:9", "--token", "t"], "http://127.0.0.1:9 does not answer: Connection refused"),
    ],
)
def test_a_refused_island_reports_the_reason(
    arguments: list[str], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    # at once: the first generation, which compiles the rules, is not made before
    monkeypatch.setattr(Breed, "begin", None)
    assert main(["evolve", *arguments]) == 2
    assert why in capsys.readouterr().err
