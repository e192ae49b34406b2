# SPDX-License-Identifier: GPL-3.0-or-later
"""Golden playthroughs: what a game says today of the positions it was asked about before.

After a change that is meant, ``arena games --update`` writes them anew, and the difference can be reviewed.
"""

import re
from pathlib import Path

import pytest

from engine.games import catalogue, find
from engine.walks.playthrough import playthrough

GOLDEN = sorted(Path(__file__).parent.glob("*.txt"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_the_game_is_what_it_was(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = re.match(r"game: (\S+)\nseed: (\d+)\n", text)
    assert found
    assert playthrough(find(found[1]), int(found[2])) == text
    assert path.stem == found[1].replace("/", "_")


@pytest.mark.parametrize("name", catalogue())
def test_any_seed_makes_one_game(name: str) -> None:
    texts = [playthrough(find(name), seed) for seed in (5, 5, 6)]
    assert texts[0] == texts[1] != texts[2]
