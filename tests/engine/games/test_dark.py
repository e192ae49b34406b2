# SPDX-License-Identifier: GPL-3.0-or-later
"""Dark Chess and Phantom Go: rules and observations held against OpenSpiel's, and what they hide and tell."""

from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest

from engine.game import Game, Position, information_key
from engine.games import find
from engine.games.dark.go_notation import parts_of
from engine.kernel import brief
from engine.match.machine import Match

CHESS, GO = find("dark-chess"), find("phantom-go/9x9")


@brief
def _known(state, seat):  # type: ignore[no-untyped-def]  # numba infers the types
    return information_key(state, seat)


def observed(game: Game, position: Position, viewer: int | None) -> str:
    assert game.secrets is not None
    return game.secrets.observe(position.state, viewer).position


def look(game: Game, text: str) -> Position:
    return game.look(game.parse_position(text))


def after(game: Game, position: Position, *moves: str) -> Position:
    for move in moves:
        position = game.play(position, game.parse_move(position, move))
    return position


def told(game: Game, position: Position, move: str, viewer: int | None) -> str:
    assert game.secrets is not None
    return game.secrets.disclose(position.state, game.parse_move(position, move), viewer)


# ---------------------------------------------------------------- Dark Chess beside OpenSpiel


def placement(position: Position) -> str:
    return CHESS.format_position(position.state).split()[0]


def without_en_passant(text: str, square: str) -> str:
    """Return the squares of an observation in OpenSpiel's notation; a square is seen as empty."""
    rows = ["".join("." * int(each) if each.isdecimal() else each for each in row) for row in text.split("/")]
    if square != "-":
        row, column = 8 - int(square[1]), ord(square[0]) - ord("a")
        rows[row] = f"{rows[row][:column]}.{rows[row][column + 1 :]}"
    return "/".join(rows)


def chess_in_lockstep(seed: int) -> int:
    """Play a random game; return the number of plies.

    OpenSpiel also shows the en passant square to the side whose pawn has just passed it, if another of its pawns
    attacks that square: this side knows that the square is empty.
    """
    chance, match = Random(seed), Match(CHESS)
    state = pyspiel.load_game("dark_chess").new_initial_state()
    while match.ending is None:
        assert not state.is_terminal()
        position = match.position
        passed = str(state).split()[3]
        for seat in (0, 1):
            # OpenSpiel's player 0 is Black
            theirs, ours = state.observation_string(1 - seat).split()[0], observed(CHESS, position, seat).split()[0]
            square = passed if seat != position.to_move else "-"
            assert without_en_passant(ours, square) == without_en_passant(theirs, square), str(state)
        following = {}
        for action in state.legal_actions():
            child = state.clone()
            child.apply_action(action)
            following[str(child).split()[0]] = child
        mine = {placement(CHESS.play(position, move)): move for move in position.moves}
        assert mine.keys() == following.keys(), str(state)
        assert len(mine) == len(position.moves)
        board = chance.choice(list(mine))
        match.play(position.to_move, CHESS.format_move(position.state, mine[board]))
        state = following[board]
    assert state.is_terminal()
    assert {"1-0": [-1, 1], "0-1": [1, -1], "1/2-1/2": [0, 0]}[match.ending.result] == state.returns()
    return match.ply


def test_dark_chess_in_lockstep_with_openspiel() -> None:
    assert sum(chess_in_lockstep(seed) for seed in range(3)) > 100


@pytest.mark.long
def test_many_games_of_dark_chess_in_lockstep_with_openspiel() -> None:
    assert sum(chess_in_lockstep(seed) for seed in range(100, 200)) > 5000


def perft(position: Position, depth: int) -> int:
    if depth == 0 or position.over:
        return int(depth == 0)
    if depth == 1:
        return len(position.moves)
    return sum(perft(CHESS.play(position, move), depth - 1) for move in position.moves)


def their_perft(state: Any, depth: int) -> int:
    actions = state.legal_actions()
    return len(actions) if depth == 1 else sum(their_perft(state.child(action), depth - 1) for action in actions)


@pytest.mark.parametrize(
    ("text", "depth"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 2),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 3),
        ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 2),
    ],
)
def test_perft_of_dark_chess_equals_openspiels(text: str, depth: int) -> None:
    theirs = pyspiel.load_game("dark_chess", {"fen": text}).new_initial_state()
    assert perft(look(CHESS, text), depth) == their_perft(theirs, depth)


# ---------------------------------------------------------------- Dark Chess


def test_a_captured_king_loses_and_castling_passes_attacks() -> None:
    position = look(CHESS, "4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1")
    assert {"e1g1", "e1c1", "e1d1", "e1e2"} <= CHESS.move_texts(position).keys()
    lost = after(CHESS, position, "a1a2", "e2e1")
    assert (lost.over, lost.payoffs) == (True, (-1.0, 1.0))
    match = Match(CHESS, start=CHESS.format_position(position.state))
    match.play(0, "a1a2")
    match.play(1, "e2e1")
    assert match.ending is not None
    assert match.ending.result == "0-1"


