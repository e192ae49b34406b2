# SPDX-License-Identifier: GPL-3.0-or-later
"""The menu of all pages: groups of links in the header, and the bar at the bottom of small screens."""

from collections.abc import Sequence
from typing import NamedTuple, get_args

from aiohttp import web

from web.api.endpoint import Endpoint, Group


class MenuLink(NamedTuple):
    """A link of the menu."""

    path: str
    label: str
    symbol: str
    """Its symbol in the bar, an SVG path; "" if the bar shows it below "More" only."""


class MenuGroup(NamedTuple):
    """A group of links, which opens and closes."""

    label: Group
    links: Sequence[MenuLink]

    def contains(self, path: str) -> bool:
        """Return whether ``path`` is a page of the group, or below one of its pages, as is the page of one match."""
        return any(path == link.path or (link.path != "/" and path.startswith(f"{link.path}/")) for link in self.links)


NAVIGATION = web.AppKey("navigation", Sequence[MenuGroup])
"""The menu of every page."""


def grouped(endpoints: Sequence[Endpoint]) -> Sequence[MenuGroup]:
    """Return the menu of these pages: the groups that have a page, each in the order of ``endpoints``."""
    shown = [each for each in endpoints if each.menu]
    groups = (
        MenuGroup(label, [MenuLink(each.path, each.menu, each.symbol) for each in shown if each.group == label])
        for label in get_args(Group)
    )
    return [group for group in groups if group.links]
