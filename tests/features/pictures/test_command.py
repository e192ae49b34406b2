# SPDX-License-Identifier: GPL-3.0-or-later
"""The command ``arena pictures``, on the database itself."""

import asyncio
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from arena.cli import main
from arena.store import Store
from tests.databases import found
from tests.features.pictures.games import first_moves, stored


@pytest.fixture
def match(tmp_path: Path) -> int:
    """A match of seven plies."""

    async def fill() -> int:
        async with await Store.open(f"sqlite:///{tmp_path / 'arena.db'}") as store:
            return await stored(store, "tictactoe", first_moves("tictactoe", 7), ("one", "other"))

    found(tmp_path)
    return asyncio.run(fill())


def test_pictures_are_written(tmp_path: Path, match: int, capsys: pytest.CaptureFixture[str]) -> None:
    place = "--data", str(tmp_path)
    drawing, still, animation = (tmp_path / f"picture.{form}" for form in ("svg", "png", "gif"))
    assert main(["pictures", str(match), *place, "--out", str(drawing), "--ply", "3"]) == 0
    assert f"wrote {drawing}" in capsys.readouterr().out
    root = ElementTree.parse(drawing).getroot()
    assert (root[0].text, len(root.findall("{*}g"))) == ("Tic-tac-toe: one – other, ply 3", 3)
    assert main(["pictures", str(match), *place, "--out", str(still), "--width", "150", "--theme", "dark"]) == 0
    with Image.open(still) as image:
        assert (image.size, image.convert("RGB").getpixel((1, 1))) == ((150, 150), (27, 30, 34))
    capsys.readouterr()
    options = ["--width", "90", "--start", "2", "--json"]
    assert main(["pictures", str(match), *place, "--out", str(animation), *options]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["match"], answer["format"], answer["frames"]) == (match, "gif", 6)
    with Image.open(animation) as image:
        assert getattr(image, "n_frames", 1) == 6


def test_what_cannot_be_drawn_is_explained(tmp_path: Path, match: int, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "picture.png")
    for options, message in (
        (["999", "--out", out], "there is no match 999"),
        ([str(match), "--out", out, "--ply", "8"], "the match has no ply 8; choose a ply from 0 to 7"),
        ([str(match), "--out", out, "--start", "1"], "--start has no effect on PNG pictures"),
        ([str(match), "--out", out, "--width", "5"], "--width must be from 16 to 4096 (got 5)"),
        (
            [str(match), "--out", str(tmp_path / "picture")],
            "does not end in a format; choose one by --format: svg, png",
        ),
        ([str(match), "--out", "no/folder.svg"], "cannot write no/folder.svg: No such file or directory"),
        (
            [str(match), "--out", out, "--format", "gif", "--start", "5", "--end", "2"],
            "--start must not be above --end",
        ),
    ):
        assert main(["pictures", *options, "--data", str(tmp_path)]) == 2
        assert message in capsys.readouterr().err
