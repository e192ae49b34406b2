# SPDX-License-Identifier: GPL-3.0-or-later
"""A run that is killed goes on to the same result, for each pair of dynamics and genomes in each game."""

import subprocess
import sys
from pathlib import Path
from time import sleep

import msgspec
import pytest

from bots.evolution.evochess.genome import SCHEMAS as SEARCHED
from bots.evolution.evochess.genome import schema_for as search_of
from bots.evolution.evochess.genome import standard, write
from bots.evolution.genome import schema_for
from bots.evolution.history import BEST, RUN
from tests.forked import starts

NUMERIC = ("kendall-whitwell", "generational", "moran", "cma-es", "spsa")
PROGRAMS = ("generational", "moran", "evochess")
AROUND_ONE = ("kendall-whitwell", "cma-es", "spsa")
"""Dynamics that change the numbers of a given search."""
PAIRS = [(game, schema_for(game).name, dynamics) for game in SEARCHED for dynamics in NUMERIC]
PAIRS += [(game, f"{game}/search", dynamics) for game in SEARCHED for dynamics in (*PROGRAMS, *AROUND_ONE)]
PAIRS += [("checkers", "checkers/parameters", dynamics) for dynamics in NUMERIC]
PAIRS += [("matrix", "matrix/pure", dynamics) for dynamics in ("generational", "moran")]
PAIRS += [("matrix", "matrix/mixed", dynamics) for dynamics in ("kendall-whitwell", "generational", "moran", "spsa")]
QUICK = {("checkers", "checkers/lecture", "spsa"), ("checkers", "checkers/search", "evochess")}
GENERATIONS = {"matrix": 300}
"""Generations of a run by game; of others 4."""


def count_of(game: str) -> int:
    """Return the number of generations; those without games are quick."""
    return GENERATIONS.get(game, 4)


def command(folder: Path, game: str, schema: str, dynamics: str) -> list[str]:
    sizes = ("--population", "6", "--generations", str(count_of(game)), "--seed", "3", "--plies", "40", "--nodes", "40")
    few = ("--option", "openings=1") if dynamics == "evochess" else ()
    if schema == f"{game}/search" and dynamics in AROUND_ONE:
        (guest := folder.parent / "guest.json").write_text(write(search_of(game), standard(search_of(game)), 40))
        few = ("--guest", str(guest))
    if game == "matrix":
        (matrix := folder.parent / "matrix.csv").write_text(
            ",rock,paper,scissors\nrock,0,-1,1\npaper,1,0,-1\nscissors,-1,1,0\n"
        )
        few = ("--matrix", str(matrix))
    kinds = ("--game", game, "--schema", schema, "--dynamics", dynamics, "--depth", "2")
    return [sys.executable, "-m", "arena.cli", "evolve", "--out", str(folder), *kinds, *sizes, *few, "--json"]


def generations(folder: Path) -> list[object]:
    """Return all saved generations without their times."""
    path = folder / RUN
    lines = (
        [line for line in path.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")] if path.exists() else []
    )
    stored = [msgspec.json.decode(line, type=list[dict[str, object]]) for line in lines[1:]]
    return [[(island["population"], island["results"]) for island in generation] for generation in stored]


@pytest.mark.parametrize(
    ("game", "schema", "dynamics"),
    [pytest.param(*pair, marks=() if pair in QUICK else pytest.mark.long) for pair in PAIRS],
)
def test_a_killed_run_goes_on_to_the_same_result(game: str, schema: str, dynamics: str, tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    with starts():
        subprocess.run(command(whole, game, schema, dynamics), check=True, capture_output=True)
    with subprocess.Popen(command(cut, game, schema, dynamics), stdout=subprocess.DEVNULL) as process:
        while process.poll() is None and len(generations(cut)) < 2:
            sleep(0.005)  # a file tells nobody that it grows
        process.kill()
    assert len(generations(cut)) >= 2
    with (cut / RUN).open("ab") as file:
        file.write(b'[{"population":')
    with starts():
        subprocess.run(command(cut, game, schema, dynamics), check=True, capture_output=True)
    assert len(generations(whole)) == count_of(game) + 1
    assert generations(cut) == generations(whole)
    assert (cut / BEST).read_bytes() == (whole / BEST).read_bytes()
