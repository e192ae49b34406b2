# SPDX-License-Identifier: GPL-3.0-or-later
"""Converts GitHub's Markdown to that of Python-Markdown, which Zensical reads.

Python-Markdown wants four columns for each level of a list, and an empty line before a list, a table, and an item that
follows one of several paragraphs.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

PARSER = MarkdownIt("commonmark").enable("table")

COLUMNS = 4
"""The indentation of a list's items, for each level."""

_MARKER = re.compile(r" *(?:[-*+]|\d+[.)]) +")
"""The bullet or number of an item, up to its text."""

_NUMBER = re.compile(r"^( *\d+)([.)] )")
"""A number that begins an item in the other dialect, also on a line that continues a paragraph."""


@dataclass(frozen=True, slots=True)
class _Item:
    """An item of a list."""

    first: int
    end: int
    """The line after the last one."""
    level: int
    """0 for a list that is not in another."""
    offset: int
    """The column at which the item's text begins."""


def converted(text: str) -> str:
    """Return a document in the other dialect."""
    tokens, lines = PARSER.parse(text), text.split("\n")
    items = list(_items(tokens, lines))
    for number in _continued(tokens):
        lines[number] = _NUMBER.sub(r"\1\\\2", lines[number])
    shifted = [_shifted(number, line, items) for number, line in enumerate(lines)]
    for number in sorted({*_starts(tokens), *_after_paragraphs(items, lines)}, reverse=True):
        if number and lines[number - 1].strip():
            shifted.insert(number, "")
    return "\n".join(shifted)


def _items(tokens: list[Token], lines: list[str]) -> Iterator[_Item]:
    level = -1
    for token in tokens:
        if token.type in ("bullet_list_open", "ordered_list_open"):
            level += 1
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            level -= 1
        elif token.type == "list_item_open" and token.map is not None:
            first, end = token.map
            marker = _MARKER.match(lines[first])
            assert marker is not None, lines[first]
            yield _Item(first, end, level, len(marker[0]))


def _starts(tokens: list[Token]) -> Iterator[int]:
    """Yield the first lines of outer lists and of tables."""
    for token in tokens:
        outer = token.type in ("bullet_list_open", "ordered_list_open") and token.level == 0
        if (outer or token.type == "table_open") and token.map is not None:
            yield token.map[0]


def _continued(tokens: list[Token]) -> Iterator[int]:
    """Yield the lines of paragraphs, except the first ones."""
    for token in tokens:
        if token.type == "paragraph_open" and token.map is not None:
            yield from range(token.map[0] + 1, token.map[1])


def _after_paragraphs(items: list[_Item], lines: list[str]) -> Iterator[int]:
    """Yield the first lines of items that follow an item with empty lines in it."""
    for item, following in pairwise(sorted(items, key=lambda item: (item.level, item.first))):
        if item.level == following.level and not all(line.strip() for line in lines[item.first : following.first - 1]):
            yield following.first


def _shifted(number: int, line: str, items: list[_Item]) -> str:
    """Return a line with the indentation of the innermost item that it belongs to."""
    inside = [item for item in items if item.first <= number < item.end]
    if not inside or not line.strip():
        return line
    inner = max(inside, key=lambda item: item.level)
    if number == inner.first:
        return " " * (COLUMNS * inner.level) + line.lstrip(" ")
    indent = len(line) - len(line.lstrip(" "))
    if indent < inner.offset:  # a line that continues a paragraph, wherever it begins
        return line
    return " " * (COLUMNS * (inner.level + 1) + indent - inner.offset) + line.lstrip(" ")
