# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames in a stream of bytes, counted however the stream is cut."""

from hypothesis import given
from hypothesis import strategies as st

from lab.proofs.attacks.bad_connections import BINARY, CONTINUATION, PING, TEXT, frame
from web.intake.metering import FrameCounter

KINDS = st.tuples(
    st.sampled_from([TEXT, BINARY, CONTINUATION, PING]),
    st.sampled_from([0, 1, 125, 126, 200, 65_535, 65_536]),
    st.booleans(),
    st.booleans(),
)


def _whole(opcode: int, final: bool) -> bool:
    return final and opcode in (TEXT, BINARY)


@given(kinds=st.lists(KINDS, max_size=8), cuts=st.lists(st.integers(1, 70_000), max_size=20), most=st.integers(1, 4))
def test_every_frame_is_counted_once(kinds: list[tuple[int, int, bool, bool]], cuts: list[int], most: int) -> None:
    frames = [frame(opcode, bytes(size), final=final, masked=masked) for opcode, size, final, masked in kinds]
    data, counter, parts, reads = b"".join(frames), FrameCounter(), 0, 0
    for size in [*cuts, len(data) or 1]:
        piece, data = data[:size], data[size:]
        while piece:
            cut = counter.cut(piece, most)
            assert cut.end > 0, "it goes on"
            parts += cut.parts
            reads += 1
            piece = piece[cut.end :]
    expected = sum(not _whole(opcode, final) for opcode, _, final, _ in kinds)
    assert expected <= parts <= expected + reads


def test_a_cut_ends_with_a_frame() -> None:
    one = frame(PING, b"abc")
    counter = FrameCounter()
    assert counter.cut(one * 40, 16) == (16 * len(one), 16)
    assert counter.cut(one * 24, 16) == (16 * len(one), 16)
    assert counter.cut(one * 8, 16) == (8 * len(one), 8)


def test_a_whole_message_does_not_count_as_a_part() -> None:
    assert FrameCounter().cut(frame(TEXT, b"x" * 1000), 16).parts == 0
    assert FrameCounter().cut(frame(TEXT, b"x", final=False), 16).parts == 1


def test_bytes_that_begin_no_frame_count_as_a_part() -> None:
    counter, sent = FrameCounter(), frame(TEXT, b"x" * 10)
    assert sum(counter.cut(sent[at : at + 1], 16).parts for at in range(len(sent))) == len(sent) - 1
