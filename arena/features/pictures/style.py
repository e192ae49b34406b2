# SPDX-License-Identifier: GPL-3.0-or-later
"""Style sheets inside pictures: the rules of the pages' boards, with the colours of a theme in place of variables.

The rules come from ``board.css`` and the colours from ``style.css``, so a picture looks like the board of a page.
Programs that draw pictures know neither variables nor ``light-dark``.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Literal, NamedTuple, get_args

from web.assets import Assets

Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = get_args(Theme)

BACKGROUND = "background"
"""The class of the area behind the board."""

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_TOKEN = re.compile(r"(--[\w-]+):\s*([^;]+);")
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_VARIABLE = re.compile(r"var\((--[\w-]+)\)")
_LIGHT_DARK = re.compile(r"light-dark\(([^,()]+),\s*([^,()]+)\)")
_BEFORE = re.compile(r"\.\w+ ~")
"""Matches the squares before a label or a line."""

_CLASS = re.compile(r"\.([\w-]+)")
_USED = re.compile(r'class="([^"]+)"')
_PROPERTIES = re.compile(r"(?:fill|stroke|opacity)\b")


class Rule(NamedTuple):
    """A rule of a style sheet."""

    selector: str
    classes: frozenset[str]
    """The classes that the selector names."""
    body: str
    """The declarations, with variables."""


class Sheet(NamedTuple):
    """The rules of boards, and the colours of both themes."""

    rules: tuple[Rule, ...]
    tokens: Mapping[str, str]

    def text(self, drawing: str, theme: Theme | None = None) -> str:
        """Return the style sheet of a drawing. Without a theme, the viewer's preference chooses it."""
        used = {name for names in _USED.findall(drawing) for name in names.split()}
        fitting = [rule for rule in self.rules if rule.classes <= used]
        if theme is not None:
            return "".join(f"{rule.selector}{{{self._resolved(rule.body, theme)}}}" for rule in fitting)
        dark = [
            f"{rule.selector}{{{body}}}"
            for rule in fitting
            if (body := self._resolved(rule.body, "dark")) != self._resolved(rule.body, "light")
        ]
        return f"{self.text(drawing, 'light')}@media (prefers-color-scheme: dark){{{''.join(dark)}}}"

    def _resolved(self, body: str, theme: Theme) -> str:
        while _VARIABLE.search(body):
            body = _VARIABLE.sub(lambda found: self.tokens[found[1]], body)
        return _LIGHT_DARK.sub(lambda found: found[1 + THEMES.index(theme)], body)


@cache
def read_sheet(assets: Assets) -> Sheet:
    """Return the rules of boards from the pages' style sheets."""
    tokens = dict(_TOKEN.findall(assets.read("style.css").decode()))
    text = _COMMENT.sub("", assets.read("board.css").decode())
    found = [(f".{BACKGROUND}", "fill: var(--surface)"), *_RULE.findall(text)]
    rules = [_rule(selector, body) for selectors, body in found for selector in selectors.split(",")]
    return Sheet(tuple(rule for rule in rules if rule.body), tokens)


def _rule(selector: str, body: str) -> Rule:
    classes = frozenset(_CLASS.findall(selector))
    # The squares come first in a drawing, so a label follows them all. The renderer knows no general siblings.
    selector = " ".join(_BEFORE.sub("", selector).split())
    declarations = [part for part in map(str.strip, body.split(";")) if _PROPERTIES.match(part)]
    return Rule(selector, classes, "; ".join(declarations))
