# SPDX-License-Identifier: GPL-3.0-or-later
"""Principal variations of a match with their squares, under the rule that withholds search info, and its positions."""

import pytest

from tests.web.door import Door
from tests.web.players import Message, first_move
from tests.web.test_match import get
from tests.web.test_peepers import challenged, seated

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def lines(door: Door, match: int, ply: str = "") -> list[Message | None]:
    """Return the lines of both sides."""
    found: list[Message | None] = (await get(door, f"/matches/{match}/lines{ply}", "LinesAnswer"))["lines"]
    return found


async def test_lines_appear_with_the_search_info_and_positions_at_once(door: Door) -> None:
    async with seated(door, "drawer", "other-drawer") as bots:
        match = await challenged(bots[0], bots[1], "other-drawer")
        state = await bots[1].hear("match")
        first, second = bots if state["to_move"] != state["seat"] else bots[::-1]
        seat, opening = state["to_move"], state["ply"]
        for bot in (first, second):
            turn = await bot.hear("turn")
            pv = [turn["legal_moves"][0], turn["legal_moves"][1], "nonsense", turn["legal_moves"][2]]
            await bot.move(turn, first_move(turn), {"score": 0.5, "pv": pv})
            await bot.hear("accepted")
        assert await lines(door, match) == [None, None], "the search info is withheld"
        turn = await first.hear("turn")
        await first.move(turn, first_move(turn))
        await first.hear("accepted")
        shown = await lines(door, match)
        line = shown[seat]
        assert line is not None
        assert shown[1 - seat] is None
        assert line["ply"] == opening + 1
        assert len(line["moves"]) == 2, "up to the first illegal move"
        assert all(move["diagram"][square] != "." for move in line["moves"] for square in move["squares"])
        assert (await lines(door, match, f"?ply={opening}")) == [None, None]

        position = await get(door, f"/matches/{match}/position", "PositionView")
        detail = await get(door, f"/matches/{match}", "MatchDetailAnswer")
        assert position["diagram"] == detail["diagram"]
        assert position["squares"] == detail["moves"][-1]["squares"]
        move = position["legal"][0]["move"]
        after = await get(door, f"/matches/{match}/position?moves={move}", "PositionView")
        assert len(after["legal"]) == len(position["legal"]) - 1 or after["ending"]
        start = await get(door, f"/matches/{match}/position?ply=0", "PositionView")
        assert start["diagram"] == detail["initial"]
        for path, status, words in (
            (f"position?ply={detail['plies'] + 1}", 404, f"there is no ply {detail['plies'] + 1}"),
            (f"lines?ply={detail['plies'] + 1}", 404, f"there is no ply {detail['plies'] + 1}"),
            ("position?moves=z9", 400, "move 1: 'z9' is not a legal move here"),
        ):
            async with door.http.get(f"/api/v1/matches/{match}/{path}") as response:
                assert response.status == status
                assert words in (await response.json())["error"]["message"]
        await first.say("resign", match=match)
        await first.hear("over")
        assert all(await lines(door, match))
