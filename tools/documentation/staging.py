# SPDX-License-Identifier: GPL-3.0-or-later
"""Collects the pages of the site in one folder: those of docs/, documents of the project, and generated ones.

Pages keep their places, but a README.md becomes an index.md. Links follow; files that pages link to come along.
"""

import os
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from tools.documentation import commands, formats, requests, sdk
from tools.documentation.dialect import converted
from tools.documentation.markdown import literal
from tools.documentation.schemes import both_schemes

ROOT = Path(__file__).parents[2]
DOCS = "docs"

PROJECT = {
    "CHANGELOG.md": "project/changes.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "SECURITY.md": "project/security.md",
    "CODE_OF_CONDUCT.md": "project/conduct.md",
}
"""Documents of the project, with their places in the site."""

LISTED = {
    "docs/examples": "Examples",
    "docs/examples/js": "The client in JavaScript",
    "docs/deploy": "Files of a server",
}
"""Folders of files that pages link to, with the titles of the pages that show them."""

LANGUAGES = {".py": "python", ".mjs": "javascript", ".js": "javascript", ".ts": "typescript", ".c": "c", ".h": "c",
             ".json": "json", ".conf": "nginx", ".service": "ini", "": "docker"}  # fmt: skip

_LINK = re.compile(r"(?<=\]\()([^)\s#]*)(#[^)\s]*)?(?=\))")
_CODE = re.compile(r"^( *)```.*?^ *```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)


class BrokenLink(Exception):
    """A link of a page to what the site does not have."""


def generated() -> Mapping[str, str]:
    """Return the pages that are made from the code, by their paths below docs/."""
    return {**commands.pages(), **requests.pages(), **formats.pages(), **sdk.pages()}


def sources() -> Mapping[str, str]:
    """Return all pages by their paths from the root of the checkout, those of ``docs/`` that are generated included."""
    written = {
        path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
        for path in sorted((ROOT / DOCS).rglob("*.md"))
        if not any(part.startswith(".") for part in path.parts)
    }
    project = {name: (ROOT / name).read_text("utf-8") for name in PROJECT}
    made = {f"{DOCS}/{name}": text for name, text in generated().items()}
    if twice := written.keys() & made.keys():
        raise ValueError(f"{', '.join(sorted(twice))}: the site generates a page of the same name")
    lists = {f"{folder}/README.md": _listing(folder, title) for folder, title in LISTED.items()}
    return {**written, **project, **made, **lists}


def place(path: str) -> str:
    """Return the place in the site of a page or file of the checkout."""
    path = PROJECT.get(path, path.removeprefix(f"{DOCS}/"))
    head, _, tail = path.rpartition("/")
    return f"{head}/index.md".lstrip("/") if tail == "README.md" else path


def stage(folder: Path, pages: Mapping[str, str]) -> None:
    """Write pages to a folder, with the files that they link to. Raises BrokenLink."""
    for path, text in pages.items():
        target = folder / place(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(converted(_relinked(path, both_schemes(text), pages, folder)), "utf-8")


def _relinked(path: str, text: str, pages: Mapping[str, str], folder: Path) -> str:
    """Return a page with links to the places of the site; copy the files among them."""

    def relink(link: re.Match[str]) -> str:
        target, anchor = link[1], link[2] or ""
        if not target or ":" in target:
            return link[0]
        found = PurePosixPath(os.path.normpath(PurePosixPath(path).parent / target)).as_posix()
        if found not in pages and f"{found}/README.md" in pages:
            found = f"{found}/README.md"
        if found not in pages:
            if not (ROOT / found).is_file():
                raise BrokenLink(f"{path}: {target} leads to nothing that the site has")
            _copy(found, folder)
        return os.path.relpath(place(found), PurePosixPath(place(path)).parent) + anchor

    parts, end = [], 0
    for code in _CODE.finditer(text):
        parts += [_LINK.sub(relink, text[end : code.start()]), code[0]]
        end = code.end()
    return "".join([*parts, _LINK.sub(relink, text[end:])])


def _copy(path: str, folder: Path) -> None:
    target = folder / place(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(ROOT / path, target)


def _files(folder: str) -> Iterator[Path]:
    return (path for path in sorted((ROOT / folder).iterdir()) if path.is_file() and not path.name.startswith("."))


def _listing(folder: str, title: str) -> str:
    """Return the page that shows the files of a folder."""
    lines = [f"# {title}", ""]
    for path in _files(folder):
        if path.suffix == ".md":
            continue
        text = path.read_text("utf-8").rstrip("\n")
        fence = "````" if "```" in text else "```"
        lines += [f"## {literal(path.name)}", "", f"[Download]({path.name})", ""]
        lines += [f"{fence}{LANGUAGES.get(path.suffix, 'text')}", text, fence, ""]
    return "\n".join(lines)
