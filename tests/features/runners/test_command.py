# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands ``arena runners`` and ``arena runner``: what they print, and what they refuse."""

import json
from pathlib import Path

import pytest

from arena.cli import main
from arena.features.runners.link import base_of
from arena.protocol.codec import PLAY_PATH
from tests.databases import found


def test_a_runner_is_registered_listed_and_removed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found(tmp_path)
    place = "--data", str(tmp_path)
    assert main(["runners", "add", "cellar", *place, "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert (made["id"], made["name"], made["token"][:6]) == (1, "cellar", "arena_")
    assert main(["runners", "list", *place]) == 0
    shown = capsys.readouterr().out
    assert "cellar" in shown
    assert "never" in shown
    assert made["token"] not in shown
    assert main(["runners", "list", *place, "--json"]) == 0
    (listed,) = json.loads(capsys.readouterr().out)["items"]
    assert (listed["name"], listed["seen"]) == ("cellar", None)
    assert main(["runners", "add", "cellar", *place]) == 2
    assert "there is a runner called cellar" in capsys.readouterr().err
    assert main(["runners", "remove", "cellar", *place]) == 0
    assert "revoked" in capsys.readouterr().out
    assert main(["runners", "remove", "cellar", *place]) == 2
    assert "no runner is called cellar" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["--token", "t"], "no address: set --url"),
        (["--url", "http://127.0.0.1:1"], "no token: set --token"),
        (["--url", "ftp://127.0.0.1", "--token", "t"], "is not an address of an arena"),
        (["--url", "http://127.0.0.1:1", "--token", "t\u00fcr"], "the token has letters that no token has"),
        (["--url", "http://127.0.0.1:1", "--token", "t", "--cores", "0"], "--cores must be 1 or more (got 0)"),
        (["--url", "http://arena.example.org", "--token", "t"], "is not encrypted, and on another machine"),
        (["--url", "ws://192.0.2.7:8080", "--token", "t"], "use https:// or wss://, or --insecure"),
    ],
)
def test_what_a_runner_refuses(
    arguments: list[str], error: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ARENA_URL", "ARENA_RUNNER_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    assert main(["runner", *arguments]) == 2
    assert error in capsys.readouterr().err


@pytest.mark.parametrize(
    ("url", "base"),
    [
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("ws://127.0.0.1:8080" + PLAY_PATH, "http://127.0.0.1:8080"),
        ("wss://arena.example.org/chess/", "https://arena.example.org/chess"),
        ("https://[::1]/api/v1/runner", "https://[::1]"),
    ],
)
def test_addresses(url: str, base: str) -> None:
    assert base_of(url, PLAY_PATH) == base


@pytest.mark.parametrize("url", ["", "arena.example.org", "ftp://a", "http://", "http://a?b=c", "http://a#b"])
def test_no_addresses(url: str) -> None:
    with pytest.raises(ValueError, match="is not an address of an arena"):
        base_of(url, PLAY_PATH)
