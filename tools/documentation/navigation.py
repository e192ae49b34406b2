# SPDX-License-Identifier: GPL-3.0-or-later
"""The menu of the site: the index of each part lists its pages, in groups with headings."""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from tools.documentation.staging import DOCS, PROJECT, place

PARTS = ("tutorials", "how-to", "reference", "explanation", "reports")
BELOW = {"reference": ("sdk", "commands", "rest", "formats"), "reports": ("stress",)}
"""Folders with indexes of their own, in the menu of a part."""

APART = {"examples", "deploy"}
"""Folders that pages link to, and the menu does not have."""

Menu = list[Any]
"""Places of pages, or mappings of one title to a place or to a menu."""

_LINE = re.compile(r"^## (?P<heading>.+)$|^(?:-|\|) \[(?P<label>[^\]]+)\]\((?P<link>[^)#]+)\)", re.MULTILINE)
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)


def menu(pages: Mapping[str, str]) -> Menu:
    """Return the menu of the pages, as Zensical reads it. Raises ValueError if an index leaves a page out."""
    found: Menu = [{"Start": place(f"{DOCS}/README.md")}]
    for part in PARTS:
        found.append(_section(f"{DOCS}/{part}", pages, BELOW.get(part, ())))
    found.append({"Project": [{title(pages[path]): place(path)} for path in PROJECT]})
    missing = {place(path) for path in pages} - set(_places(found))
    if missing := {path for path in missing if path.partition("/")[0] not in APART}:
        raise ValueError(f"no index has {', '.join(sorted(missing))}: add a line to the README.md of the folder")
    return found


def title(text: str) -> str:
    """Return the title of a page."""
    found = _TITLE.search(text)
    assert found is not None, text[:60]
    return found[1].replace("`", "")


def _section(folder: str, pages: Mapping[str, str], below: tuple[str, ...] = ()) -> dict[str, Menu]:
    index = f"{folder}/README.md"
    entries: Menu = [place(index)]
    current = entries
    for line in _LINE.finditer(pages[index]):
        groups = line.groupdict()
        if groups.get("heading"):
            current = []
            entries.append({groups["heading"]: current})
            continue
        path = PurePosixPath(os.path.normpath(PurePosixPath(folder) / groups["link"])).as_posix()
        if path.startswith(f"{folder}/") and path in pages and not path.endswith("/README.md"):
            current.append({groups["label"].replace("`", ""): place(path)})
    entries += [_section(f"{folder}/{name}", pages) for name in below]
    return {title(pages[index]): [entry for entry in entries if isinstance(entry, str) or all(entry.values())]}


def _places(entries: Menu) -> Iterator[str]:
    for entry in entries:
        if isinstance(entry, str):
            yield entry
        else:
            for value in entry.values():
                yield from [value] if isinstance(value, str) else _places(value)
