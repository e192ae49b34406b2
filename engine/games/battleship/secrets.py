# SPDX-License-Identifier: GPL-3.0-or-later
"""What a viewer sees of Battleship: its own fleet, all shots, hits and announcements."""

from random import Random

from engine.game import State
from engine.games.battleship.board import SHIPS, Battleship
from engine.games.battleship.drawing import aside, draw, squares
from engine.games.battleship.notation import fleet_of, format_move, next_ship, read_view, state_of, view_of, write_view
from engine.games.battleship.possible import sample_fleet
from engine.secrets import HIDDEN, Observation, Secrets


def _mover(state: State) -> int:
    return 0 if len(fleet_of(state, 0)) == len(fleet_of(state, 1)) else 1


def _disclose(state: State, move: int, viewer: int | None) -> str:
    if next_ship(state) < SHIPS and _mover(state) != viewer:
        return HIDDEN
    return format_move(state, move)


def _squares(state: State, move: int, viewer: int | None) -> tuple[int, ...]:
    return () if _disclose(state, move, viewer) == HIDDEN else squares(state, move)


def secrets_of(rules: int) -> Secrets:
    """Return the hidden information of a variant."""

    def observe(state: State, viewer: int | None) -> Observation:
        view = view_of(state, viewer)
        return Observation(write_view(view), draw(view), aside(state))

    def determinise(text: str, seat: int, chance: Random) -> Battleship:
        """Draw the hidden fleet uniformly from all that fit what the seat sees."""
        view = read_view(text, rules)
        own = view.fleets[seat]
        if own is None or view.fleets[1 - seat] is not None:
            raise ValueError(f"the position is not what seat {seat} sees: its own fleet, and ? for the other one")
        other = sample_fleet(view.shots[seat], rules, len(own), chance.getrandbits(64))
        return state_of(view._replace(fleets=(own, other) if seat == 0 else (other, own)), rules)

    return Secrets(observe, _disclose, _squares, determinise)
