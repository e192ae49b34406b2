# SPDX-License-Identifier: GPL-3.0-or-later
"""Nothing that a terminal would obey is left in a text that is made safe."""

import io
import logging
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.protocol.codec import Refusal, from_bot
from arena.protocol.terminal import PrintableFormatter, printable, printable_line

HOSTILE = "\x1b[2J\x1b]0;title\x07\x9b31mred\u202eteb\u2066\x7f\r"


def obeyed(text: str) -> set[str]:
    """The characters of a text that a terminal would obey: controls, and those that change the direction."""
    kinds = {"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"}
    return {each for each in text if unicodedata.category(each) == "Cc" or unicodedata.bidirectional(each) in kinds}


@given(st.text(st.characters(), max_size=40))
def test_nothing_is_left_that_a_terminal_obeys(text: str) -> None:
    assert obeyed(printable(text)) <= {"\t", "\n"}
    assert not obeyed(printable_line(text))
    printable(text).encode()  # as any stream would


@given(st.text(st.characters(categories=["L", "N", "P", "S", "Zs", "M"])))
def test_harmless_texts_stay_as_they_are(text: str) -> None:
    assert printable(text) == printable_line(text) == text


def test_escapes_are_shown_as_programmers_write_them() -> None:
    assert printable("a\x1b[2Jb\n\tc") == "a\\u001b[2Jb\n\tc"
    assert printable_line("a\nb") == "a\\u000ab"


def test_a_log_is_safe_with_its_tracebacks() -> None:
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(PrintableFormatter())
    log = logging.getLogger("tests.terminal")
    log.addHandler(handler)
    try:
        raise ValueError(HOSTILE)
    except ValueError:
        log.exception("refused: %s", HOSTILE)
    log.removeHandler(handler)
    assert not obeyed(out.getvalue()) - {"\n", "\t"}
    assert "ValueError" in out.getvalue()


@pytest.mark.parametrize("field", ["version", "software"])
@pytest.mark.parametrize("text", ["1\\u001b[2J", "1\\u009b2J", "1\\n2", "1\\u202e2"])
def test_hello_with_control_characters_is_refused(field: str, text: str) -> None:
    hello = f'{{"type": "hello", "protocol": 1, "token": "t", "games": ["chess"], "{field}": "{text}"}}'
    with pytest.raises(Refusal, match=f"the {field} must not contain control characters"):
        from_bot(hello)
