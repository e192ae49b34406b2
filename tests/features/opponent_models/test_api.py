# SPDX-License-Identifier: GPL-3.0-or-later
"""The API of opponent models: bots report them, known_opponents reads them, and predictions are counted."""

import asyncio
from typing import Any

import pytest

from lab.proofs.attacks.slow_peers import big_match
from tests.web.door import Door
from tests.web.players import Message, RawBot, bearer, connected, first_move, start_match
from tests.web.test_match import get
from tests.web.test_tournaments import operator, post

pytestmark = pytest.mark.asyncio(loop_scope="session")


def model_of(player: str, **more: Any) -> dict[str, Any]:
    """Describe a player of tic-tac-toe."""
    pattern = {"seat": 0, "diagram": "x...x....", "games": 3, "of": 9, "move": 2.5, "score": 0.5}
    line = {"seat": 1, "moves": ["a1", "b2"], "games": 2, "score": 1}
    return {"player": player, "game": "tictactoe", "games": 9, "patterns": [pattern], "lines": [line]} | more


async def number(door: Door, name: str) -> int:
    """Return a bot's number."""
    row = await door.arena.store.bots.named(name)
    assert row is not None
    return row.id


async def test_a_bot_reports_a_model_and_everybody_can_read_it(door: Door) -> None:
    (author, token), (subject, _) = await door.register(), await door.register()
    place = await number(door, subject)
    assert (await get(door, f"/bots/{place}/opponent-models", "OpponentModelsAnswer"))["items"] == []
    for games in (9, 10):
        status, kept = await post(door, "/opponent-models", model_of(subject, games=games), bearer(token))
        assert (status, kept) == (200, {"player": subject, "game": "tictactoe"})
    (item,) = (await get(door, f"/bots/{place}/opponent-models", "OpponentModelsAnswer"))["items"]
    assert item["author"] == author
    assert item["model"] == {**model_of(subject, games=10), "held_out": None}


async def test_only_bots_report_models(door: Door) -> None:
    subject, _ = await door.register()
    for headers in (None, bearer("nonsense"), await operator(door)):
        status, answer = await post(door, "/opponent-models", model_of(subject), headers)
        assert (status, answer["error"]["code"]) == (401, "not-allowed")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"player": "nobody at all"}, "no bot is called"),
        ({"game": "go"}, "go"),
        ({"patterns": [{"seat": 0, "diagram": "x", "games": 1, "of": 1, "move": 1, "score": 1}]}, "9 letters"),
        ({"patterns": [{"seat": 2, "diagram": "x........", "games": 1, "of": 1, "move": 1, "score": 1}]}, "seat"),
        ({"lines": [{"seat": 0, "moves": [], "games": 1, "score": 1}]}, "moves"),
    ],
)
async def test_an_invalid_model_is_refused(door: Door, change: dict[str, Any], why: str) -> None:
    (_, token), (subject, _) = await door.register(), await door.register()
    status, answer = await post(door, "/opponent-models", model_of(subject) | change, bearer(token))
    assert status in {400, 404}
    assert why in answer["error"]["message"]


async def expecting(bot: RawBot, turn: Message, answer: str) -> None:
    """Move, and tell what is expected to be answered."""
    expected = [{"move": answer, "probability": 0.75}, {"move": "c3", "probability": 0.25}]
    bot._tried[turn["match"]] = turn["ply"], first_move(turn)
    await bot.say("move", match=turn["match"], ply=turn["ply"], move=first_move(turn), info={"expected": expected})


async def test_predicted_replies_are_shown_and_counted(door: Door) -> None:
    (_, one_token), (name, other_token) = await door.register(), await door.register()
    async with connected(door.play_url) as one, connected(door.play_url) as other:
        await one.hello(one_token, ["tictactoe"], ladder=False)
        await other.hello(other_token, ["tictactoe"], ladder=False)
        match, _, _ = await start_match(one, other, name)
        foretold = 0
        async with asyncio.timeout(600):
            playing = asyncio.create_task(other.play(first_move))
            while (message := await one.hear("turn", "over"))["type"] == "turn":
                # who always plays the first legal move is foreseen: it will be the second of these
                await expecting(one, message, message["legal_moves"][1])
                foretold += 1
            await playing
    found = await get(door, f"/bots/{await number(door, name)}/predictions?game=tictactoe", "PredictionsAnswer")
    assert (found["matches"], found["predicted"]) == (1, found["hit"])
    assert 0 < found["predicted"] <= foretold
    (step,) = found["steps"]
    assert (step["low"], step["probability"], step["hit"]) == (0.7, 0.75, found["hit"])
    shown = await get(door, f"/matches/{match}", "MatchDetailAnswer")
    told = [move["info"]["expected"] for move in shown["moves"] if move.get("info")]
    assert len(told) == foretold
    assert told[0][0]["probability"] == 0.75


async def test_long_matches_without_predictions_are_read(door: Door) -> None:
    await big_match(door.arena.store, 450, 6_000)
    found = await get(door, f"/bots/{await number(door, 'big-1')}/predictions?game=nim", "PredictionsAnswer")
    assert (found["matches"], found["steps"]) == (0, [])
