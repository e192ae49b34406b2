# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaderboards: filters, trends, the certainty of the order, and news for those who follow one."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest

from arena.rating.results import CORRELATION
from arena.store.rows import VersionRow
from tests.arena.store.company import CHECKERS, versions
from tests.web.door import Door, opened, unhurried
from tests.web.players import connected
from tests.web.test_match import get

pytestmark = pytest.mark.asyncio(loop_scope="session")

GAME, TIME_CLASS = "nim/7", "rapid"
"""No other test of this folder plays it in this time class, or in blitz."""
BOARD = f"game={GAME}&time_class={TIME_CLASS}"


async def played(
    door: Door, first: VersionRow, second: VersionRow, *results: str, time_class: str = TIME_CLASS
) -> None:
    """Record rated matches."""
    match = replace(CHECKERS, players=(first.id, second.id), game=GAME, time_class=time_class, opening=())
    for result in results:
        number = await door.arena.store.matches.start(match)
        await door.arena.store.matches.finish(number, result=result, termination="decided", plies=2)


async def names(door: Door, query: str) -> list[tuple[str, int | None]]:
    """Return the bots of a leaderboard with their ranks."""
    answer = await get(door, f"/leaderboard?{BOARD}&{query}", "LeaderboardAnswer")
    return [(item["bot"]["name"], item["rank"]) for item in answer["items"]]


async def test_certainty_filters_and_trends(door: Door) -> None:
    store = door.arena.store
    first, second, third = await versions(store, "order-A", "order-b", "disorder-c")
    await played(door, first, second, "1-0", "1-0", "1-0", "0-1", "1-0")
    await played(door, second, first, "0-1", "1-0", "0-1")
    await played(door, second, third, "1-0", "1-0", "0-1", "1-0")
    await played(door, third, second, "0-1", "1-0")

    answer = await get(door, f"/leaderboard/certainty?{BOARD}", "CertaintyAnswer")
    assert [player["bot"]["name"] for player in answer["players"]] == ["order-A", "order-b", "disorder-c"]
    assert answer["superiority"] == pytest.approx(np.array(likelihoods(BY_HAND)), abs=2e-4)
    again = await get(door, f"/leaderboard/certainty?{BOARD}", "CertaintyAnswer")
    assert again == answer, "from the cache of the fit"
    two = await get(door, f"/leaderboard/certainty?{BOARD}&name=ORDER-&players=2", "CertaintyAnswer")
    assert two["superiority"][0][1] == pytest.approx(answer["superiority"][0][1])

    for system in ("elo", "bradley-terry"):
        whole = await names(door, f"system={system}")
        assert [name for name, _ in whole] == ["order-A", "order-b", "disorder-c"]
        assert await names(door, f"system={system}&name=er-B") == [whole[1]], "the rank is that of the whole list"
        assert await names(door, f"system={system}&name=%25") == []
        assert await names(door, f"system={system}&kind=own&active=1") == whole
        assert await names(door, f"system={system}&kind=built-in") == []
        page = await get(door, f"/leaderboard?{BOARD}&system={system}&name=order-&limit=2", "LeaderboardAnswer")
        assert (len(page["items"]), page["matches"]) == (2, 14)
        rest = await names(door, f"system={system}&name=order-&limit=2&after={page['next']}")
        assert rest == [whole[2]]

    numbers = ",".join(str(version.bot_id) for version in (first, third))
    trends = await get(door, f"/leaderboard/trends?{BOARD}&bots={numbers},999999", "TrendsAnswer")
    assert [(item["bot"], item["version"]) for item in trends["items"]] == [(first.bot_id, "1"), (third.bot_id, "1")]
    for item in trends["items"]:
        history = [point.rating for point in await store.ratings.history(item["bot"], GAME, TIME_CLASS)]
        assert item["ratings"] == [1500.0, *history]
        assert item["change"] == pytest.approx(history[-1] - 1500.0)
    for bots, words in (("1,x", "'bots'"), (",".join(map(str, range(1, 102))), "at most 100 bots (got 101)")):
        async with door.http.get(f"/api/v1/leaderboard/trends?{BOARD}&bots={bots}") as response:
            assert response.status == 400
            assert words in (await response.json())["error"]["message"]


BY_HAND = [(0, 1, 4, 1), (1, 0, 1, 2), (1, 2, 3, 1), (2, 1, 1, 1)]
"""First player, second player, wins and losses of the first in the matches above."""


