# SPDX-License-Identifier: GPL-3.0-or-later
"""Converts pictures in light and dark from the Markdown that Git hosts show to that of the site.

A page has an element ``picture``, which follows the scheme of the browser. A Git host needs no script and no style
sheet for it, and one without support for it shows the light picture. On the site a button changes the scheme, and
``prefers-color-scheme`` does not follow the button. So the site gets both pictures, and the theme's style sheet shows
one of them by the end of its address, ``#only-light`` or ``#only-dark``. Pictures load lazily: a browser does not fetch
the hidden one.
"""

import re

_PICTURE = re.compile(
    r'<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="(?P<dark>[^"\s]+)">\s*'
    r'<img src="(?P<light>[^"\s]+)" alt="(?P<alt>[^"\[\]]+)" width="(?P<width>\d+)" height="(?P<height>\d+)">\s*'
    r"</picture>"
)


def both_schemes(text: str) -> str:
    """Return a page with two images for each element ``picture``. Raises ValueError for an element of another form."""
    found = _PICTURE.sub(_images, text)
    if "<picture" in found:
        raise ValueError(
            "a picture has another form than those of docs/tutorials: source, then img with all attributes"
        )
    return found


def _images(picture: re.Match[str]) -> str:
    given = f"{{ width={picture['width']} height={picture['height']} loading=lazy }}"
    alt = " ".join(picture["alt"].split())
    return "\n".join(f"![{alt}]({picture[scheme]}#only-{scheme}){given}" for scheme in ("light", "dark"))
