# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/reference/records.md agrees with the code."""

import re
from pathlib import Path

import pytest

from engine import formats
from engine.match.ending import Termination

TEXT = (Path(__file__).parents[3] / "docs" / "reference" / "records.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[list[str]]:
    """The cells of the table that begins with these column titles."""
    table = TEXT.partition(heading)[2].partition("\n\n")[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]


def test_every_termination_is_explained() -> None:
    found = {name: pgn for name, _, pgn in rows("| termination | result | PGN's Termination |")}
    assert found == {str(termination): termination.pgn for termination in Termination}


def test_every_format_is_named() -> None:
    assert {name.strip("`") for name, _, _ in rows("| name | games | contents |")} == set(formats.catalogue())


@pytest.mark.parametrize("name", ["ggf", "pdn", "pgn"])
def test_the_example_reads_and_is_written_the_same(name: str) -> None:
    (example,) = re.findall(rf"```{name}\n(.*?)```", TEXT, re.DOTALL)
    chosen = formats.find(name)
    (record,) = chosen.read(example.splitlines())
    assert "".join(chosen.write([record])).strip() == example.strip()
