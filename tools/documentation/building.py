# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the site: stages the pages, runs Zensical, checks the result, and puts it in its place."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from tools.documentation.checking import check
from tools.documentation.navigation import Menu, menu
from tools.documentation.staging import ROOT, sources, stage

HERE = Path(__file__).parent
SITE = ROOT / "build" / "docs"
"""Where the arena of a checkout finds the site."""

STAGE = ROOT / "build" / "documentation"

ADDED = "added.css"
"""`arena/features/docs_site/site.py` reads it."""

_TOKENS = re.compile(r"^:root \{\n.*?^\}\n", re.MULTILINE | re.DOTALL)
_OUTSIDE = re.compile(rb"https://(?:unpkg\.com|cdn\.jsdelivr\.net|api\.github\.com)/")
"""Where the theme's script would load extensions from that no page uses."""

_ADDING = re.compile(r"""\("style",\{\},(\w+)\.toString\(\)\)""")
"""How the theme's script adds its style sheet for the dialog of the search: the name of the constant with the text."""

_LANDMARK = b'"nav",{class:"md-code__nav"'
"""The bar with the button that copies a block of code, as the theme's script makes it: no part of the navigation."""

_UNNAMED = re.compile(
    r"""(<a href="[^"]*" class="md-nav__link[^"]*">\s*<span class="md-ellipsis">\s*([^<]*?)\s*</span>\s*</a>\s*"""
    r"""<label [^>]*>\s*)(<span class="md-nav__icon md-icon"></span>)"""
)
"""The button that opens a section with an index: it has no name, and the list below is named after it."""


class NotBuilt(Exception):
    """The site cannot be built; the message says why."""


def build(site: Path = SITE, folder: Path = STAGE) -> None:
    """Build the site anew. Raises NotBuilt, BrokenLink, and ValueError if an index leaves a page out."""
    shutil.rmtree(folder, ignore_errors=True)
    pages = sources()
    stage(folder / "pages", pages)
    _add_assets(folder)
    # JSON is YAML, and Zensical reads its own format, TOML, only below another heading
    (folder / "mkdocs.yml").write_text(json.dumps(_configuration(menu(pages)), ensure_ascii=False, indent=1), "utf-8")
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean", "--config-file", "mkdocs.yml"]
    environment = os.environ | {"NO_COLOR": "1"}
    done = subprocess.run(command, cwd=folder, env=environment, check=False, capture_output=True, text=True)
    if done.returncode:
        raise NotBuilt(f"{done.stdout}{done.stderr}".partition("Traceback")[0].strip())
    _mend(folder / "site")
    if faults := check(folder / "site"):
        raise NotBuilt("\n".join(faults))
    shutil.rmtree(site, ignore_errors=True)
    site.parent.mkdir(parents=True, exist_ok=True)
    (folder / "site").rename(site)
    shutil.rmtree(folder)


def _configuration(nav: Menu) -> dict[str, Any]:
    found = tomllib.loads((HERE / "zensical.toml").read_text("utf-8"))
    found["plugins"]["mkdocstrings"]["handlers"]["python"]["paths"] = [str(ROOT)]
    return {**found, "nav": nav}


def _add_assets(folder: Path) -> None:
    """Add the theme, and the colours and the icon of the arena's pages."""
    shutil.copytree(HERE / "theme", folder / "theme")
    assets = shutil.copytree(HERE / "assets", folder / "pages" / "assets")
    shutil.copyfile(ROOT / "web" / "static" / "icon.svg", assets / "icon.svg")
    tokens = _TOKENS.search((ROOT / "web" / "static" / "style.css").read_text("utf-8"))
    assert tokens is not None, "web/static/style.css declares the colours in :root"
    (assets / "tokens.css").write_text(f"/* SPDX-License-Identifier: GPL-3.0-or-later */\n{tokens[0]}", "utf-8")


def _mend(site: Path) -> None:
    """Remove from the site what an arena does not need, and the addresses of other sites from the theme's script; write
    the style sheet that this script adds, for the Content-Security-Policy; name sections for screen readers.
    """
    for name in ("404.html", "sitemap.xml", "objects.inv"):
        (site / name).unlink(missing_ok=True)
    for script in (site / "assets" / "javascripts").rglob("*.js"):
        text = _OUTSIDE.sub(b"invalid:", script.read_bytes())
        script.write_bytes(text.replace(_LANDMARK, _LANDMARK.replace(b"nav", b"div", 1)))
    for page in site.rglob("*.html"):
        named = _UNNAMED.sub(r'\1<span class="md-visually-hidden">\2</span>\3', page.read_text("utf-8"))
        page.write_text(named, "utf-8")
    (site / "assets" / "licences.txt").write_text(_licences(), "utf-8")
    (bundle,) = (site / "assets" / "javascripts").glob("bundle.*.min.js")
    (site / ADDED).write_text(_added(bundle.read_text("utf-8")), "utf-8")


def _licences() -> str:
    """Return the licence of Zensical, and those of its icons. That of its scripts' libraries is in the site already."""
    files = distribution("zensical").files or []
    named = [file for file in files if re.search(r"(?:licenses/|icons/lucide/)LICENSE", file.as_posix())]
    return "\n\n".join(str(file.read_text("utf-8")).strip() for file in named) + "\n"


def _added(script: str) -> str:
    """Return the style sheet that the theme's script adds. Raises NotBuilt."""
    names = _ADDING.findall(script)
    texts = [text for name in names for text in re.findall(rf"\b{name}='([^'\\]*)'", script)]
    if len(names) != 1 or len(texts) != 1:
        raise NotBuilt("this version of Zensical adds the style sheet of its search in another way than the one known")
    return str(texts[0])
