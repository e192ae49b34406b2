# SPDX-License-Identifier: GPL-3.0-or-later
"""The built site has every page as GitHub shows it, and the complete reference."""

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest
from markdown_it.token import Token

from arena.cli import packages, parser
from arena.cli.features import FEATURES
from arena.cli.lab import COMMANDS, command_line
from arena.cli.support.command_line import commands
from arena.protocol.errors import CloseCode, ErrorCode
from arena.protocol.schema import classes
from arena.settings import Settings, declared
from engine.formats import catalogue
from tools.documentation import formats, requests, sdk
from tools.documentation.building import NotBuilt, _added
from tools.documentation.dialect import PARSER
from tools.documentation.staging import place, sources
from web.api.openapi import document, documented
from web.application import endpoints_of

OUTSIDE = re.compile(r"https?://(?!www\.w3\.org/|fontawesome\.com)[a-z0-9.-]+\.[a-z]+", re.IGNORECASE)
"""Addresses of other sites, except names of XML and the licence of an icon."""

ELEMENTS = {
    "bullet_list_open": "ul",
    "ordered_list_open": "ol",
    "list_item_open": "li",
    "table_open": "table",
    "tr_open": "tr",
    "fence": "pre",
    "code_block": "pre",
    "heading_open": "h",
    "code_inline": "code",
}
"""Tokens of Markdown, and the elements that a page has for them."""


class Article(HTMLParser):
    """The text of a page, and the number of its elements."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: Counter[str] = Counter()
        self.parts: list[str] = []
        self._inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Count an element of the article."""
        self._inside |= tag == "article"
        if self._inside:
            self.elements["h" if re.fullmatch("h[1-6]", tag) else tag] += 1
            start = dict(attributes).get("start")
            if start:
                self.elements[f"ol from {start}"] += 1

    def handle_endtag(self, tag: str) -> None:
        """Notice the end of the article."""
        self._inside &= tag != "article"

    def handle_data(self, text: str) -> None:
        """Collect the text of the article."""
        if self._inside:
            self.parts.append(text)


@cache
def article(site: Path, path: str) -> Article:
    """Return the page of the site for a page of the checkout."""
    name = place(path).removesuffix("index.md").removesuffix(".md")
    return Article((site / name / "index.html").read_text("utf-8"))


def text(site: Path, path: str) -> str:
    return "".join(article(site, path).parts)


def counted(tokens: list[Token]) -> Iterator[str]:
    """Yield the elements that a page must have for its Markdown."""
    for token in tokens:
        if token.type in ELEMENTS:
            yield ELEMENTS[token.type]
            if token.type in ("fence", "code_block"):
                yield "code"
        if token.attrGet("start"):
            yield f"ol from {token.attrGet('start')}"
        yield from counted(token.children or [])


def test_every_page_has_the_lists_tables_and_code_of_its_source(built_site: Path) -> None:
    wrong = {}
    for path, source in sources().items():
        if not path.startswith(f"docs/{sdk.FOLDER}/"):
            expected, found = Counter(counted(PARSER.parse(source))), article(built_site, path).elements
            wrong[path] = {name: (n, found[name]) for name, n in expected.items() if found[name] != n}
    assert {path: each for path, each in wrong.items() if each} == {}


def test_every_setting_is_in_the_reference(built_site: Path) -> None:
    page = text(built_site, "docs/reference/settings.md").split()
    kinds: list[type[Any]] = [Settings]
    kinds += [kind for feature in FEATURES if (kind := feature.settings()) is not None]
    names = [each.name for kind in kinds for each in declared(kind)]
    assert len(names) > 100
    for name in names:
        assert f"--{name.replace('_', '-')}" in page
        assert f"ARENA_{name.upper()}" in page


