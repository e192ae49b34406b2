# SPDX-License-Identifier: GPL-3.0-or-later
"""What a bot answers."""

import numpy as np
import pytest

from arena.protocol.codec import encode, from_bot
from arena.protocol.messages import Info, Move, Turn
from bots.bot import Bot, Reply


def test_a_reply_that_tells_nothing_has_no_info() -> None:
    assert Reply("a1").info is None
    assert Reply("a1", offer_draw=True).info is None


def test_numbers_of_any_kind_reach_the_wire() -> None:
    reply = Reply("a1", float(np.float32(0.5)), np.int64(3), np.uint64(9), ("a1",) * 100)  # type: ignore[arg-type]  # numpy's
    assert reply.info == Info(score=0.5, depth=3, nodes=9, pv=["a1"] * 32)
    assert from_bot(encode(Move(1, 0, "a1", reply.info))) == Move(1, 0, "a1", reply.info)


@pytest.mark.parametrize(("score", "told"), [(float("inf"), 1e12), (-1e300, -1e12), (float("nan"), None)])
def test_infinite_scores_are_limited_by_the_protocol(score: float, told: float | None) -> None:
    move = from_bot(encode(Move(1, 0, "a1", Reply("a1", score=score).info)))
    assert isinstance(move, Move)
    assert (move.info.score if move.info else None) == told


def test_counts_beyond_measure_reach_the_wire() -> None:
    assert Reply("a1", depth=-1, nodes=2**60).info == Info(depth=0, nodes=2**53)


def test_a_bot_must_move() -> None:
    with pytest.raises(NotImplementedError):
        Bot().move(Turn(match=1, game="some", ply=0, position="", seat=0))
