# SPDX-License-Identifier: GPL-3.0-or-later
"""What a feature brings to the web server: routes, pages, static files, links, and ways to authorise."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from aiohttp import web

from web.api.order import AnyPostRoute
from web.api.route import AnyRoute
from web.keys import Authoriser

PageHandler = Callable[[web.Request], Awaitable[web.Response]]


@dataclass(frozen=True, kw_only=True)
class WebPart:
    """A feature's edge. Each field may be left out."""

    routes: Sequence[AnyRoute] = ()
    """Of the REST API, GET."""
    orders: Sequence[AnyPostRoute] = ()
    """Of the REST API, POST."""
    pages: Mapping[str, PageHandler] = field(default_factory=dict)
    """Handlers by path; ``web.pages.show`` draws a page."""
    navigation: Sequence[tuple[str, str]] = ()
    """Path and label of the links that every page shows."""
    static: Path | None = None
    """A folder that holds one folder of the feature's name, with its files: they are served beside those of
    ``web/static``, so a module of it imports ``../view.js``.
    """
    styles: Sequence[str] = ()
    """The feature's style sheets, such as ``NAME/style.css``, which every page loads."""
    authorise: Authoriser | None = None
    """Return the name of the operator that sent a request which shows no operator's token; None where it is none."""