def test_a_side_sees_where_its_men_can_go() -> None:
    position = look(CHESS, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1")
    assert observed(CHESS, position, 0).startswith("????????/????????/???2???/???pP???/????????/????????/???3??/")
    assert observed(CHESS, position, 0).split()[3] == "d6"
    assert observed(CHESS, position, 1).split()[2:4] == ["-", "-"], "who passed does not learn of the pawn beside"
    assert observed(CHESS, position, None).split()[0] == "/".join(["?" * 8] * 8)


def test_moves_are_hidden_and_captures_are_announced() -> None:
    position = after(CHESS, CHESS.look(CHESS.start()), "e2e4", "d7d5")
    assert [told(CHESS, position, "g1f3", viewer) for viewer in (0, 1, None)] == ["g1f3", "?", "?"]
    assert [told(CHESS, position, "e4d5", viewer) for viewer in (0, 1, None)] == ["e4d5", "?xd5", "?xd5"]
    assert observed(CHESS, after(CHESS, position, "e4d5"), None).endswith(" b - - p")
    passing = after(CHESS, position, "e4e5", "f7f5")
    assert told(CHESS, passing, "e5f6", 1) == "?xf5"
    assert CHESS.format_position(after(CHESS, passing, "e5f6").state).endswith(" b KQkq - p")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "write FEN and the captured men"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "neither side has a king"),
        ("4k3/8/8/8/8/8/8/4K3 w - - x", "not a captured man"),
        ("4k3/8/8/8/8/8/8/4K3 w - - PPP", "together they must be 15"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "not a side to move"),
        ("QQQQkQQQ/QQQ5/8/8/8/8/8/4K3 w - - 0 1", "more men than its pawns"),
    ],
)
def test_what_is_no_position_of_dark_chess(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        CHESS.parse_position(text)


def test_unseen_men_are_placed_where_they_can_be() -> None:
    assert CHESS.secrets is not None
    assert CHESS.secrets.determinise is not None
    seen = "????????/????????/????????/????????/8/8/PPPPPPPP/RNBQKBNR w KQ - -"
    with pytest.raises(ValueError, match="not what a seat sees"):
        CHESS.secrets.determinise("nonsense", 0, Random(1))
    states = [CHESS.secrets.determinise(seen, 0, Random(seed)) for seed in range(5)]
    assert len(set(states)) == 5
    blocked = look(CHESS, "4k3/8/8/4p3/4P3/8/8/4K3 w - - 0 1")
    state = CHESS.secrets.determinise(observed(CHESS, blocked, 0), 0, Random(1))
    assert CHESS.diagram(state)[3 * 8 + 4] in "pk"


# ---------------------------------------------------------------- Phantom Go beside OpenSpiel


def go_in_lockstep(seed: int) -> tuple[int, int]:
    """Play a random game with both implementations; return the numbers of plies and of refused tries.

    OpenSpiel allows a try at an empty point that was refused again at once; it ends a game as a draw when a position
    is repeated, which is where this ends; and it does not end a game with two passes between which a try was refused.
    """
    chance, position = Random(seed), GO.look(GO.start())
    state = pyspiel.load_game("phantom_go(board_size=9,komi=7.0,max_game_length=600)").new_initial_state()
    tries, last = 0, ""
    while not position.over:
        if state.is_terminal():
            assert state.returns() == [0, 0]
            break
        seat = state.current_player()
        assert seat == position.to_move
        for viewer in (0, 1):
            shown = state.observation_string(viewer).strip("\n").splitlines()[:9]
            assert "".join(row.split()[1] for row in shown).lower() == seen_stones(position, viewer)
        theirs = {state.action_to_string(seat, action).split()[1].upper(): action for action in state.legal_actions()}
        ours = {GO.format_move(position.state, move).upper() for move in position.moves}
        refused = {each for each in theirs if each not in ours}
        assert ours <= theirs.keys()
        assert len(refused) == parts_of(position.state).refused.bit_count()
        text = chance.choice(sorted(ours - {"PASS"}) or ["PASS"]) if chance.random() < 0.98 else "PASS"
        before, position = position, after(GO, position, text)
        state.apply_action(theirs[text])
        tries += before.to_move == position.to_move
        if position.over and not state.is_terminal():
            assert last != "PASS"
            state.apply_action(81)
            state.apply_action(81)
        last = text
    if position.over:
        assert tuple(state.returns()) == position.payoffs
    return parts_of(position.state).plies, tries


def seen_stones(position: Position, viewer: int) -> str:
    assert GO.secrets is not None
    return GO.secrets.observe(position.state, viewer).diagram.replace(".", "+").replace("!", "+")


def test_phantom_go_in_lockstep_with_openspiel() -> None:
    plies, tries = np.sum([go_in_lockstep(seed) for seed in range(4)], axis=0)
    assert plies > 300
    assert tries > 50


@pytest.mark.long
def test_many_games_of_phantom_go_in_lockstep_with_openspiel() -> None:
    assert sum(go_in_lockstep(seed)[0] for seed in range(100, 300)) > 10_000


# ---------------------------------------------------------------- Phantom Go

KO = "9/9/9/9/3xo4/2xo1o3/3xo4/9/9 b"
"""Black captures at E4, and White may not take back at D4."""


def test_a_refused_try_is_a_ply_of_the_same_seat() -> None:
    match = Match(GO)
    match.play(0, "E5")
    match.play(1, "E5")
    assert match.asked == (1,)
    assert (match.seen_by(1), match.seen_by(0), match.seen_by(None)) == (
        ["?", "E5"],
        ["E5", "refused"],
        ["?", "refused"],
    )
    assert "E5" not in match.legal_of(1)
    unknown = "/".join(["?" * 9] * 4)
    assert match.observe(1).position == f"{unknown}/????x????/{unknown} w 0 1 0 2"
    assert match.observe(0).position.startswith(f"{unknown}/????x????/")
    match.play(1, "D5")
    assert match.asked == (0,)
    assert match.ending is None


def test_a_ko_and_suicide_are_refused_tries_and_allowed_after_a_move() -> None:
    position = after(GO, look(GO, KO), "E4")
    assert told(GO, look(GO, KO), "E4", None) == "?xD4"
    refused = after(GO, position, "D4")
    assert refused.to_move == 1
    assert "D4" not in GO.move_texts(refused)
    assert "D4" in GO.move_texts(position)
    taken = after(GO, refused, "A1", "B1", "D4")
    assert taken.to_move == 0
    corner = look(GO, "9/9/9/9/9/9/9/x8/1x7 w")
    assert after(GO, corner, "A1").to_move == 1
    assert told(GO, corner, "A1", 0) == "refused"


def test_two_passes_end_the_game_also_with_a_refused_try_between_them() -> None:
    assert after(GO, GO.look(GO.start()), "E5", "pass", "pass").payoffs == (1.0, -1.0)
    assert after(GO, look(GO, "9/9/9/9/4x4/9/9/9/9 w"), "pass", "pass").over
    assert after(GO, look(GO, "9/9/9/9/4x4/9/9/9/9 b"), "pass", "E5", "pass").over


def test_the_area_decides_after_the_limit() -> None:
    position = look(GO, "9/9/9/9/4x4/9/9/9/9 w - 0 - - - 599")
    assert not position.over
    assert after(GO, position, "E5").payoffs == (1.0, -1.0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not a position"),
        ("9/9/9/9/9/9/9/9/9 b - 0 E5 - - 0", "only where the other has one"),
        ("9/9/9/9/4x4/9/9/9/9 b - 0 - - E5 0", "must be empty"),
        ("9/9/9/9/9/9/9/9/9 b - 0 - - - 601", "not a number of plies"),
        ("9/9/9/9/9/9/9/9/9 b - 0 - - Z5 0", "not a point"),
        ("9/9/9/9/9/9/9/9/9 b - 0 - - - 0 more", "eight words"),
        ("9/9/9/9/9/9/9/9/9 b D4 1 - - - 0", "ko"),
    ],
)
def test_what_is_no_position_of_phantom_go(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GO.parse_position(text)


def test_unknown_stones_have_liberties_and_refused_points_are_forbidden() -> None:
    assert GO.secrets is not None
    assert GO.secrets.determinise is not None
    with pytest.raises(ValueError, match="not what a seat sees"):
        GO.secrets.determinise("nonsense", 0, Random(1))
    position = after(GO, look(GO, "9/9/9/9/9/9/9/x8/1x7 w"), "A1")
    for seed in range(5):
        state = GO.secrets.determinise(observed(GO, position, 1), 1, Random(seed))
        GO.parse_position(GO.format_position(state))
        corner = GO.diagram(state)
        assert corner[72 - 9] == corner[73] == "x"


# ---------------------------------------------------------------- what a seat knows


@pytest.mark.parametrize("game", [CHESS, GO], ids=lambda game: game.name)
def test_equal_observations_have_equal_information_keys(game: Game) -> None:
    assert game.secrets is not None
    assert game.secrets.determinise is not None
    chance, position = Random(5), game.look(game.start())
    keys: dict[tuple[int, str], set[int]] = {}
    for _ in range(40):
        if position.over:
            break
        for seat in (0, 1):
            seen = observed(game, position, seat)
            state = game.secrets.determinise(seen, seat, chance)
            keys.setdefault((seat, seen), set()).update({_known(position.state, seat), _known(state, seat)})
        position = game.play(position, chance.choice(position.moves))
    assert all(len(each) == 1 for each in keys.values())
    assert len({next(iter(each)) for each in keys.values()}) == len(keys)
