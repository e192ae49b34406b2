# SPDX-License-Identifier: GPL-3.0-or-later
import ast
import json
import re
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, get_args

import jsonschema
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.protocol import messages as m
from arena.protocol.codec import encode
from arena.protocol.reference import markdown, type_words
from arena.protocol.schema import COMMON, DIRECTIONS, classes, field_docs, json_schema, meanings
from tests.arena.protocol.strategies import from_bots

DOCS = Path(__file__).parents[3] / "docs" / "reference" / "protocol.md"


@pytest.fixture(scope="module")
def validator() -> Any:
    schema = json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


WELCOME = m.Welcome(protocol=1, server="here", bot="b", version="1", games=["g"], matches=[3])
OVER = m.Over(match=3, result="1-0", score=1.0, termination="time", rating=m.RatingChange(1500.0, 1520.0))


@settings(max_examples=30)
@given(message=from_bots | st.sampled_from([WELCOME, OVER, m.Accepted(match=3, ply=0, clock=1)]))
def test_real_messages_satisfy_the_schema(validator: Any, message: m.BotMessage | m.ArenaMessage) -> None:
    validator.validate(json.loads(encode(message)))


@pytest.mark.parametrize(
    "wrong",
    [
        {"type": "nonsense"},
        {"type": "resign"},
        {"type": "resign", "match": "1"},
        {"type": "resign", "match": 1, "x": 2},
    ],
)
def test_wrong_messages_do_not(validator: Any, wrong: dict[str, Any]) -> None:
    assert not validator.is_valid(wrong)


def test_the_docs_are_made_from_the_classes() -> None:
    assert DOCS.read_text() == markdown(), "run: arena lab schema --docs > docs/reference/protocol.md"


def test_every_message_is_documented() -> None:
    headings = re.findall(r"^### (.+)$", markdown(), re.MULTILINE)
    for _, union in DIRECTIONS.values():
        assert {kind.__struct_config__.tag for kind in get_args(union)} <= set(headings)


def test_every_field_has_a_row_with_a_type_and_a_meaning() -> None:
    text = markdown()
    for kind in classes().values():
        for name, meaning in meanings(kind).items():
            assert meaning
            if kind.__struct_config__.tag and not kind.__subclasses__():
                part = text.partition(f"### {kind.__struct_config__.tag}\n")[2].partition("\n### ")[0]
                assert f"| `{name}` |" in part
    assert "any value" not in text


def test_no_shared_meaning_is_unused() -> None:
    used = {name for kind in classes().values() for name in meanings(kind) if name not in field_docs(kind)}
    assert set(COMMON) <= used


@pytest.mark.parametrize(
    ("annotation", "words"),
    [
        (Literal["a|b", 3], '`3` or `"a\\|b"`'),
        (Annotated[list[str], msgspec.Meta(max_length=3)], "list (≤ 3) of string"),
        (Annotated[float, msgspec.Meta(gt=0, le=1e6)], "number (> 0, ≤ 1,000,000)"),
        (Annotated[str, msgspec.Meta(min_length=1, pattern="^a")], "string (≥ 1 characters) (pattern `^a`)"),
        (dict[str, tuple[int, int | None]], "object with values of [integer, integer or null]"),
        (
            dict[str, int] | list[int | str] | None,
            "object with values of integer, or list of integer or string, or null",
        ),
        (list[Any], "list"),
        (Any, "any value"),
    ],
)
def test_types_are_written_in_words(annotation: Any, words: str) -> None:
    assert type_words(msgspec.json.schema(annotation)) == words


def test_links_lead_somewhere() -> None:
    text = markdown()
    anchors = {heading.lower().replace(" ", "-") for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= anchors


class Documented(msgspec.Struct):
    """A class with members of all kinds."""

    LONGEST: ClassVar[int] = 3
    """No field."""
    name: str
    plain: int = 1
    several: dict[str, list[int]] = msgspec.field(
        default_factory=dict,  # a comment
    )
    """In "quotes",
    on two lines: a\tb."""
    last: str = "no docstring"

    def method(self) -> None:
        """It has one, and a variable."""
        inner: int = 1
        """Not a member."""
        del inner

    after: str = ""
    """A member | after a method."""


def test_members_are_documented_without_ast(monkeypatch: pytest.MonkeyPatch) -> None:
    def parse(*_: object, **__: object) -> None:
        raise SystemError("AST constructor recursion depth mismatch")

    with monkeypatch.context() as patched:
        patched.setattr(ast, "parse", parse)
        docs = field_docs(Documented)
    assert docs == {
        "several": 'In "quotes", on two lines: a b.',
        "after": "A member \\| after a method.",
    }
