# SPDX-License-Identifier: GPL-3.0-or-later
import argparse
from pathlib import Path

import pytest

from arena.cli import main
from arena.cli.features import FEATURES
from arena.cli.support.settings import add_settings, chosen, kinds
from arena.settings import Settings, declared
from engine.time_control import TimeControl

DOCS = Path(__file__).parents[2] / "docs" / "reference" / "settings.md"


def parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_settings(parser)
    return parser.parse_args(words)


def test_options_go_before_the_environment_and_that_before_defaults() -> None:
    environ = {"ARENA_LAG_GRACE": "0.5", "ARENA_LADDER": "no", "ARENA_BUILT_IN_MATCHES": "9"}
    settings = chosen(parsed("--lag-grace", "0.25"), environ=environ)
    assert (settings.lag_grace, settings.ladder, settings.built_in_matches) == (0.25, False, 9)
    assert settings.message_burst == Settings().message_burst


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("lag_grace", "soon"),
        ("lag_grace", "-1"),
        ("lag_grace", "nan"),
        ("lag_grace", "inf"),
        ("ladder", "perhaps"),
        ("built_in_matches", "1.5"),
        ("log_format", "xml"),
        ("log_level", "loud"),
        ("ladder_interval", "0"),
        ("time_controls", "tictactoe"),
        ("time_controls", "tictactoe=fast"),
    ],
)
def test_invalid_values_are_refused_by_name(name: str, value: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        chosen(parsed(), environ={f"ARENA_{name.upper()}": value})


def test_lists_are_read() -> None:
    settings = Settings(games="tictactoe, checkers", time_controls="tictactoe=5+0.1, checkers=60+0")
    assert settings.offered() == ["tictactoe", "checkers"]
    assert settings.own_time_controls() == {"tictactoe": TimeControl(5000, 100), "checkers": TimeControl(60_000)}


def test_every_setting_says_what_it_means() -> None:
    every = [each for kind in kinds(FEATURES) for each in declared(kind)]
    assert all(each.metadata["meaning"].endswith(".") for each in every)
    assert len({each.name for each in every}) == len(every), "each has an option and a variable of its own"


def test_the_docs_are_made_from_the_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["settings", "--docs"]) == 0
    assert DOCS.read_text() == capsys.readouterr().out, "run: arena settings --docs > docs/reference/settings.md"
    assert all(
        f"| `{option}" in DOCS.read_text() for option in ("--games", "--host HOST", "--data DIR", "--no-built-in-bots")
    )