def likelihoods(results: list[tuple[int, int, int, int]]) -> list[list[float]]:
    """Compute the likelihoods of superiority by the definition: the mode of the posterior and its curvature, both by
    finite differences.
    """
    games = Counter[frozenset[int]]()
    for one, other, wins, losses in results:
        games[frozenset((one, other))] += wins + losses
    weights = {pair: 1 / (1 + (number - 1) * CORRELATION) for pair, number in games.items()}

    def posterior(at: np.ndarray) -> float:
        """Return the logarithm for three ratings and the advantage of the first move, in logarithms of odds."""
        prior = -np.logaddexp(0, np.stack([at, -at])).sum() / 2  # a game half won and half lost
        for one, other, wins, losses in results:
            lead = at[one] - at[other] + at[3]
            told = wins * np.logaddexp(0, -lead) + losses * np.logaddexp(0, lead)
            prior -= weights[frozenset((one, other))] * told
        return float(prior)

    steps = 1e-3 * np.eye(4)

    def curve(at: np.ndarray) -> np.ndarray:
        """Return the second derivatives."""
        return np.array([[mixed(at, one, other) for other in steps] for one in steps]) / 4e-6

    def mixed(at: np.ndarray, one: np.ndarray, other: np.ndarray) -> float:
        apart = posterior(at + one - other) + posterior(at - one + other)
        return posterior(at + one + other) - apart + posterior(at - one - other)

    at = np.zeros(4)
    for _ in range(20):
        slope = np.array([posterior(at + step) - posterior(at - step) for step in steps]) / 2e-3
        at = at - np.linalg.solve(curve(at), slope)
    covariance = np.linalg.inv(-curve(at))
    return [
        [
            NormalDist().cdf((at[one] - at[other]) / np.sqrt(spread))
            if (spread := covariance[one, one] + covariance[other, other] - 2 * covariance[one, other]) > 1e-9
            else 0.5
            for other in range(3)
        ]
        for one in range(3)
    ]


async def test_followers_of_a_leaderboard_hear_of_new_ratings(door: Door) -> None:
    first, second = await versions(door.arena.store, "news-a", "news-b")
    key = {"game": GAME, "time_class": "blitz"}
    board = f"/leaderboard?game={GAME}&time_class=blitz&limit=1"
    async with connected(door.watch_url) as spectator:
        await spectator.say("follow-leaderboard", **key)
        counts = []
        for _ in range(2):
            before = (await get(door, board, "LeaderboardAnswer"))["matches"]
            await played(door, first, second, "1-0", time_class="blitz")
            door.arena.conductor.on_over()
            while True:
                message = await spectator.hear("leaderboard-changed")
                assert key.items() <= message.items()
                if message.get("matches", 0) > before:
                    break
            counts.append(message["matches"])
            page = await get(door, board, "LeaderboardAnswer")
            assert page["matches"] == message["matches"], "the ratings can be read"
        assert all(one < other for one, other in pairwise(counts))
        await spectator.say("follow-leaderboard", game="go", time_class="blitz")
        assert (await spectator.hear("refused"))["code"] == "unknown-game"
        await spectator.say("unfollow-leaderboard", **key)
        await spectator.say("follow-lobby")
        await spectator.hear("lobby")
        assert door.arena.broadcast.leaderboards.matches((GAME, "blitz")) is None


async def test_points_a_game_stand_where_wins_are_worth_more_than_one(tmp_path: Path) -> None:
    async with opened(tmp_path, unhurried("backgammon", ladder=False)) as door:
        one, other = await versions(door.arena.store, "gammon-a", "gammon-b")
        match = replace(CHECKERS, players=(one.id, other.id), game="backgammon", time_class="rapid", opening=())
        for result, payoff in (("1-0", 2.0), ("1-0", 3.0), ("0-1", 1.0)):
            number = await door.arena.store.matches.start(match)
            await door.arena.store.matches.finish(number, result=result, termination="decided", plies=60, payoff=payoff)
        path = "/leaderboard?game=backgammon&time_class=rapid&system=elo"
        listed = {item["bot"]["name"]: item for item in (await get(door, path, "LeaderboardAnswer"))["items"]}
        for version, mean in ((one, 4 / 3), (other, -4 / 3)):
            bot = await get(door, f"/bots/{version.bot_id}", "BotDetailAnswer")
            (standing,) = bot["ratings"]
            assert standing["payoff"] == pytest.approx(mean) == listed[bot["name"]]["payoff"]
            low, high = standing["payoff_interval"]
            assert low < mean < high
            assert [low, high] == listed[bot["name"]]["payoff_interval"]
        matches = (await get(door, "/matches?game=backgammon", "MatchesAnswer"))["items"]
        assert {match["ended_by"] for match in matches} == {"bearing off"}


async def test_wins_of_one_point_need_no_points_a_game(door: Door) -> None:
    one, other = await versions(door.arena.store, "single-a", "single-b")
    await played(door, one, other, "1-0", time_class="bullet")
    (standing,) = (await get(door, f"/bots/{one.bot_id}", "BotDetailAnswer"))["ratings"]
    assert (standing["payoff"], standing["payoff_interval"]) == (None, None)
