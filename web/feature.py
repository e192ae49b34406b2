# SPDX-License-Identifier: GPL-3.0-or-later
"""A feature's part of the web server: endpoints, static files, and ways to authorise operators."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from web.api.endpoint import Endpoint
from web.keys import Authoriser


@dataclass(frozen=True, kw_only=True)
class WebPart:
    """A feature's part of the web server. Each field may be left out."""

    endpoints: Sequence[Endpoint] = ()
    """Endpoints of the REST API, and pages; ``web.pages.show`` draws a page."""
    static: Path | None = None
    """A folder that holds one folder of the feature's name, with its files: they are served beside those of
    ``web/static``, so a module of it imports ``../view.js``.
    """
    styles: Sequence[str] = ()
    """The feature's style sheets, such as ``NAME/style.css``, which every page loads."""
    authorise: Authoriser | None = None
    """Return the name of the operator that sent a request which shows no operator's token; None where it is none."""
