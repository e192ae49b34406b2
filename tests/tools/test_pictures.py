# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of pages: those that documents name exist, in light and dark, small, and each one is named."""

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from engine.games import catalogue
from tools.pictures import camera
from tools.pictures.__main__ import FOLDER
from tools.pictures.camera import LARGEST, SCHEMES, compressed
from tools.pictures.contents import programs
from tools.pictures.scenes import PLIES, file_of

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
ALL_BYTES = 550_000 + 90_000 * len(PLIES)
"""The pictures of each game may have 90 KB on average, all others together 550 KB."""

_NAMED = re.compile(r"(?<=[(\"'/])pictures/([\w-]+\.(?:webp|svg))")
_SIZED = re.compile(r'pictures/([\w-]+)-light\.webp"[^>]*? width="(\d+)" height="(\d+)"')


def named() -> Iterator[str]:
    """Yield the pictures that documents name."""
    for document in DOCUMENTS:
        yield from _NAMED.findall(document.read_text("utf-8"))


def test_documents_name_each_picture_and_no_other_one() -> None:
    assert {file.name for file in FOLDER.iterdir()} == set(named())


def test_pictures_exist_in_light_and_dark_and_are_small() -> None:
    files = sorted(FOLDER.glob("*.webp"))
    assert {file.stem.rpartition("-")[2] for file in files} == set(SCHEMES)
    sizes: dict[str, set[tuple[int, int]]] = {}
    for file in files:
        assert file.stat().st_size <= LARGEST
        with Image.open(file) as image:
            assert image.format == "WEBP"
            sizes.setdefault(file.stem.rpartition("-")[0], set()).add(image.size)
    assert len(files) == len(SCHEMES) * len(sizes)
    assert [name for name, found in sizes.items() if len(found) > 1] == []
    assert sum(file.stat().st_size for file in files) <= ALL_BYTES
    for document in DOCUMENTS:
        for name, width, height in _SIZED.findall(document.read_text("utf-8")):
            assert sizes[name] == {(int(width), int(height))}, f"{document.name}: {name}"


def test_the_readme_shows_each_game() -> None:
    assert set(PLIES) == set(catalogue())
    readme = (ROOT / "README.md").read_text("utf-8")
    for game in PLIES:
        for scheme in SCHEMES:
            assert f"docs/pictures/{file_of(game)}-{scheme}.webp" in readme


def test_pictures_lose_nothing_unless_they_are_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    # smaller pictures, because the encoder is slow at the quality of the real ones
    most = 6_000
    monkeypatch.setattr(camera, "LARGEST", most)
    plain = Image.linear_gradient("L").convert("RGB")
    with Image.open(BytesIO(compressed(plain))) as image:
        assert image.convert("RGB").tobytes() == plain.tobytes()
    random = np.random.default_rng(5)
    coarse = Image.fromarray(random.integers(256, size=(20, 20, 3), dtype=np.uint8)).resize((160, 160))
    assert len(compressed(coarse)) <= most
    noise = Image.fromarray(random.integers(256, size=(120, 120, 3), dtype=np.uint8))
    with pytest.raises(ValueError, match=f"more than {most:,} bytes"):
        compressed(noise)


def test_the_tutorial_has_the_bot_of_the_pictures(tmp_path: Path) -> None:
    first, second, slow = (file.read_text("utf-8") for file in programs(tmp_path))
    assert "random.choice(turn.legal_moves)" in first
    assert 'version = "2"' in second
    assert "sleep" not in second
    assert "sleep" in slow
