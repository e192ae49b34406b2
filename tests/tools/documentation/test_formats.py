# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference of formats has every class that is read from JSON, or names it as one of another interface."""

import ast
from collections.abc import Iterator

import pytest

from arena.cli.features import FEATURES
from arena.protocol.schema import classes
from tools.documentation.formats import JSON_FORMATS, schemas
from tools.documentation.staging import ROOT
from web.api.openapi import classes_of, document, documented
from web.application import endpoints_of

PACKAGES = ("arena", "bots", "engine", "lab")

FROM_PROCESSES = {
    *("Answers", "ClientCounts", "Field", "HostProgress", "HostingReport", "HostingState", "Job", "LadderJob"),
    *("LoadCounts", "Outcome", "Pumped", "Report", "Request", "Sender", "SocketsJob", "SocketsReport"),
    *("_CompilerLine", "_Frame", "_Page"),
    *("AnyMessage", "Frame", "FromRunner", "FurtherOrders", "Note", "ToRunner", "Traced"),
}
"""Messages between processes of one version of the arena."""

IN_THE_DATABASE = {"Reading", "Trial", "_WithView"}
"""Contents of columns that only the arena itself reads."""

IN_A_CHECKOUT = {"Measured", "_Connections"}
"""What the simulation of clusters keeps beside its code, and what it reads from NATS; no wheel has it."""

BEGINNINGS = {"Header", "Spoken", "_Head"}
"""The first fields of documents, which tell their version."""

PARTIAL = {"CountedGeneration", "_Move", "_Results", "_Row"}
"""Some fields of documents of the reference, and data that come with the program."""

UNIONS = {
    *("ArenaMessage", "BotMessage", "Event", "Generation", "RecordedEvent", "SearchTraces", "SpectatorMessage"),
    "WatchMessage",
}
"""Names of several classes, or of a tuple of one, which the reference has one by one."""


def read_classes(source: str) -> Iterator[str]:
    """Yield the names of the classes that a module reads from JSON."""
    for call in ast.walk(ast.parse(source)):
        if isinstance(call, ast.Call):
            name = ast.unparse(call.func)
            kinds = [each.value for each in call.keywords if each.arg == "type"] if name.endswith("json.decode") else []
            if name.endswith("Decoder"):
                kinds = call.args
            named = [each for kind in kinds for each in ast.walk(kind) if isinstance(each, ast.Name)]
            yield from (each.id for each in named if each.id.lstrip("_")[:1].isupper() and each.id != "Any")


def test_every_class_that_is_read_from_json_is_in_the_reference() -> None:
    described = set(classes()) | set(document(documented(endpoints_of(FEATURES)))["components"]["schemas"])
    for each in JSON_FORMATS.values():
        described |= set(schemas(each.kinds))
    elsewhere = FROM_PROCESSES | IN_THE_DATABASE | IN_A_CHECKOUT | BEGINNINGS | PARTIAL | UNIONS
    found: dict[str, str] = {}
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            found |= dict.fromkeys(read_classes(path.read_text("utf-8")), path.relative_to(ROOT).as_posix())
    assert {name: path for name, path in found.items() if name not in described | elsewhere} == {}
    assert sorted(elsewhere - found.keys()) == []


@pytest.mark.parametrize("page", JSON_FORMATS)
def test_every_type_and_field_has_a_meaning(page: str) -> None:
    kinds = JSON_FORMATS[page].kinds
    found = schemas(kinds)
    assert set(classes_of(kinds)) <= set(found)
    for name, schema in found.items():
        assert schema.get("description"), name
        fields = schema.get("properties", {}).items()
        assert [field for field, kind in fields if "description" not in kind and len(kind.get("enum", ())) != 1] == []


def test_the_scan_sees_what_is_read() -> None:
    source = "json.decode(text, type=A)\nmsgspec.json.decode(x, type=dict[str, _B])\nDecoder(C | None)\njson.decode(y)"
    assert sorted(read_classes(source)) == ["A", "C", "_B"]
