# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of the README: one of each game, small enough, and compressed as their size needs."""

from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from engine.games import catalogue
from tools.pictures import COLOURS, FOLDER, LARGEST, PLIES, compressed

ROOT = Path(__file__).parents[2]


def test_the_readme_shows_each_game() -> None:
    assert set(PLIES) == set(catalogue())
    readme = (ROOT / "README.md").read_text("utf-8")
    for game in PLIES:
        file = FOLDER / f"{game.replace('/', '-')}.png"
        assert f"({file.relative_to(ROOT).as_posix()})" in readme
        assert file.stat().st_size <= LARGEST
        with Image.open(file) as image:
            assert image.format == "PNG"


def test_pictures_have_as_many_colours_as_their_size_allows() -> None:
    plain = Image.linear_gradient("L").convert("RGB")
    with Image.open(BytesIO(compressed(plain))) as image:
        assert len(image.getcolors() or ()) > COLOURS[-1]
    noise = Image.fromarray(np.random.default_rng(5).integers(256, size=(500, 500, 3), dtype=np.uint8))
    with pytest.raises(ValueError, match=f"more than {LARGEST:,} bytes"):
        compressed(noise)
