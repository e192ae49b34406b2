# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes pictures of pages in light and dark, and compresses them."""

import base64
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from io import BytesIO
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page

from tools import debian

SCHEMES: tuple[Literal["dark", "light"], ...] = ("dark", "light")
"""In this order each picture follows a change of the scheme, which draws graphs anew with the loaded font."""

_NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Waits until a page has heard of a change and has drawn it."""

LARGEST = 60_000
"""Bytes of a picture."""

QUALITIES = (85, 75, 65, 55)
"""Qualities of a picture that is too large without loss."""

FONT = debian.FOLDER / "inter"
"""Where the package of the font is unpacked: apart from Chromium's fonts, which the tests use."""

WEIGHTS = {400: "Inter-Regular", 600: "Inter-SemiBold"}


_ADD = """
new MutationObserver((_, observer) => {
  if (!document.head) return;
  observer.disconnect();
  document.head.append(Object.assign(document.createElement("style"), { textContent: %s }));
}).observe(document, { childList: true, subtree: true });
"""
"""Adds a style sheet before the scripts of a page run: graphs read their font from it."""


@contextmanager
def visitor(browser: Browser) -> Iterator[BrowserContext]:
    """Open a context of the browser whose pages have the same font on every machine where the package can be had."""
    with browser.new_context(bypass_csp=True, reduced_motion="reduce") as context:
        context.add_init_script(_ADD % json.dumps(_style()))
        yield context


def framed(page: Page, width: int, height: int) -> None:
    """Give a page a size, and wait for its fonts."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("document.fonts.ready")


def shots(page: Page) -> Mapping[str, Image.Image]:
    """Return the visible part of a page in each scheme."""
    found: dict[str, Image.Image] = {}
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        page.evaluate(_NEXT_FRAME)
        found[scheme] = Image.open(BytesIO(page.screenshot())).convert("RGB")
    return found


def compressed(image: Image.Image) -> bytes:
    """Return a picture as WebP of at most ``LARGEST`` bytes, without loss if possible. Raises ValueError."""
    attempts = [{"lossless": True, "quality": 100}, *({"quality": quality} for quality in QUALITIES)]
    for options in attempts:
        file = BytesIO()
        image.save(file, "WEBP", method=6, **options)
        if file.tell() <= LARGEST:
            return file.getvalue()
    raise ValueError(f"a picture has more than {LARGEST:,} bytes with quality {QUALITIES[-1]}")


def _style() -> str:
    """Return the style sheet that sets a page in Inter; an empty one without its package."""
    with suppress(debian.Unavailable):
        if not FONT.exists():
            debian.unpack("fonts-inter", into=FONT)
        faces = []
        for weight, name in WEIGHTS.items():
            data = base64.b64encode((FONT / f"usr/share/fonts/opentype/inter/{name}.otf").read_bytes()).decode()
            faces.append(
                f"@font-face {{font-family: Inter; font-weight: {weight}; src: url(data:font/otf;base64,{data})}}"
            )
        # a name in the pages' list of fonts for code
        faces.append('@font-face {font-family: Menlo; src: local("DejaVu Sans Mono")}')
        return "\n".join([*faces, "body {font-family: Inter, sans-serif !important}"])
    return ""