def described(made: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the options, arguments and actions of a command."""
    for action in made._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield below.prog
                yield from described(below)
        elif action.help != argparse.SUPPRESS and not isinstance(action, argparse._HelpAction):
            yield from action.option_strings or [str(action.metavar or action.dest)]


def command_lines() -> Mapping[str, argparse.ArgumentParser]:
    """Return the parsers of all commands by the names of their pages."""
    found = {}
    for prefix, packs, make in (("", packages(), parser), ("lab-", [COMMANDS], command_line)):
        for command in commands(packs):
            (choices,) = (each for each in make(command.name)._actions if isinstance(each, argparse._SubParsersAction))
            found[f"{prefix}{command.name}"] = choices.choices[command.name]
    return found


def test_every_command_and_option_is_in_the_reference(built_site: Path) -> None:
    index = text(built_site, "docs/reference/commands/README.md")
    lines = command_lines()
    assert len(lines) >= 39
    for name, made in lines.items():
        assert made.prog in index
        page = text(built_site, f"docs/reference/commands/{name}.md")
        assert page.startswith(f"\n{made.prog}") or made.prog in page
        assert [each for each in described(made) if each not in page] == [], name


def test_every_request_parameter_and_type_is_in_the_reference(built_site: Path) -> None:
    described = document(documented(endpoints_of(FEATURES)))
    for path, item in described["paths"].items():
        for method, operation in item.items():
            page = text(built_site, f"docs/{requests.FOLDER}/{operation['tags'][0]}.md")
            assert f"{method.upper()} {path}" in page
            assert operation["summary"].replace("`", "") in page
            assert [each["name"] for each in operation.get("parameters", ()) if each["name"] not in page] == []
    types = text(built_site, f"docs/{requests.FOLDER}/{requests.TYPES}.md")
    for name, schema in described["components"]["schemas"].items():
        assert name in types
        assert [each for each in schema.get("properties", ()) if each not in types] == []


def test_every_message_and_code_is_in_the_reference(built_site: Path) -> None:
    page = text(built_site, "docs/reference/protocol.md")
    for kind in classes().values():
        tag = kind.__struct_config__.tag
        fields = [each.encode_name for each in msgspec.structs.fields(kind)]
        assert kind.__subclasses__() or str(tag or kind.__name__) in page
        assert [name for name in fields if name not in page] == []
    assert [code for kind in (ErrorCode, CloseCode) for code in kind if str(code.value) not in page] == []


@pytest.mark.parametrize("name", formats.JSON_FORMATS)
def test_every_format_with_its_types_and_fields_is_in_the_reference(built_site: Path, name: str) -> None:
    index = text(built_site, f"docs/{formats.FOLDER}/README.md")
    page = text(built_site, f"docs/{formats.FOLDER}/{name}.md")
    assert formats.JSON_FORMATS[name].title in index
    for kind, schema in formats.schemas(formats.JSON_FORMATS[name].kinds).items():
        assert kind in page
        assert [each for each in schema.get("properties", ()) if each not in page] == []


def test_every_format_of_records_is_in_the_reference(built_site: Path) -> None:
    index = text(built_site, f"docs/{formats.FOLDER}/README.md")
    assert [each.title for each in catalogue().values() if f".{each.name}" not in index] == []


@pytest.mark.parametrize("page", sdk.MODULES)
def test_every_public_name_of_the_sdk_is_in_the_reference(built_site: Path, page: str) -> None:
    module = sdk.MODULES[page][1]
    built = (built_site / sdk.FOLDER / page / "index.html").read_text("utf-8")
    assert sdk.names(module)
    assert [name for name in sdk.names(module) if f'id="{module}.{name}"' not in built] == []


def test_scripts_and_style_sheets_name_no_other_site(built_site: Path) -> None:
    files = [path for path in (built_site / "assets").rglob("*") if path.suffix in (".js", ".css")]
    assert len(files) > 5
    for path in files:
        assert OUTSIDE.findall(path.read_text("utf-8")) == [], path.name


def test_a_theme_that_adds_its_style_sheet_in_another_way_is_an_error() -> None:
    assert _added("""var Qx='.a{b:c}';function f(){C("style",{},Qx.toString())}""") == ".a{b:c}"
    for script in ("var Qx='.a{b:c}'", """C("style",{},Qx.toString())""", """var Q="x";C("style",{},Q.toString())"""):
        with pytest.raises(NotBuilt, match="another way"):
            _added(script)
