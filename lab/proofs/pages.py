# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages under docs/proofs: what was promised, how it is proved, what was measured."""

import inspect
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from lab.proofs.catalogue import PROOFS
from lab.proofs.ledger import Ledger

FOLDER = Path(__file__).parents[2] / "docs" / "proofs"
INDEX = FOLDER / "README.md"


def promise(name: str) -> tuple[str, str]:
    """Return the title of a proof and what it promises, as its module says them."""
    title, _, text = inspect.cleandoc(sys.modules[PROOFS[name].__module__].__doc__ or "").partition("\n\n")
    return title, text


def command(name: str, scale: float = 1.0) -> str:
    """Return the command that runs a proof."""
    return f"make prove ARGS={name}" if scale == 1 else f"make prove ARGS='{name} --scale {scale:g}'"


def page(name: str, ledger: Ledger) -> str:
    """Return the page of a proof that held."""
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
    """Return the list of all proofs, with those that were run."""
    lines = [INTRODUCTION, "| proof | what it is about |", "|---|---|"]
    for name in PROOFS:
        shown = f"[{name}]({name}.md)" if (FOLDER / f"{name}.md").exists() else name
        lines.append(f"| {shown} | {promise(name)[0]} |")
    return "\n".join([*lines, ""])


def write(name: str, ledger: Ledger) -> None:
    """Write the page of a proof, and the index anew."""
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.md").write_text(page(name, ledger), encoding="utf-8")
    INDEX.write_text(index(), encoding="utf-8")


INTRODUCTION = """\
# Proofs

Each proof holds the rules to what is known of them, or puts a real arena under one kind of stress, and fails when a
promise of [promises.md](../promises.md) is broken. `make prove` runs them all in full and writes these pages;
`make prove ARGS='kills fuzz --scale 0.1'` runs some of them for a tenth of the length. Before the proofs,
`make prove` runs the long tests, among them a version of each proof of a few seconds.
"""
