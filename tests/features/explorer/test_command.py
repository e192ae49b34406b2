# SPDX-License-Identifier: GPL-3.0-or-later
"""``arena explain``."""

import json

import pytest

from arena.cli import main

OPTIONS = ("explain", "tictactoe", "--depth", "2")


def test_it_prints_the_tree(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*OPTIONS]) == 0
    printed = capsys.readouterr().out
    assert "root [max] The search begins, to a depth of 2 plies." in printed
    assert "  c3 [min] The search tries c3, with 1 ply left." in printed
    assert "nodes    36\nvalue    1\nline     b2 a3\n" in printed


def test_it_prints_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*OPTIONS, "--json", "--most", "5"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["complete"], len(found["tree"])) == (False, 5)


def test_invalid_options_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*OPTIONS, "--most", "0"]) == 2
    assert "--most must be 1 or more" in capsys.readouterr().err
    assert main(["explain", "go"]) == 2
