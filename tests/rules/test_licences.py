# SPDX-License-Identifier: GPL-3.0-or-later
"""What a bot's author imports is under the MIT licence, and so is all that it imports in turn, or as free."""

import json
import re
import sys
import tomllib
from importlib.metadata import metadata, packages_distributions
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[2]
ROOMS = ("arena", "bots", "engine", "lab", "web")
SDK = re.compile(
    r"arena|bots|bots\.bot|bots\.failure|bots\.thinking|bots\.client(\..+)?|bots\.testing(\..+)?"
    r"|arena\.protocol(\..+)?"
)
PERMISSIVE = re.compile(r"\b(MIT|BSD|Apache|PSF)\b")


def modules() -> dict[str, str]:
    """Module → the licence its first line names."""
    found = {}
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
            first = path.read_text(encoding="utf-8").partition("\n")[0]
            found[name] = first.partition("SPDX-License-Identifier: ")[2]
    return found


def licence(package: str) -> str:
    """What the distribution of a top-level package says of its licence."""
    about = metadata(packages_distributions()[package][0])
    fields = [value for name in ("License-Expression", "License", "Classifier") for value in about.get_all(name, [])]
    return " ".join(field for field in fields if field.startswith("License ::") or "::" not in field)


def test_the_sdk_is_mit_and_the_rest_is_gpl() -> None:
    expected = {name: "MIT" if SDK.fullmatch(name) else "GPL-3.0-or-later" for name in modules()}
    assert modules() == expected


def test_the_sdk_imports_only_permissively_licensed_code() -> None:
    graph = grimp.build_graph(*ROOMS, include_external_packages=True, cache_dir=None)
    sdk = {name for name in graph.modules if SDK.fullmatch(name)}
    imported = {target for name in sdk for target in graph.find_modules_directly_imported_by(name)} - sdk
    ours = {name for name in imported if name.partition(".")[0] in ROOMS}
    assert not ours
    others = imported - ours - set(sys.stdlib_module_names)
    assert not {name for name in others if not PERMISSIVE.search(licence(name))}


def test_the_page_about_licences_names_every_library() -> None:
    page = (ROOT / "docs" / "reference" / "licences.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| ([a-z][\w-]*) \| .+ \| .+ \|$", page, re.MULTILINE)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    python = {re.split(r"[\[<>=;]", requirement)[0] for requirement in project["dependencies"]} - {"bot-arena-sdk"}
    browser = set(json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["dependencies"])
    assert set(listed) - {"library"} == python | browser
