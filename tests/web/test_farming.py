# SPDX-License-Identifier: GPL-3.0-or-later
"""Two bots of one owner make a rating of nothing, through real sockets: they get little, and it is not ranked."""

from pathlib import Path

from lab.proofs.attacks.abusive_bots import Farmers
from tests.arena.peers import ready
from tests.web.door import opened, unhurried

SETTINGS = unhurried("tictactoe", ladder=False, rated_challenges_per_day=3, versions_per_day=4, token_rate=100.0)


async def test_arranged_matches_under_new_versions_reach_the_limits_and_give_no_rank(tmp_path: Path) -> None:
    async with opened(tmp_path, SETTINGS) as door:
        await ready(door.arena)
        tokens = dict([await door.register("winner"), await door.register("loser")])
        farmers = Farmers(door.play_url, tokens, each=2)
        await farmers.until_refused("challenge-refused", "too-many-versions")
        assert farmers.matches == 2 * SETTINGS.rated_challenges_per_day
        assert len(farmers.versions) == SETTINGS.versions_per_day
        async with door.http.get("/api/v1/leaderboard?game=tictactoe") as answer:
            lines = {(line["bot"]["name"], line["version"]): line for line in (await answer.json())["items"]}
        assert all(line["rank"] is None and line["provisional"] for line in lines.values())
        fallen = [lines["loser", f"1.{number}"]["elo"] for number in (1, 2, 3)]
        assert fallen == sorted(fallen, reverse=True), "each version starts where the one before fell to"
        # a first version that loses twice is some 38 points down; from 1500 each time it would be the same again
        assert fallen[-1] < fallen[0] - 40
