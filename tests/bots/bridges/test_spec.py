# SPDX-License-Identifier: GPL-3.0-or-later
"""Outside engines as they are written in one line."""

import sys
from pathlib import Path

import pytest

from bots.bridges.spec import Allowance, language_of, option, parse


def test_a_command_with_arguments_options_limits_and_a_name() -> None:
    text = (
        f"uci:{sys.executable} --uci 'a b' option.Hash=64 'option.Own Book=true' limit.nodes=500 limit.depth=9 name=Old"
    )
    spec = parse(text)
    assert (spec.language, spec.command) == ("uci", (sys.executable, "--uci", "a b"))
    assert spec.options == {"Hash": "64", "Own Book": "true"}
    assert spec.allowance == Allowance(None, 500, 9)
    assert spec.title == spec.name == "Old"


def test_omitted_words_have_defaults() -> None:
    spec = parse(f"xboard:{sys.executable}")
    assert (spec.language, spec.options, spec.allowance) == ("xboard", {}, Allowance(seconds=1.0))
    assert spec.title == Path(sys.executable).name


def test_gtp_engines_have_games_and_no_usual_limit() -> None:
    spec = parse(f"gtp:{sys.executable} --mode gtp game=go/9x9,othello")
    assert (spec.language, spec.command[1:]) == ("gtp", ("--mode", "gtp"))
    assert (spec.allowance, spec.games) == (Allowance(), ("go/9x9", "othello"))
    assert parse(f"gtp:{sys.executable} limit.seconds=2").allowance == Allowance(seconds=2.0)


def test_the_games_folder_of_debian_need_not_be_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = tmp_path / "some-engine"
    engine.touch(mode=0o755)
    monkeypatch.setattr("bots.bridges.spec._GAMES_OF_DEBIAN", str(tmp_path))
    assert parse("uci:some-engine").command == (str(engine),)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("uci:", "uci: needs the command"),
        ("xboard:option.Hash=1", "xboard: needs the command"),
        ("uci:no-such-engine --fast", "no program 'no-such-engine'"),
        ("uci:'half", "cannot be split into words: No closing quotation"),
        ("uci:true limit.seconds=soon", "limit.seconds is a number above 0, not 'soon'"),
        ("uci:true limit.seconds=inf", "limit.seconds is a number above 0"),
        ("uci:true limit.nodes=0", "limit.nodes is a number above 0, not '0'"),
        ("gtp:true option.Hash=1", "GTP has no options; write them as arguments of the engine's own command"),
        ("gtp:true limit.depth=1", "GTP has no limits of nodes and depth"),
        ("uci:true game=othello", "game= is for gtp:COMMAND, not for uci:COMMAND"),
        ("telnet:gnugo", "'telnet:gnugo' names no engine"),
    ],
)
def test_an_invalid_specification_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why.replace("(", r"\(")):
        parse(text)


def test_a_text_names_an_engine_by_its_language() -> None:
    assert [language_of(text) for text in ("uci:x", "xboard:x", "uci", "module:Class")] == ["uci", "xboard", None, None]


def test_an_option_has_a_name() -> None:
    assert option("Skill Level=5=x") == ("Skill Level", "5=x")
    assert option("Clear Hash") == ("Clear Hash", "")
    with pytest.raises(ValueError, match="write NAME=VALUE"):
        option("=5")
