# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws the pictures of the README anew: the page of a live match in each game.

For each game an arena with its built-in bots plays in a temporary folder, and a browser shows a match.

python -m tools.pictures [GAME ...]
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from tools.chromium import installed

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"

PLIES = {"chess": 24, "checkers": 24, "checkers/lecture": 20, "einstein": 10, "nim": 5, "tictactoe": 4}
"""The games, and the plies of a match after which its picture is taken."""

QUIET = "random"
"""A built-in bot that tells nothing of its thinking."""

SIZE = {"width": 1440, "height": 820}
"""The browser's window in pixels."""

LARGEST = 60_000
"""Bytes of a picture."""

COLOURS = (256, 128, 64, 32)
"""Colours of a picture: as many as its size allows."""

PATIENCE = 900.0
"""Seconds for a match, in which code may be compiled."""


@contextmanager
def serving(folder: Path, game: str) -> Iterator[str]:
    """Run an arena of one game in a folder; yield its URL."""
    options = ["--port=0", "--no-browser", "--json", "--log-level=error", f"--data={folder}"]
    options += [f"--games={game}", "--built-in-move-time=1", "--ladder-pause=0"]
    command = [sys.executable, "-m", "arena.cli", "serve", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield json.loads(process.stdout.readline())["url"].rstrip("/")
        finally:
            process.terminate()


def live(url: str, game: str) -> list[dict[str, Any]]:
    """Return the live matches of a game."""
    with urllib.request.urlopen(f"{url}/api/v1/matches?status=live&game={game}", timeout=60) as answer:
        items: list[dict[str, Any]] = json.load(answer)["items"]
        return items


def picture(browser: Browser, url: str, game: str) -> Image.Image:
    """Return the page of a match that is live and has plies enough. Raises TimeoutError."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        for match in live(url, game):
            if match["plies"] < PLIES[game] or QUIET in [player["name"] for player in match["players"]]:
                continue
            page = browser.new_page(viewport={"width": SIZE["width"], "height": SIZE["height"]})
            page.goto(f"{url}/matches/{match['id']}")
            page.locator("[role=timer]").first.wait_for()
            taken = page.screenshot()
            page.close()
            if match["id"] in [each["id"] for each in live(url, game)]:
                return Image.open(BytesIO(taken)).convert("RGB")
        time.sleep(0.2)  # the bots think; the API tells of no event
    raise TimeoutError(f"no match of {game} has {PLIES[game]} plies")


def compressed(image: Image.Image) -> bytes:
    """Return a picture as PNG of at most ``LARGEST`` bytes. Raises ValueError."""
    for colours in COLOURS:
        file = BytesIO()
        image.quantize(colours, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
        if file.tell() <= LARGEST:
            return file.getvalue()
    raise ValueError(f"a picture has more than {LARGEST:,} bytes with {COLOURS[-1]} colours")


def main() -> None:
    """Write the pictures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--out", metavar="FOLDER", type=Path, default=FOLDER, help="folder of the pictures")
    parser.add_argument("games", metavar="GAME", nargs="*", help="games (default: all)")
    arguments = parser.parse_args()
    folder: Path = arguments.out
    games: list[str] = arguments.games or [*PLIES]
    folder.mkdir(parents=True, exist_ok=True)
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=installed(), args=["--no-sandbox"]) as browser,
    ):
        for game in games:
            file = folder / f"{game.replace('/', '-')}.png"
            with tempfile.TemporaryDirectory() as data, serving(Path(data), game) as url:
                file.write_bytes(compressed(picture(browser, url, game)))
            print(f"wrote {file}: {file.stat().st_size:,} bytes", flush=True)


if __name__ == "__main__":
    main()
