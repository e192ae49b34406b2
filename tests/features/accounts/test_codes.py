# SPDX-License-Identifier: GPL-3.0-or-later
"""One-time codes: easy to type, never taken for an option of a command."""

import pytest

from arena.connections.admission import hash_token
from arena.features.accounts.codes import ALPHABET, LETTERS, hash_code, make_code


def test_codes_are_groups_of_letters_and_digits() -> None:
    codes = {make_code() for _ in range(500)}
    assert len(codes) == 500
    for code in codes:
        assert [len(group) for group in code.split("-")] == [5, 5, 5, 5, 5, 1]
        assert set(code) <= {*ALPHABET, "-"}
        assert code[0] in ALPHABET, "no command line takes it for an option"
    assert len(set(ALPHABET)) == 32
    assert LETTERS * 5 >= 128, "random bits"


@pytest.mark.parametrize(
    "typed",
    [
        "01abc-defgh-jkmnp-qrstv-wxyz0-1",
        "01ABCDEFGHJKMNPQRSTVWXYZ01",
        " OIabc defgh jkmnp qrstv wxyz0 l ",
        "oLABC-DEFGH-JKMNP-QRSTV-WXYZo-i",
    ],
)
def test_a_code_is_the_same_however_it_is_typed(typed: str) -> None:
    assert hash_code(typed) == hash_code("01abc-defgh-jkmnp-qrstv-wxyz0-1")


def test_codes_of_earlier_versions_are_valid() -> None:
    for code in ("-Zb3xYfN0a_hQe7Lm2kPqA", "code", ""):
        assert hash_code(code) == hash_token(code)
