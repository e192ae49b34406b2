# SPDX-License-Identifier: GPL-3.0-or-later
"""Copies the browser libraries from node_modules to web/static/vendor, as small ES modules that load without a build.

    python -m tools.vendor

Imports by package name become relative paths, as browsers need them without an import map (which a strict
Content-Security-Policy would have to allow). The plots come minified only as a script with a global name: an export
makes a module of it. licences.txt, written last, holds the packages' licences.
"""

import json
import re
import shutil
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ROOT / "node_modules"
VENDOR = ROOT / "web" / "static" / "vendor"

FILES = {
    "preact.js": "preact/dist/preact.mjs",
    "preact-hooks.js": "preact/hooks/dist/hooks.mjs",
    "htm.js": "htm/dist/htm.module.js",
    "htm-preact.js": "htm/preact/index.module.js",
    "uplot.js": "uplot/dist/uPlot.iife.min.js",
    "uplot.css": "uplot/dist/uPlot.min.css",
}
TYPES = {
    "preact.d.ts": 'export * from "preact";',
    "preact-hooks.d.ts": 'export * from "preact/hooks";',
    "htm-preact.d.ts": 'export { html, render } from "htm/preact";',
    "uplot.d.ts": 'export { default } from "uplot";',
}
"""Where the checker of the pages finds the types of a library: in its package, not in what is copied."""

GLOBALS = {"uplot.js": "uPlot"}
"""Libraries that are scripts, not modules, with the global name that each sets."""

MODULES = {"preact": "./preact.js", "preact/hooks": "./preact-hooks.js", "htm": "./htm.js"}

IMPORT = re.compile(r"""\b(from|import)\s*(["'])([\w@/-]+)\2""")
SOURCE_MAP = re.compile(r"^//# sourceMappingURL=.*\n?", re.MULTILINE)


def browser_module(text: str) -> str:
    """`text` with relative imports and without its source map; KeyError if it imports a package that is not copied."""
    return SOURCE_MAP.sub("", IMPORT.sub(lambda match: f'{match[1]} "{MODULES[match[3]]}"', text))


def module_of(name: str, script: str) -> str:
    """Return an ES module that exports the global ``name`` which ``script`` sets. Raises ValueError if it sets none."""
    if not re.search(rf"^var {name}=", script, re.MULTILINE):
        raise ValueError(f"the script does not set {name}")
    return f"{script.rstrip()}\nexport default {name};\n"


def licence(package: str) -> str:
    """Name, version and licence text of an installed package."""
    folder = PACKAGES / package
    about = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    text = (folder / "LICENSE").read_text(encoding="utf-8").strip()
    return f"{package} {about['version']} ({about['license']})\n\n{text}\n"


def main() -> None:
    """Fill web/static/vendor anew."""
    shutil.rmtree(VENDOR, ignore_errors=True)
    VENDOR.mkdir(parents=True)
    for name, source in FILES.items():
        text = (PACKAGES / source).read_text(encoding="utf-8")
        if name in GLOBALS:
            text = module_of(GLOBALS[name], text)
        (VENDOR / name).write_text(browser_module(text) if name.endswith(".js") else text, encoding="utf-8")
    for name, text in TYPES.items():
        (VENDOR / name).write_text(f"{text}\n", encoding="utf-8")
    packages = sorted({source.partition("/")[0] for source in FILES.values()})
    separator = "\n" + "-" * 78 + "\n\n"
    (VENDOR / "licences.txt").write_text(separator.join(map(licence, packages)), encoding="utf-8")


if __name__ == "__main__":
    main()
