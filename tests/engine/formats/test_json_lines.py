# SPDX-License-Identifier: GPL-3.0-or-later
"""JSON lines contain the whole record of every game; invalid records are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.formats import Unreadable, json_lines
from engine.match.ending import Termination
from engine.match.events import Info
from engine.match.record import RESULTS, PlayedMove, Player, Record

moments = st.none() | st.sampled_from(["1926", "2024-05-01T12:00:00Z"])
times = st.none() | st.integers(0, 10**7)
infos = st.none() | st.builds(Info, score=st.none() | st.floats(-1e6, 1e6), pv=st.lists(st.text(max_size=5)).map(tuple))
moves = st.builds(PlayedMove, move=st.text(max_size=9), elapsed=times, clock=times, info=infos)
players = st.builds(
    Player, name=st.text(max_size=9), version=st.text(max_size=3), rating=st.none() | st.floats(0, 4000)
)
records = st.builds(
    Record,
    game=st.text(max_size=9),
    players=st.tuples(players, players),
    result=st.sampled_from(RESULTS),
    start=st.none() | st.text(max_size=9),
    opening=st.lists(st.text(max_size=5), max_size=3).map(tuple),
    moves=st.lists(moves, max_size=5).map(tuple),
    termination=st.none() | st.sampled_from(Termination),
    detail=st.text(max_size=9),
    seed=st.none() | st.integers(0, 2**63),
    started=moments,
    finished=moments,
    tags=st.dictionaries(st.text(max_size=3), st.text(max_size=3), max_size=2),
)


@given(st.lists(records, max_size=4))
def test_records_are_unchanged_after_write_and_read(written: list[Record]) -> None:
    lines = list(json_lines.write(written))
    assert len(lines) == len(written)
    assert all(line.endswith("\n") and line.count("\n") == 1 for line in lines)
    assert list(json_lines.read([*lines, "\n", ""])) == written


@pytest.mark.parametrize("line", ["{", "1", "[]", "{}", '{"game":"g","players":[{"name":"a"}],"result":"*"}', "\udc00"])
def test_invalid_records_are_refused_with_their_line(line: str) -> None:
    good = next(json_lines.write([Record(game="g", players=(Player("a"), Player("b")), result="*")]))
    refused: list[Unreadable] = []
    assert len(list(json_lines.read([good, line, good], refused.append))) == 2
    assert [one.line for one in refused] == [2]
    with pytest.raises(Unreadable):
        list(json_lines.read([line]))


def test_an_invalid_result_is_refused() -> None:
    with pytest.raises(Unreadable, match="not a result"):
        list(json_lines.read(['{"game":"g","players":[{"name":"a"},{"name":"b"}],"result":"3-0"}']))
