# SPDX-License-Identifier: GPL-3.0-or-later
"""The proofs by name, and their pages under docs/reports/stress: the guarantee, the method, and the figures.

The docstring of a proof is the title and the text of its page.
"""

import inspect
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from lab.proofs.attacks import api, conformance, floods, fuzz, hostile, sandboxes
from lab.proofs.ledger import Ledger, Proof
from lab.proofs.players import (
    breeding,
    champions,
    farming,
    modelling,
    pairing,
    ratings,
    rules,
    solving,
    strength,
    tournaments,
    winning,
)
from lab.proofs.server import clock, clusters, install, kills, load, storage, watching

PROOFS: dict[str, Proof] = {
    "perft": rules.prove_perft,
    "chess": rules.prove_chess,
    "connect-four": solving.prove_connect_four,
    "connect-four-won": winning.prove_connect_four_won,
    "strength": strength.prove_strength,
    "breeding": breeding.prove_breeding,
    "evochess": champions.prove_evochess,
    "evochess-bred": champions.prove_evochess_bred,
    "ratings": ratings.prove_ratings,
    "farming": farming.prove_farming,
    "modelling": modelling.prove_modelling,
    "conformance": conformance.prove_conformance,
    "fuzz": fuzz.prove_fuzz,
    "api": api.prove_api,
    "kills": kills.prove_kills,
    "cluster": clusters.prove_cluster,
    "restarts": kills.prove_restarts,
    "watching": watching.prove_watching,
    "resumption": kills.prove_resumption,
    "storage": storage.prove_storage,
    "clock": clock.prove_clock,
    "install": install.prove_install,
    "built-in": kills.prove_built_in,
    "busy": load.prove_busy,
    "floods": floods.prove_floods,
    "pressure": hostile.prove_pressure,
    "hostile": hostile.prove_hostile,
    "sandboxes": sandboxes.prove_sandboxes,
    "load": load.prove_load,
    "soak": load.prove_soak,
    "swiss": pairing.prove_swiss,
    "pairing": pairing.prove_pairing,
    "tournaments": tournaments.prove_tournaments,
}

FOLDER = Path(__file__).parents[2] / "docs" / "reports" / "stress"
INDEX = FOLDER / "README.md"


def promise(name: str) -> tuple[str, str]:
    """Return the title of a proof's page and its text."""
    title, _, text = inspect.cleandoc(PROOFS[name].__doc__ or "").partition("\n\n")
    return title, text


def command(name: str, scale: float = 1.0) -> str:
    """Return the command that runs a proof."""
    return f"make prove ARGS={name}" if scale == 1 else f"make prove ARGS='{name} --scale {scale:g}'"


def page(name: str, ledger: Ledger) -> str:
    """Return the page of a proof."""
    title, text = promise(name)
    lines = [
        f"# {title}",
        "",
        text,
        "",
        f"    {command(name, ledger.scale)}",
        "",
        f"Run on {_today()}, at {_commit()}.",
        "",
    ]
    if ledger.scale != 1:
        lines += [f"These figures are of a run {ledger.scale:g} times as long as the full one, `{command(name)}`.", ""]
    lines += ["| figure | |", "|---|---|", *(f"| {what} | {figure} |" for what, figure in ledger.figures.items()), ""]
    lines += ["`arena verify` afterwards:", "", *(f"- {verdict}" for verdict in ledger.verdicts), ""]
    return "\n".join(lines if ledger.verdicts else lines[:-3])


def _today() -> str:
    return datetime.now(UTC).date().isoformat()


def _commit() -> str:
    """Return the commit that is checked out."""
    described = ["git", "describe", "--always", "--abbrev=7", "--dirty= with changes", "--exclude=*"]
    found = subprocess.run(described, cwd=FOLDER.parent, capture_output=True, text=True, check=False)
    return f"commit {found.stdout.strip()}" if found.returncode == 0 else "an unknown commit"


def index() -> str:
    """Return the list of all proofs, with links to the pages of those that were run."""
    lines = [INTRODUCTION, "| proof | subject |", "|---|---|"]
    for name in PROOFS:
        shown = f"[{name}]({name}.md)" if (FOLDER / f"{name}.md").exists() else name
        lines.append(f"| {shown} | {promise(name)[0]} |")
    return "\n".join([*lines, ""])


def write(name: str, ledger: Ledger) -> None:
    """Write the page of a proof, and the index."""
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.md").write_text(page(name, ledger), encoding="utf-8")
    INDEX.write_text(index(), encoding="utf-8")


INTRODUCTION = """\
# Stress reports

Each proof compares the rules and ratings with known results, or puts a real arena under one kind of stress. It fails
when a [guarantee](../../explanation/guarantees.md) does not hold. `make prove` runs them all in full and writes these
pages; `make prove ARGS='kills fuzz --scale 0.1'` runs some of them for a tenth of the length. Before the proofs, `make
prove` runs the long tests, which include a version of each proof of a few seconds.
"""
