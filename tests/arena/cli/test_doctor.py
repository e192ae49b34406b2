# SPDX-License-Identifier: GPL-3.0-or-later
"""``arena doctor`` on this machine, and on one that lacks what a sandbox needs."""

import json
import os
from pathlib import Path

import pytest

from arena.cli import main
from bots.sandbox import bubblewrap


def test_it_shows_what_this_machine_offers(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["doctor", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert code == (1 if told["problems"] else 0)
    assert told["processors"] == len(os.sched_getaffinity(0))
    assert Path(told["kernel_cache"]).is_dir()
    assert told["sandbox"]["tier"] in {"bubblewrap", "namespaces", "none"}
    assert (told["sandbox"]["tier"] == "none") == (told["sandbox"]["memory"] == "none")
    main(["doctor"])
    assert told["sandbox"]["tier"] in capsys.readouterr().out


def test_it_says_why_a_tier_is_not_used(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "NEEDED", ("no-such-command",))
    main(["doctor", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert told["sandbox"]["tier"] != "bubblewrap"
    assert "bubblewrap: no-such-command not installed" in " ".join(told["sandbox"]["reasons"])
