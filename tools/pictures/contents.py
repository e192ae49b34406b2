# SPDX-License-Identifier: GPL-3.0-or-later
"""Fills an arena as the tutorials do: an account, the first bot in its two versions, a tournament."""

import os
import re
from collections.abc import Mapping
from pathlib import Path

from playwright.sync_api import Page, expect

from tools.pictures.arena import ask, run

TUTORIAL = Path(__file__).parents[2] / "docs" / "tutorials" / "first-bot.md"

BOT = "first-bot"

QUIET = "random"
"""A built-in bot that tells nothing of its thinking."""

CUP = "Spring cup"
PLAYERS = ("alphabeta-4", "minimax-3", "minimax-2", QUIET)

_PROGRAM = re.compile(r"^<!-- test: file first_bot\.py -->\n```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_MOVE = "    def move(self, turn):\n"
_PAUSE = f"{_MOVE}        __import__('time').sleep(1)\n"


def programs(folder: Path) -> list[Path]:
    """Write the versions of the tutorial's bot to files: at random; with its search; with its search and a pause before
    each move, so that a match lasts long enough for a picture.
    """
    texts: list[str] = _PROGRAM.findall(TUTORIAL.read_text("utf-8"))
    texts.append(texts[-1].replace(_MOVE, _PAUSE))
    files = [folder / f"bot{number}.py" for number in range(len(texts))]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text, "utf-8")
    return files


def sign_up(page: Page, url: str, folder: Path) -> None:
    """Make an account on the page, and stay signed in."""
    code = run(folder, "accounts", "invite", "--role=administrator")["code"]
    page.goto(f"{url}/sign-up?code={code}")
    page.get_by_label("Account name").fill("ada")
    page.get_by_label("Password", exact=True).fill("correct horse battery")
    page.get_by_role("button", name="Sign up").click()
    page.wait_for_url(f"{url}/my-bots")


def register(page: Page) -> str:
    """Register the bot on the page "My bots"; return its token."""
    form = page.locator("#register")
    form.get_by_label("Bot name").fill(BOT)
    form.get_by_role("button", name="Register bot").click()
    token = page.get_by_text(re.compile(r"^arena_[\w-]{20,}$")).first
    expect(token).to_be_visible()
    return token.inner_text()


def variables(url: str, token: str) -> Mapping[str, str]:
    """Return the environment in which the tutorial's bot runs."""
    return {**os.environ, "ARENA_URL": f"ws{url.removeprefix('http')}/api/v1/play", "ARENA_TOKEN": token}


def games_of(url: str, version: str) -> int:
    """Return the number of rated games of a version of the tutorial's bot."""
    rows = ask(url, "/leaderboard?game=tictactoe&limit=100")["items"]
    return sum(row["games"] for row in rows if (row["bot"]["name"], row["version"]) == (BOT, version))


def hold_cup(folder: Path) -> int:
    """Start the tournament of the tutorial; return its number."""
    players = [f"--player={name}" for name in PLAYERS]
    made = run(folder, "tournament", "create", CUP, "--game=checkers", *players, "--start")
    number: int = made["id"]
    return number


def fill_form(page: Page, url: str) -> None:
    """Fill the form of a new tournament as the tutorial says."""
    bots = "".join(f"&bot={name}" for name in PLAYERS)
    page.goto(f"{url}/tournaments/new?game=checkers&format=knockout{bots}")
    page.get_by_role("form", name="New tournament").get_by_label("Name", exact=True).fill("Autumn cup")
