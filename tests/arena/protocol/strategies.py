# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages that keep the bounds of their fields."""

from hypothesis import strategies as st

from arena.protocol import messages as m

numbers = st.integers(1, 2**53)
names = st.text(st.characters(codec="utf-8"), min_size=1, max_size=64)
labels = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Zl", "Zp"]), min_size=1, max_size=64)
"""Names without control characters."""
infos = st.builds(
    m.Info,
    score=st.none() | st.floats(-1e12, 1e12),
    depth=st.none() | st.integers(0, 10_000),
    nodes=st.none() | st.integers(0, 2**53),
    pv=st.lists(names, max_size=4),
)
hellos = st.builds(
    m.Hello,
    protocol=st.integers(0, 9),
    token=names,
    games=st.lists(names, min_size=1, max_size=3),
    version=labels,
    software=labels,
    capacity=st.integers(1, 256),
)
moves = st.builds(m.Move, match=numbers, ply=st.integers(0, 100_000), move=names, info=st.none() | infos)
others = (
    st.builds(m.Resign, match=numbers)
    | st.builds(m.OfferDraw, match=numbers)
    | st.builds(m.AnswerDraw, match=numbers)
    | st.builds(m.Sync, match=numbers)
    | st.builds(m.Availability)
    | st.builds(m.Challenge, opponent=names, game=names, time_control=st.none() | st.just("60+1"))
    | st.builds(m.AnswerChallenge, challenge=numbers)
    | st.builds(m.WithdrawChallenge, challenge=numbers)
)
from_bots = hellos | moves | others
