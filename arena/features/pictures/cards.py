# SPDX-License-Identifier: GPL-3.0-or-later
"""Link previews: Open Graph and Twitter ``meta`` elements of the pages of matches, bots, tournaments and leaderboards.

They repeat only texts that the page itself shows to everybody.
"""

from typing import NamedTuple

from aiohttp import web

from arena.features.pictures.addresses import absolute
from arena.features.pictures.drawing import height_of
from arena.features.pictures.shown import isolated, players_of
from arena.protocol.terminal import plain_line
from arena.tournaments.view import TournamentView
from engine.games import find
from web import wording
from web.api.bots import BotDetailAnswer
from web.api.games import describe
from web.api.leaderboard import LeaderboardAnswer, OneLeaderboard
from web.api.matches import MatchDetailAnswer
from web.first_paint import ending_of
from web.keys import ARENA

LONGEST = 300
"""Characters of a description."""

LISTED = 3
"""Players that a description names."""

WIDTH = 600
"""Width of the picture, in pixels."""


class Card(NamedTuple):
    """The preview of a link."""

    title: str
    description: str
    picture: str = ""
    """Path of the picture; "" for none."""
    height: int = 0
    """Height of the picture in pixels."""


def meta_tags(request: web.Request, title: str, about: object) -> list[tuple[str, str]]:
    """Return the names and contents of the elements for a page that shows ``about``; none for other pages."""
    match about:
        case MatchDetailAnswer():
            card = _match(request, about)
        case BotDetailAnswer():
            card = Card(isolated(about.name), _bot(about))
        case TournamentView():
            card = Card(isolated(about.name), _tournament(about))
        case LeaderboardAnswer():
            card = Card(title, _leaderboard(about))
        case OneLeaderboard():
            card = Card(title, f"Ratings of {_title(about.game)} bots.")
        case _:
            return []
    return _tags(request, card)


def _tags(request: web.Request, card: Card) -> list[tuple[str, str]]:
    description = card.description[:LONGEST]
    tags = [
        ("description", description),
        ("og:site_name", "Bot Arena"),
        ("og:type", "website"),
        ("og:title", card.title),
        ("og:description", description),
        ("og:url", absolute(request, request.path)),
        ("twitter:card", "summary_large_image" if card.picture else "summary"),
    ]
    if card.picture:
        tags += [
            ("og:image", absolute(request, card.picture)),
            ("og:image:type", "image/png"),
            ("og:image:width", str(WIDTH)),
            ("og:image:height", str(card.height)),
            ("og:image:alt", f"The board of {card.title}"),
        ]
    return tags


def _match(request: web.Request, match: MatchDetailAnswer) -> Card:
    game = find(match.game)
    rated = "A rated" if match.rated else "An unrated"
    moves = f"{match.plies} {'ply' if match.plies == 1 else 'plies'}"
    # the address holds the ply, because other sites keep pictures; moves of old matches may be deleted
    picture = "" if match.pruned else f"/matches/{match.id}/position.png?ply={match.plies}&width={WIDTH}"
    board = describe(request.app[ARENA].registry, game).board
    description = f"{_result(match)} {rated} match of {game.title}, {moves}."
    return Card(players_of(match), description, picture, height_of(board, WIDTH))


def _result(match: MatchDetailAnswer) -> str:
    if match.status == "live":
        return "Live now."
    winner = {"1-0": 0, "0-1": 1}.get(match.result or "")
    ended = wording.how(ending_of(match))
    if winner is not None:
        return " ".join(f"{isolated(match.players[winner].name)} won {ended}".split()) + "."
    if match.result == "1/2-1/2":
        return " ".join(f"Draw {ended}".split()) + "."
    return "Void, without a result."


def _bot(bot: BotDetailAnswer) -> str:
    newest = bot.ratings[:LISTED]
    rated = ", ".join(f"{_title(one.game)} {wording.rating(one.rating, one.provisional)}" for one in newest)
    return " ".join(f"A bot. {f'Ratings: {rated}.' if rated else ''} {plain_line(bot.description)}".split())


def _tournament(tournament: TournamentView) -> str:
    leaders = ", ".join(f"{isolated(one.name)} {one.points:g}" for one in tournament.standings[:LISTED])
    number = len(tournament.entries)
    entries = f"{number} {'bot' if number == 1 else 'bots'}"
    about = f"A tournament of {_title(tournament.game)}: {entries}, {tournament.status}."
    return f"{about} Leading: {leaders}." if leaders and tournament.played else about


def _leaderboard(board: LeaderboardAnswer) -> str:
    best = ", ".join(f"{isolated(one.bot.name)} {wording.rating(one.rating)}" for one in board.items[:LISTED])
    about = f"Ratings of {_title(board.game)} bots."
    return f"{about} Best: {best}." if best else about


def _title(game: str) -> str:
    """Return the title of a game; its name if this version of the server does not have it."""
    try:
        return find(game).title
    except KeyError:
        return game
