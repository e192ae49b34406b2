# SPDX-License-Identifier: GPL-3.0-or-later
"""Round robins without a server, and population dynamics of their matrix."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.cli import main

FIELD = ("tit-for-tat", "defector", "cooperator")


def played(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """Return what a round robin prints as JSON."""
    assert main(["match", *arguments, "--format", "round-robin", "--json"]) == 0
    found: dict[str, Any] = msgspec.json.decode(capsys.readouterr().out)
    return found


def test_the_matrix_of_a_round_robin_feeds_the_ecological_dynamics(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = played(capsys, *FIELD, "--game", "dilemma")
    assert found["payoffs"] == [[600, 199, 600], [204, 200, 1000], [600, 0, 600]]
    assert [row["bot"] for row in found["standings"]] == ["defector", "tit-for-tat", "cooperator"]
    # the bot's own games count once
    assert [row["games"] for row in found["standings"]] == [6, 6, 6]
    assert found["games"] == 12
    matrix = tmp_path / "cup.json"
    matrix.write_bytes(msgspec.json.encode(found))
    options = ["--schema", "matrix/mixed", "--matrix", str(matrix), "--dynamics", "ecological", "--generations", "30"]
    run = ["evolve", *options, "--out", str(tmp_path / "run"), "--json"]
    shares = [1 / 3] * 3
    for _ in range(30):
        rates = [sum(payoff * share for payoff, share in zip(row, shares, strict=True)) for row in found["payoffs"]]
        grown = [share * rate for share, rate in zip(shares, rates, strict=True)]
        shares = [share / sum(grown) for share in grown]
    for _ in range(2):
        # the second command finds the run complete
        assert main(run) == 0
        told = msgspec.json.decode(capsys.readouterr().out)
        assert list(told["shares"].values()) == pytest.approx(shares, abs=1e-12)
    assert shares[1] < 0.01


def test_scores_and_standings_are_for_people_too(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["match", "random", "minimax-2", "alphabeta-4", "--game", "tictactoe", "--games", "4"]
    assert main([*arguments, "--format", "round-robin"]) == 0
    told = capsys.readouterr().out
    assert "3 bots, 12 games of tictactoe" in told
    assert "Mean score of the row's bot against the column's" in told
    found = played(capsys, "random", "minimax-2", "--game", "tictactoe", "--games", "2", "--own-play")
    assert found["crosstable"][0][0] == found["crosstable"][1][1] == 0.5
    assert found["crosstable"][0][1] + found["crosstable"][1][0] == 1
    # without games there is no cell, but the matrix has the mean of both seats
    found = played(capsys, "random", "minimax-2", "--game", "tictactoe", "--games", "2")
    assert (found["crosstable"][0][0], found["payoffs"][0][0]) == (None, 0.5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("random", "random", "random"), "--format round-robin"),
        (("random", "minimax-2", "--own-play"), "--own-play is for"),
        (("random", "random", "--format", "round-robin"), "random enters twice"),
        (("random", "minimax-2", "--format", "round-robin", "--save", "x"), "--save is for"),
        (("random", "tit-for-tat", "--format", "round-robin"), "tit-for-tat does not play tictactoe"),
        (("random", "nobody", "--format", "round-robin"), "no bot is called"),
    ],
)
def test_what_does_not_go_together_is_refused(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["match", *arguments, "--game", "tictactoe"]) == 2
    assert message in capsys.readouterr().err
