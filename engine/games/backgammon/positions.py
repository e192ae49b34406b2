# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts of positions: GNU Backgammon's position ID and match ID, "4HPwATDgc/ABMA:cAkAAAAAAAAA".

The position ID has the men of both sides, in ten bytes: for each point of a side, from 1 to the bar, a 1 for each man
and then a 0; first the side that is not on roll. The match ID holds the side on roll, the dice, the cube, and the
length and score of a match, which are 0 here. Both are in base 64.

Before the opening roll there is only the position ID. In any other position without a match ID seat 0 is on roll and
has not rolled. "roll" behind both IDs: the player chose to roll, and not to double.
"""

import base64
import binascii
import re

from engine.games.backgammon.board import (
    BAR,
    DECIDING,
    DROPPED,
    LARGEST,
    MEN,
    NO_CUBE,
    OFF,
    OFFERED,
    OPENING,
    OWNER,
    ROLLING,
    Backgammon,
    cube_owner,
    cube_value,
    make_cube,
    pack,
    phase_of,
    sides,
    start,
)
from engine.games.backgammon.rules import FACES, TEN

LONGEST = 100
"""Characters of a position that are read."""

POSITION_BYTES, MATCH_BYTES = 10, 9

PLAYING, FINISHED, DROPPED_GAME = 1, 2, 4
"""States of a game in a match ID."""

_FIELDS = (
    ("value", 4),
    ("owner", 2),
    ("on_roll", 1),
    ("crawford", 1),
    ("game", 3),
    ("turn", 1),
    ("offered", 1),
    ("resigned", 2),
    ("first_die", 3),
    ("second_die", 3),
    ("length", 15),
    ("first_score", 15),
    ("second_score", 15),
)
"""Names and bits of the parts of a match ID, the lowest first."""
_NOBODY = 3
"""Owner of a cube in the middle."""

_TEXT = re.compile(r"([A-Za-z0-9+/]{14})(?::([A-Za-z0-9+/]{12}))?( roll)?")


def _encoded(number: int, size: int) -> str:
    return base64.b64encode(number.to_bytes(size, "little")).decode().rstrip("=")


def _decoded(text: str) -> int:
    try:
        return int.from_bytes(base64.b64decode(text + "=" * (-len(text) % 4), validate=True), "little")
    except binascii.Error:
        raise ValueError(f"{text!r} is not in base 64") from None


def position_id(own: list[int], other: list[int]) -> str:
    """Write the men on the points from 0 to 25 of the side on roll and of the other one."""
    number = shift = 0
    for men in (other, own):
        for count in men[1:]:
            number |= (1 << count) - 1 << shift
            shift += count + 1
    return _encoded(number, POSITION_BYTES)


def read_position_id(text: str) -> tuple[list[int], list[int]]:
    """Return the men of the side on roll, and of the other one. Raises ValueError for an impossible position."""
    number = _decoded(text)
    found = []
    for _ in range(2):
        men = [0]
        for _ in range(BAR):
            count = (number ^ number + 1).bit_length() - 1
            number >>= count + 1
            men.append(count)
        found.append(men)
    if number:
        raise ValueError(f"the position ID {text} has more points than a board")
    other, own = found
    _check(own, other)
    return own, other


def _check(own: list[int], other: list[int]) -> None:
    """Count the men borne off. Raises ValueError for an impossible position."""
    for name, men in (("on roll", own), ("not on roll", other)):
        if sum(men) > MEN:
            raise ValueError(f"the player {name} has {sum(men)} men; there are {MEN}")
        men[OFF] = MEN - sum(men)
    if own[OFF] == other[OFF] == MEN:
        raise ValueError("both players have borne off all men")
    for point in range(1, BAR):
        if own[point] and other[BAR - point]:
            raise ValueError(f"both players have men on the {point} point of the player on roll")
    closed = [all(men[point] > 1 for point in range(1, 7)) for men in (own, other)]
    if own[BAR] and other[BAR] and all(closed):
        raise ValueError("both players have men on the bar before a closed board")


def format_position(state: Backgammon) -> str:
    """Write a position; see the module."""
    men = sides(state)
    seat = state.seat if state.seat in (0, 1) else 0
    text = position_id(men[seat], men[1 - seat])
    if state.seat == OPENING:
        return text
    phase, owner = phase_of(state.cube), cube_owner(state.cube)
    over = any(side[OFF] == MEN for side in men)
    values = {
        "value": state.cube & (1 << OWNER) - 1,
        "owner": _NOBODY if owner is None else owner,
        "on_roll": seat,
        "game": DROPPED_GAME if phase == DROPPED else FINISHED if over else PLAYING,
        "turn": 1 - seat if phase == OFFERED else seat,
        "offered": int(phase == OFFERED),
        "first_die": state.roll // TEN,
        "second_die": state.roll % TEN,
    }
    number = shift = 0
    for name, bits in _FIELDS:
        number |= values.get(name, 0) << shift
        shift += bits
    rolling = state.cube != NO_CUBE and _may_double(state) and phase == ROLLING and state.roll == 0
    return f"{text}:{_encoded(number, MATCH_BYTES)}{' roll' if rolling else ''}"


def _may_double(state: Backgammon) -> bool:
    owner = cube_owner(state.cube)
    return state.cube & (1 << OWNER) - 1 < LARGEST and owner in (None, state.seat)


def parse_position(text: str, cube: int) -> Backgammon:
    """Read a position of the game with this word of the cube at the start. Raises ValueError."""
    found = _TEXT.fullmatch(text.strip()) if len(text) <= LONGEST else None
    if not found:
        raise ValueError(
            f"{text[:60]!r} is not a position; write GNU Backgammon's position ID and match ID, like "
            "4HPwATDgc/ABMA:cAkAAAAAAAAA"
        )
    own, other = read_position_id(found[1])
    if found[2] is None:
        if found[3]:
            raise ValueError("'roll' follows a match ID")
        first = start(cube)
        if [own, other] == list(sides(first)):
            return first
        return _before_roll(Backgammon(*pack(own), *pack(other), 0, 0, cube))
    values = _match_values(found[2])
    seat = values["on_roll"]
    roll = _roll(values["first_die"], values["second_die"])
    words = (*pack(own), *pack(other))
    if seat:
        words = words[2:] + words[:2]
    state = Backgammon(*words, seat, roll, _cube(values, cube))
    if MEN in (own[OFF], other[OFF]):
        if phase_of(state.cube) != ROLLING or roll:
            raise ValueError("the game is over")
        if own[OFF] == MEN and cube == NO_CUBE and values["turn"] != seat:
            raise ValueError("the game is over")
    if phase_of(state.cube) != ROLLING or roll:
        if found[3]:
            raise ValueError("'roll' is only written before a roll")
        return state
    if found[3]:
        if cube == NO_CUBE or not _may_double(state):
            raise ValueError("'roll' is only written where the player on roll may double")
        return state
    return _before_roll(state)


def _before_roll(state: Backgammon) -> Backgammon:
    """Return the state with the choice to double, if there is one."""
    if state.cube == NO_CUBE or not _may_double(state):
        return state
    return state._replace(cube=make_cube(cube_value(state.cube), cube_owner(state.cube), DECIDING))


def _match_values(text: str) -> dict[str, int]:
    number = _decoded(text)
    values = {}
    for name, bits in _FIELDS:
        values[name] = number & (1 << bits) - 1
        number >>= bits
    if values["length"] or values["first_score"] or values["second_score"] or values["crawford"]:
        raise ValueError("the match ID is of a match to some points; only money games can be read")
    if values["resigned"]:
        raise ValueError("the match ID is of a game with an offer to resign")
    if values["game"] not in {0, PLAYING, FINISHED, DROPPED_GAME}:
        raise ValueError("the match ID is not of a game in play")
    return values


def _roll(first: int, second: int) -> int:
    if first > FACES or second > FACES or bool(first) != bool(second):
        raise ValueError(f"the dice {first} and {second} of the match ID are not from 1 to {FACES}")
    return TEN * max(first, second) + min(first, second)


def _cube(values: dict[str, int], cube: int) -> int:
    """Return the word of the cube."""
    value, owner = values["value"], values["owner"]
    offered, dropped = values["offered"], values["game"] == DROPPED_GAME
    if cube == NO_CUBE:
        if value or offered or dropped or owner not in (0, _NOBODY):
            raise ValueError("the match ID has a doubled cube; this game has no cube")
        return NO_CUBE
    if value > LARGEST:
        raise ValueError(f"the cube is at {1 << value}; it goes up to {1 << LARGEST}")
    if owner == 2:
        raise ValueError("the owner of the cube in the match ID is not a player")
    held = None if owner == _NOBODY else owner
    if (held is None) != (value == 0):
        raise ValueError("a cube at 1 is in the middle, and a doubled one belongs to a player")
    phase = OFFERED if offered else DROPPED if dropped else ROLLING
    word = make_cube(1 << value, held, phase)
    if phase != ROLLING and (values["first_die"] or value == LARGEST or held not in (None, values["on_roll"])):
        raise ValueError("the player on roll may not double here")
    return word
