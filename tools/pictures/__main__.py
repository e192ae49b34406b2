# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes the pictures of pages for the README and the tutorials, in light and dark.

python -m tools.pictures [--out FOLDER]
"""

import argparse
import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tools.chromium import installed
from tools.pictures import contents
from tools.pictures.arena import PATIENCE, ask, connected, serving, wait
from tools.pictures.camera import compressed, framed, shots, visitor
from tools.pictures.scenes import OF_BOT, PAGE, TABLE, Scene, scenes

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"

PLAYED = "--ladder-interval=0.1", "--ladder-pause=0", "--ladder-misordered=0"
QUICK = *PLAYED, "--games=tictactoe,checkers", "--built-in-move-time=0", "--built-in-matches=12", "--breeding-pace=0.5"
"""Settings for many games and generations in a short time."""

FURTHER = "density,fictitious-play,grofman,hunt,iocaine,markov,sampling,tit-for-tat"
"""The built-in bots that play the games which the usual ones do not."""

WATCHED = *PLAYED, "--built-in-move-time=0.7", "--built-in-matches=8", f"--further-bots={FURTHER}"
"""Settings for matches that last as long as their pictures need."""

GAMES = (40, 60)
"""Games of the versions of the tutorial's bot."""

GENERATIONS = 120
"""Of the population."""


class Album:
    """The folder of the pictures."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder

    def take(self, name: str, page: Page, size: tuple[int, int]) -> None:
        """Write a page's picture in light and dark."""
        framed(page, *size)
        self.keep(name, shots(page))

    def keep(self, name: str, images: Mapping[str, Image.Image]) -> None:
        """Write a page's picture in each scheme."""
        for scheme, image in images.items():
            file = self._folder / f"{name}-{scheme}.webp"
            file.write_bytes(compressed(image))
            print(f"wrote {file.name}: {file.stat().st_size:,} bytes", flush=True)


def played(url: str, version: str, games: int) -> bool:
    """Return whether a version of the bot has played that many games."""
    return contents.games_of(url, version) >= games


def quick_part(folder: Path, context: BrowserContext, album: Album) -> str:
    """Let the arena play and evolve fast; take the pictures of what that gives. Returns the token of the bot."""
    first, second, _ = contents.programs(folder)
    with serving(folder, *QUICK) as url:
        page = context.new_page()
        contents.sign_up(page, url, folder)
        token = contents.register(page)
        album.take("my-bots", page, PAGE)
        for version, program, games in (("1", first, GAMES[0]), ("2", second, GAMES[1])):
            with connected(program, contents.variables(url, token)):
                wait(f"{games} games", partial(played, url, version, games))
        page.goto(f"{url}/leaderboard?game=tictactoe")
        page.locator("main td").first.wait_for()
        album.take("leaderboard", page, TABLE)
        wait("generations", lambda: any(row["generations"] >= GENERATIONS for row in ask(url, "/populations")["items"]))
        page.goto(f"{url}/populations/{ask(url, '/populations')['items'][0]['id']}")
        page.locator("main svg").first.wait_for()
        album.take("population", page, PAGE)
        page.close()
    return token


def watched_part(folder: Path, context: BrowserContext, browser: Browser, token: str, album: Album) -> None:
    """Let bots play as spectators see it; take the pictures of live pages."""
    *_, program = contents.programs(folder)
    with serving(folder, *WATCHED) as url, ExitStack() as connection:
        connection.enter_context(connected(program, contents.variables(url, token)))
        page = context.new_page()
        contents.fill_form(page, url)
        album.take("new-tournament", page, PAGE)
        waiting = dict(scenes(contents.hold_cup(folder)))
        deadline = time.monotonic() + PATIENCE
        with visitor(browser) as anonymous:
            while waiting:
                if time.monotonic() > deadline:
                    raise TimeoutError(f"nothing to see of {', '.join(waiting)}")
                for name, scene in [*waiting.items()]:
                    if caught(anonymous, url, scene, name, album):
                        del waiting[name]
                if OF_BOT not in waiting:
                    # the ladder pairs a new bot first: without it, built-in bots play its game
                    connection.close()
                time.sleep(0.2)  # bots think; the API tells of no event


def caught(context: BrowserContext, url: str, scene: Scene, name: str, album: Album) -> bool:
    """Take the picture of a scene if there is something to see."""
    path = scene.find(url)
    if path is None:
        return False
    page = context.new_page()
    page.goto(url + path)
    page.locator(scene.drawn).first.wait_for()
    framed(page, *scene.size)
    page.locator(scene.top).evaluate("(element) => element.scrollIntoView()")
    images = shots(page)
    page.close()
    # meanwhile the match may have ended
    good = scene.good(url, path)
    if good:
        album.keep(name, images)
    return good


def main() -> None:
    """Write the pictures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--out", metavar="FOLDER", type=Path, default=FOLDER, help="folder of the pictures")
    album = Album(parser.parse_args().out)
    with (
        tempfile.TemporaryDirectory() as data,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=installed(), args=["--no-sandbox"]) as browser,
        visitor(browser) as context,
    ):
        token = quick_part(Path(data), context, album)
        watched_part(Path(data), context, browser, token, album)


if __name__ == "__main__":
    main()
