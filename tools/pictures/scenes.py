# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of a running arena that are worth a picture, and the moments at which they are."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from bots.evolution.evochess import CHAMPIONS
from engine.games import find
from tools.pictures.arena import ask
from tools.pictures.contents import BOT, QUIET

PLIES = {
    "backgammon": 24,
    "battleship": 60,
    "bridge/double-dummy": 66,
    "chess": 24,
    "checkers": 24,
    "checkers/lecture": 20,
    "connect-four": 14,
    "dark-chess": 30,
    "dilemma": 60,
    "einstein": 10,
    "german-whist": 50,
    "go/9x9": 24,
    "holdem/limit": 24,
    "holdem/no-limit": 24,
    "kuhn": 20,
    "leduc": 24,
    "matrix": 60,
    "nim": 5,
    "othello": 24,
    "phantom-go/9x9": 40,
    "rock-paper-scissors": 60,
    "tictactoe": 4,
}
"""The games, and the plies of a match after which its picture is taken."""

OF_BOT = "match-tictactoe"
"""The picture of a match of the tutorial's bot."""

LOBBY = (1440, 940)
GAME = (1280, 980)
PAGE = (1120, 720)
MATCH = (1120, 900)
TABLE = (1280, 730)
"""Sizes of the browser's window in pixels."""

TALKATIVE = "adaptive"
"""A built-in bot that tells more than fits beside a board."""

LONGEST_WAIT = 2_000
"""Milliseconds from the move before to a turn: the pause between moves of built-in bots, and little else."""


@dataclass(frozen=True)
class Scene:
    """A page that changes while bots play."""

    size: tuple[int, int]
    find: Callable[[str], str | None]
    """Returns the path of the page in the arena with a URL; None while there is nothing to see."""
    drawn: str
    """Selector of what the page shows when it is complete."""
    good: Callable[[str, str], bool] = lambda url, path: True
    """Tells whether the page at a path of the arena, of which a picture was taken, looked as it should."""
    top: str = "body"
    """Selector of what stands at the top of the picture."""


def file_of(game: str) -> str:
    """Return the name of a game's picture."""
    return game.replace("/", "-")


def scenes(tournament: int) -> Mapping[str, Scene]:
    """Return the scenes by the names of their pictures."""
    found = {
        "lobby": Scene(LOBBY, _lobby, "main svg"),
        OF_BOT: Scene(MATCH, partial(_match, "tictactoe", BOT), "[role=timer]", _ordinary),
        "tournament": Scene((1120, 1000), partial(_tournament, tournament), "main svg"),
    }
    found |= {
        name: Scene(PAGE, partial(_champion, name), ".genome-view .words", top=".genome-view") for name in CHAMPIONS
    }
    games = {file_of(game): Scene(GAME, partial(_match, game, ""), "[role=timer]", _ordinary) for game in PLIES}
    return {**games, **found}


def live(url: str) -> list[dict[str, Any]]:
    """Return the live matches of an arena."""
    items: list[dict[str, Any]] = ask(url, "/matches?status=live&limit=100")["items"]
    return items


def _match(game: str, bot: str, url: str) -> str | None:
    """Return the page of a match between bots that tell of their thinking; one of them is ``bot``, if given."""
    for match in live(url):
        names = [player["name"] for player in match["players"]]
        wanted = bot in names if bot else BOT not in names
        # with hidden information nobody tells of thinking before the end
        others = {QUIET, TALKATIVE} if find(game).perfect_information else set[str]()
        if match["game"] == game and wanted and not others & set(names) and match["plies"] >= PLIES[game]:
            path = f"/matches/{match['id']}"
            if _ordinary(url, path):
                return path
    return None


def _ordinary(url: str, path: str) -> bool:
    """Tell whether a match runs, and neither side has waited for a free processor before its newest move: pages show
    that wait.
    """
    match = ask(url, f"{path}?limit=1")
    newest = ask(url, f"{path}/moves?after={max(0, match['plies'] - 2)}")["items"]
    return match["status"] == "live" and all(move.get("waited", 0) <= LONGEST_WAIT for move in newest)


def _champion(name: str, url: str) -> str | None:
    """Return the page of a champion of evolution, once it has sent its genome."""
    for genome in ask(url, "/genomes?game=chess")["items"]:
        if genome["bot"] == name and genome["has_view"]:
            return f"/bots/{genome['bot_id']}"
    return None


def _lobby(url: str) -> str | None:
    """Return the lobby if at least six matches of five games have begun in earnest."""
    begun = [match for match in live(url) if match["plies"] >= PLIES[match["game"]] // 2]
    return "/" if len(begun) >= 6 and len({match["game"] for match in begun}) >= 5 else None


def _tournament(number: int, url: str) -> str | None:
    """Return the page of the tournament in its second round, or later, while games are played."""
    finished = ask(url, f"/matches?status=finished&tournament={number}&limit=100")["items"]
    playing = [match for match in live(url) if match["tournament"] == number and match["plies"] >= 16]
    return f"/tournaments/{number}" if len(finished) >= 4 and playing else None
