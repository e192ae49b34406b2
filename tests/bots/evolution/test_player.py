# SPDX-License-Identifier: GPL-3.0-or-later
"""Genomes as bots."""

from pathlib import Path

import pytest

from bots.catalogue import UnknownBot, maker_of
from bots.evolution import genome
from bots.evolution.contests import Table
from bots.evolution.genome import SCHEMAS
from bots.evolution.player import GenomeBot, label
from bots.local import Entrant, play
from engine.games import find

LECTURE = SCHEMAS["checkers/lecture"]
WEAK = (100_000.0, 0.0, 100_000.0, 100_000.0, 0.0)


async def test_a_genome_in_a_file_plays_its_game(tmp_path: Path) -> None:
    path = tmp_path / "strong.json"
    path.write_text(genome.write(LECTURE, LECTURE.standard))
    make = maker_of(f"genome:{path}")
    bot = make()
    assert isinstance(bot, GenomeBot)
    assert (bot.name, bot.games) == ("strong", ("checkers",))
    bot.prepare(["checkers"])
    weak = Entrant("weak", lambda: GenomeBot(LECTURE, WEAK, "weak"))
    match = await play(find("checkers"), (Entrant("strong", make), weak), seed=1)
    assert match.ending is not None
    assert match.moves[0].info is not None
    assert match.moves[0].info.depth == 3


def test_a_version_follows_from_the_genome() -> None:
    assert label(LECTURE, LECTURE.standard) == GenomeBot(LECTURE, LECTURE.standard, "any").version
    assert label(LECTURE, LECTURE.standard) != label(LECTURE, WEAK)
    assert Table(find("checkers")).play(LECTURE.express(WEAK), LECTURE.express(WEAK), 1).moves


def test_invalid_genomes_make_no_bots(tmp_path: Path) -> None:
    (path := tmp_path / "broken.json").write_text("{")
    with pytest.raises(UnknownBot, match="no genome"):
        maker_of(f"genome:{path}")
    with pytest.raises(UnknownBot, match="No such file"):
        maker_of(f"genome:{tmp_path / 'nowhere.json'}")
