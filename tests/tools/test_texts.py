# SPDX-License-Identifier: GPL-3.0-or-later
"""The catalogues of translations: complete, without texts that no longer exist, with the same places for values."""

import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message

from arena.tournaments.machine.formats import FORMATS
from tools import texts
from web.language import SOURCE, codes

PLACE = re.compile(r"\{\d\}")
TRANSLATED = [code for code in codes() if code != SOURCE]

COMMANDS = ("arena ", "import random", "make docs", "pip install ")
"""How commands and programs begin."""

ON_PURPOSE = {
    # addresses, names of programs and games, letters of formulas, an error of the code itself
    *("{0}/reset-password?code={1}", "{0}/sign-up?code={1}", "Edge", "Opera", "Mac OS X", "Python", "chess", "σ"),
    "The page has no {0}.",
    # names of tabs and seats, which are translated where they are shown
    *("Moves", "Engines", "Graph", "Dice"),
    # the drawing of an icon
    "M3 8.5 6.5 12 13 4.5",
    # style sheets: classes, selectors, a font
    *("board bare", "body man", "outcome win", "outcome loss", "wide number", "td.name a"),
    *("button, a", "input, select", "input, select, textarea, [role=grid], [role=tablist]"),
    *(".scroll, pre, .command code", "button:focus-visible, summary:focus-visible"),
}
"""Strings of scripts that look like texts, and need no translation."""


@pytest.fixture(scope="module")
def sources() -> Catalog:
    return texts.collect()


def key(message: Message) -> tuple[str, str | None]:
    """Return what names a text in a catalogue."""
    return (message.id if isinstance(message.id, str) else message.id[0]), message.context


@pytest.mark.parametrize("code", TRANSLATED)
def test_a_catalogue_is_up_to_date(code: str, sources: Catalog) -> None:
    assert texts.updated(code, sources) == texts.path_of(code).read_bytes(), "run `python -m tools.texts`"


@pytest.mark.parametrize("code", TRANSLATED)
def test_every_text_has_a_translation(code: str) -> None:
    assert texts.missing(texts.read(code)) == [], f"translate them in {texts.path_of(code).name}"


@pytest.mark.parametrize("code", TRANSLATED)
def test_translations_have_the_places_of_their_texts(code: str) -> None:
    wrong = []
    for message in texts.read(code):
        if not message.id:
            continue
        one, *more = (message.id,) if isinstance(message.id, str) else message.id
        made = (message.string,) if isinstance(message.string, str) else message.string or ()
        # the text for exactly one may leave out the number
        places = [set(PLACE.findall((more or [one])[-1])) for _ in made]
        found = [set(PLACE.findall(each)) for each in made]
        if any(have - want or (not more and have != want) for have, want in zip(found, places, strict=True)):
            wrong.append(key(message))
    assert wrong == []


@pytest.mark.parametrize("code", TRANSLATED)
def test_translations_keep_the_white_space_at_their_ends(code: str) -> None:
    def ends(text: str) -> tuple[bool, bool]:
        return text[:1].isspace(), text[-1:].isspace()

    assert [
        key(message)
        for message in texts.read(code)
        if isinstance(message.id, str) and message.id and ends(message.id) != ends(str(message.string))
    ] == []


def test_every_format_has_its_description() -> None:
    assert {type(example) for example in texts.EXAMPLES} == set(FORMATS.values())
    assert texts.numbered("sequential test, -5 against 2.5 Elo") == "sequential test, {0} against {1} Elo"


def test_scripts_show_no_unmarked_text() -> None:
    found = [each for each in texts.unmarked() if not each.text.startswith(COMMANDS)]
    assert [f"{each.place}:{each.line}: {each.text}" for each in found if each.text not in ON_PURPOSE] == []
    # and each exception still exists
    assert {each.text for each in found} >= ON_PURPOSE


def test_an_unmarked_text_is_found(tmp_path: Path) -> None:
    script = texts.ROOT / "web" / "static" / "moves.js"
    copy = tmp_path / "moves.js"
    copy.write_text(
        f"{script.read_text('utf-8')}\nexport const MORE = html`<p title=${{'Not marked'}}>Marked</p>`;\n", "utf-8"
    )
    [found] = texts.read_scripts([copy]).values()
    assert "Not marked" in {each["text"] for each in found["unmarked"]}
    assert "Marked" in {each["text"] for each in found["texts"]}
