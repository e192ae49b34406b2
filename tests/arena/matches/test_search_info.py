# SPDX-License-Identifier: GPL-3.0-or-later
"""Search info is cut to size and to budgets; the moves that it came with count in any case."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import json as encoding

from arena.matches.search_info import DAY, MOVE_BYTES, InfoBudgets, cut
from arena.monitoring import Metrics
from arena.protocol import messages as m
from arena.settings import Settings
from arena.store.rows import BotKind, MatchRow, PlayerRow
from engine.match.events import Moved, decode_event
from tests.arena.conftest import OpenArena
from tests.arena.peers import duel

moves = st.text(st.characters(codec="utf-8"), min_size=1, max_size=100)
infos = st.builds(
    m.Info,
    score=st.none() | st.floats(-1e12, 1e12),
    depth=st.none() | st.integers(0, 10_000),
    nodes=st.none() | st.integers(0, 2**53),
    pv=st.lists(moves, max_size=80),
    expected=st.lists(st.builds(m.Expected, move=moves, probability=st.floats(0, 1)), max_size=16),
    candidates=st.lists(
        st.builds(m.Candidate, move=moves, visits=st.integers(0, 2**53), win=st.floats(0, 1)), max_size=m.CANDIDATES
    ),
)

LARGE = m.Info(score=1.5, depth=9, nodes=77, pv=["𝄞" * 100] * 140, expected=[m.Expected("𝄞" * 100, 0.06)] * 16)


@given(infos)
def test_kept_search_info_is_a_prefix_and_small_enough(info: m.Info) -> None:
    kept, size = cut(info)
    assert size == len(encoding.encode(kept)) <= MOVE_BYTES
    assert (kept.score, kept.depth, kept.nodes) == (info.score, info.depth, info.nodes)
    assert len(kept.pv) <= m.KEPT_VARIATION
    assert list(kept.pv) == info.pv[: len(kept.pv)]
    assert [(one.move, one.probability) for one in kept.expected] == [
        (one.move, one.probability) for one in info.expected[: len(kept.expected)]
    ]
    assert [(one.move, one.visits, one.win) for one in kept.candidates] == [
        (one.move, one.visits, one.win) for one in info.candidates[: len(kept.candidates)]
    ]


def test_long_search_info_of_a_bot_is_kept_whole() -> None:
    expected = [m.Expected("e7e8q", 0.123456789012345) for _ in range(16)]
    tried = [m.Candidate("e7e8q", 10**9, 0.1235) for _ in range(m.CANDIDATES)]
    info = m.Info(score=-0.25, depth=40, nodes=10**9, pv=["e2e4"] * 32, expected=expected, candidates=tried)
    kept, _ = cut(info)
    assert (len(kept.pv), len(kept.expected), len(kept.candidates)) == (32, 16, m.CANDIDATES)


def test_room_is_used_for_the_variation_first() -> None:
    kept, size = cut(LARGE)
    assert (len(kept.pv), len(kept.expected)) == (4, 0)
    assert size > MOVE_BYTES - 2 * 403


def match_of(*kinds: BotKind) -> MatchRow:
    players = tuple(PlayerRow(seat, f"bot-{seat}", kind, seat, "1", 1500.0, None) for seat, kind in enumerate(kinds))
    row: dict[str, Any] = {"players": players, "id": 1, "game": "nim", "time_class": "blitz", "rated": False}
    row |= {"seed": 0, "opening": (), "kind": "ladder", "status": "live", "started": 0.0, "detail": "", "pruned": False}
    absent = ("time_control", "start", "pair", "finished", "result", "termination", "plies")
    return MatchRow(**row | dict.fromkeys(absent))


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_bot_has_a_budget_for_each_day_over_all_its_matches() -> None:
    metrics, clock = Metrics(), Clock()
    _, size = cut(LARGE)
    budgets = InfoBudgets(Settings(info_day_bytes=3 * size), metrics, clock)
    first, second = (budgets.of_match(match_of("own", "own")) for _ in range(2))
    assert [first.keep(0, LARGE) is not None for _ in range(2)] == [True, True]
    assert [second.keep(0, LARGE) is not None for _ in range(2)] == [True, False]
    assert second.keep(1, LARGE) is not None, "the other bot has its own"
    assert second.keep(0, m.Info(depth=1)) is None
    clock.now = DAY
    assert second.keep(0, LARGE) is not None
    told = {sample.labels["outcome"]: sample.value for sample in next(iter(metrics.info_bytes.collect())).samples[::2]}
    assert told == {"stored": 5 * size, "dropped": size + len(encoding.encode(m.Info(depth=1)))}


def test_built_in_bots_have_no_budget_for_the_day() -> None:
    budgets = InfoBudgets(Settings(info_day_bytes=0), Metrics(), Clock())
    match = budgets.of_match(match_of("own", "built-in"))
    assert match.keep(0, LARGE) is None
    assert match.keep(1, LARGE) is not None


def test_a_side_has_a_budget_in_a_match_and_what_was_stored_before_a_restart_counts() -> None:
    kept, size = cut(LARGE)
    budgets = InfoBudgets(Settings(info_match_bytes=2 * size), Metrics(), Clock())
    match = budgets.of_match(match_of("own", "own"), [Moved(1, 0, "1", info=kept), Moved(2, 1, "1")])
    assert [match.keep(0, LARGE) is not None for _ in range(2)] == [True, False]
    assert [match.keep(1, LARGE) is not None for _ in range(3)] == [True, True, False]


async def test_an_info_as_long_as_the_protocol_takes_is_cut_and_its_move_counts(open_arena: OpenArena) -> None:
    arena = await open_arena(info_match_bytes=3000)
    match = await duel(arena)
    info = json.loads(encoding.encode(LARGE))
    for ply in range(3):
        peer = (match.first, match.second)[ply % 2]
        turn = await peer.next("turn")
        move = {"match": match.match, "ply": ply, "move": turn["legal_moves"][0], "info": info}
        peer.connection.receive(json.dumps({"type": "move", **move}, ensure_ascii=False))
        assert (await peer.next("accepted", "error"))["type"] == "accepted"
    stored = await match.stored()
    assert [len(event.body) for event in stored.events[:2]] == pytest.approx([MOVE_BYTES] * 2, abs=500)
    events = [decode_event(event.body) for event in stored.events]
    assert [isinstance(event, Moved) and event.info is not None for event in events] == [True, True, False]


@pytest.mark.parametrize("score", ["NaN", "Infinity", "-Infinity", "1e999", "1e13"])
async def test_a_score_that_is_no_number_of_points_is_refused_and_the_turn_stays(
    open_arena: OpenArena, score: str
) -> None:
    match = await duel(await open_arena())
    await match.first.next("turn")
    match.first.connection.receive(
        f'{{"type": "move", "match": {match.match}, "ply": 0, "move": "a1", "info": {{"score": {score}}}}}'
    )
    assert (await match.first.next("error"))["code"] == "malformed"
    match.first.send(type="move", match=match.match, ply=0, move="a1", info={"score": 0.5})
    assert (await match.first.next("accepted", "error"))["type"] == "accepted"
