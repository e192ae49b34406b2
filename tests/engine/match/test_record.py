# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of finished matches."""

import pytest

from engine.games import find
from engine.match.ending import Termination
from engine.match.events import Info
from engine.match.machine import Match
from engine.match.record import PlayedMove, Player, Record
from engine.time_control import TimeControl
from tests.engine.pebbles import GAME

PLAYERS = (Player("anna", "2", 1510.5), Player("boris"))


def test_a_record_contains_the_match() -> None:
    match = Match(GAME, opening=["pass"], start="4 0", time_control=TimeControl(60_000, 500))
    match.play(1, "take 2", 100, Info(score=-0.5, depth=3))
    match.offer_draw(1)
    match.play(0, "nonsense")
    record = Record.from_match(match, PLAYERS, seed=7, event="Cup", round="3", started="2024-05-01T12:00:00Z")
    assert record == Record(
        game="pebbles",
        players=PLAYERS,
        result="0-1",
        start="4 0",
        opening=("pass",),
        moves=(PlayedMove("take 2", 100, 60_400, Info(score=-0.5, depth=3)),),
        termination=Termination.ILLEGAL_MOVE,
        detail="'nonsense' is not a legal move here",
        time_control="60+0.5",
        seed=7,
        event="Cup",
        round="3",
        started="2024-05-01T12:00:00Z",
    )


def test_the_standard_start_is_not_stored() -> None:
    match = Match(GAME)
    match.resign(0)
    assert Record.from_match(match, PLAYERS).start is None


def test_only_finished_matches_are_recorded() -> None:
    with pytest.raises(ValueError, match="not over"):
        Record.from_match(Match(GAME), PLAYERS)


def test_a_result_is_one_of_four() -> None:
    with pytest.raises(ValueError, match="not a result"):
        Record(game="pebbles", players=PLAYERS, result="2-0")


def test_positions_follow_opening_and_moves() -> None:
    game = find("checkers")
    record = Record(
        game="checkers",
        players=PLAYERS,
        result="*",
        opening=("11-15",),
        moves=(PlayedMove("23-18"), PlayedMove("8-11")),
    )
    match = Match(game, opening=["11-15"])
    wanted = [game.look(game.start()).key, match.position.key]
    for text in ("23-18", "8-11"):
        assert match.to_move is not None
        match.play(match.to_move, text)
        wanted.append(match.position.key)
    assert [position.key for position in record.positions()] == wanted


def test_positions_refuse_an_illegal_move_and_an_unknown_game() -> None:
    with pytest.raises(ValueError, match="legal"):
        list(Record(game="checkers", players=PLAYERS, result="*", opening=("11-18",)).positions())
    with pytest.raises(KeyError, match="no game"):
        list(Record(game="unheard-of", players=PLAYERS, result="*").positions())
