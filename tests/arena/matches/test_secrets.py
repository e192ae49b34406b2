# SPDX-License-Identifier: GPL-3.0-or-later
"""Bots that try to learn or to move what is hidden from them."""

import pytest

from tests.arena.conftest import OpenArena
from tests.arena.peers import Duel, duel


async def started(open_arena: OpenArena, game: str) -> Duel:
    return await duel(await open_arena(games=game, time_controls=f"{game}=170+0"), game)


@pytest.mark.parametrize("more", [{"seat": 0}, {"viewer": 0}, {"full": True}, {"secret": "0" * 32}])
async def test_a_bot_cannot_ask_for_the_view_of_the_other(open_arena: OpenArena, more: dict[str, object]) -> None:
    game = await started(open_arena, "kuhn")
    await game.second.next("match")  # the one at the start
    game.second.send(type="sync", match=game.match, **more)
    assert (await game.second.next("error", "match"))["code"] == "malformed"
    game.second.send(type="sync", match=game.match)
    state = await game.second.next("match")
    assert state["seat"] == 1
    assert [move["move"][0] for move in state["moves"]] == ["?"], "the first card is the other seat's"


async def test_an_earlier_turn_cannot_be_answered_again(open_arena: OpenArena) -> None:
    game = await started(open_arena, "kuhn")
    ply = (await game.first.next("turn"))["ply"]
    game.first.send(type="move", match=game.match, ply=ply, move="check")
    await game.first.next("accepted")
    for move, answer in (("check", "accepted"), ("bet", "error")):
        game.first.send(type="move", match=game.match, ply=ply, move=move)
        told = await game.first.next("accepted", "error")
        assert (told["type"], told.get("code", "")) == (answer, "not-your-turn" if answer == "error" else "")
    game.first.send(type="sync", match=game.match)
    assert [move["move"] for move in (await game.first.next("match"))["moves"]][1:] == ["check"]


@pytest.mark.parametrize(
    ("game", "move"),
    [("dark-chess", "e7e5"), ("dark-chess", "e4e5"), ("phantom-go/9x9", "I5"), ("battleship", "C7"), ("kuhn", "fold")],
)
async def test_what_is_not_there_cannot_move(open_arena: OpenArena, game: str, move: str) -> None:
    """The refusal tells nothing of the position, and the match is lost."""
    match = await started(open_arena, game)
    ply = (await match.first.next("turn"))["ply"]
    match.first.send(type="move", match=match.match, ply=ply, move=move)
    refused = await match.first.next("error")
    assert (refused["code"], refused["message"]) == ("illegal-move", f"'{move}' is not a legal move here")
    one, other = await match.over()
    assert (one["score"], other["score"], one["termination"]) == (0.0, 1.0, "illegal move")
