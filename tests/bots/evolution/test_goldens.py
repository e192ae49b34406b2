# SPDX-License-Identifier: GPL-3.0-or-later
"""Golden runs: a seed leads to the same best genome as before, for each dynamics and kind of genome."""

import functools
import hashlib
import json
from pathlib import Path

import pytest

from arena.cli import main
from bots.evolution.evochess import contests, drill, searches

WEIGHTS = ("--population", "8", "--plies", "60", "--seed", "11", "--generations", "4")
SEARCHES = (
    *("--dynamics", "evochess", "--population", "6", "--plies", "60", "--seed", "12", "--generations", "6"),
    *("--nodes", "50", "--option", "openings=2", "--option", "elite=1"),
)
ISLANDS = ("--islands", "2", "--migration", "1")
FRUGAL = (
    *("--option", "founders=8", "--option", "halving=1", "--option", "apart=0.5", "--option", "rise=0.1"),
    *("--option", "brood=2", "--option", "drill=4", "--share", "0.5"),
)
DIGESTS = {
    "checkers/kendall-whitwell": ("434b52376f59a59d", (*WEIGHTS, "--dynamics", "kendall-whitwell")),
    "checkers/kendall-whitwell, walk": (
        "4120e48966ae5a47",
        (*WEIGHTS, "--dynamics", "kendall-whitwell", "--option", "walk=1"),
    ),
    "checkers/generational": ("42f47c7cad7cdf6c", (*WEIGHTS, "--dynamics", "generational")),
    "checkers/moran": ("c9261d6adac38fdb", (*WEIGHTS, "--dynamics", "moran")),
    "checkers/cma-es": ("bcc145174719d0c7", (*WEIGHTS, "--dynamics", "cma-es")),
    "checkers/spsa": ("06c25b96b8a5e96d", (*WEIGHTS, "--dynamics", "spsa")),
    "checkers/islands": ("6766a4e147a58eb6", (*WEIGHTS, "--dynamics", "kendall-whitwell", *ISLANDS)),
    "chess/kendall-whitwell": ("ff52937412100ab5", (*WEIGHTS, "--dynamics", "kendall-whitwell", "--depth", "2")),
    "checkers/evochess": ("d44379fef1446d27", SEARCHES),
    "checkers/evochess, islands": ("fccd9d589f9bb2e9", (*SEARCHES, *ISLANDS)),
    "checkers/evochess, frugal": ("396a52ed1e4995eb", (*SEARCHES, *FRUGAL)),
    "chess/evochess": ("1b80a52da3d2f123", SEARCHES),
}


@pytest.fixture(autouse=True)
def few_openings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let games of searches begin from 20 openings."""
    for module, name in ((contests, "suite"), (drill, "task"), (searches, "rival_nodes")):
        monkeypatch.setattr(module, name, functools.cache(getattr(module, name).__wrapped__))
    monkeypatch.setattr(contests, "BRED", 20)
    monkeypatch.setattr(contests, "MEASURED", 20)


@pytest.mark.parametrize("name", DIGESTS)
def test_a_seed_leads_to_the_same_best_genome(name: str, tmp_path: Path) -> None:
    digest, arguments = DIGESTS[name]
    assert main(["evolve", "--out", str(tmp_path), "--game", name.partition("/")[0], *arguments, "--json"]) == 0
    best = json.loads((tmp_path / "best.json").read_bytes())
    genome = {name: best[name] for name in ("program", "search", "weights", "values") if name in best}
    assert hashlib.sha256(json.dumps(genome).encode()).hexdigest()[:16] == digest
