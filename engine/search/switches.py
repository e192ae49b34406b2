# SPDX-License-Identifier: GPL-3.0-or-later
"""The switches of a search, each a bit that compiled code reads at run time, and the named algorithms made of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntFlag


class Switch(IntFlag):
    """What a search does beyond plain minimax. All but the ones said to be inexact leave minimax's value as it is."""

    CUTS = 1
    """Alpha and beta cuts."""
    TABLE = 2
    """A transposition table; a value is reused only at equal depth left."""
    TABLE_MOVE = 4
    """The move that the table has as the best is tried early."""
    GAINS = 8
    """Moves that win something at once are tried earlier."""
    KILLERS = 16
    """Moves that last refuted a position at the same ply are tried early."""
    HISTORY = 32
    """Moves are tried in the order of how often they refuted something, and how rarely they failed to."""
    NULL_WINDOWS = 64
    """Principal variation search: moves after the first are first only proved not to be better."""
    DEEPENING = 128
    """Iterative deepening: depths 1, 2, ... one after the other, what is learned being kept."""
    ASPIRATION = 256
    """Iterations start with a window around the value of the iteration before."""
    QUIESCENCE = 512
    """Positions at depth 0 are searched on until no move wins anything at once. Inexact: its leaves are others."""
    REPETITION = 1024
    """A position that stands for the third time is a draw. Inexact with a table, which knows no paths."""
    PROBES = 2048
    """In games with dice: the move after each roll that looks best is searched before any other. Star2."""
    LOOKS = 4096
    """In games with dice: moves are tried in the order of what they lead to, scored at once."""
    EXCHANGES = 1 << 13
    """Moves that lose by the exchange are tried last; quiescence search leaves them out."""
    REPLIES = 1 << 14
    """The move that last refuted the move before is tried early."""
    FOLLOWUPS = 1 << 15
    """Moves are tried in the order of how they did after the last two moves."""
    DEEPER = 1 << 16
    """The table's value of a deeper search is used too. Inexact, as are all that follow."""
    DELTA = 1 << 17
    """Quiescence search leaves out what cannot win enough to matter."""
    THREATS = 1 << 18
    """Moves that threaten, such as checks, are searched a ply deeper."""
    SINGULAR = 1 << 19
    """A move without which the position would be worth far less is searched deeper."""
    MULTI_CUT = 1 << 20
    """A position is cut off where a shallower search finds a second move that is good enough."""
    NULL_MOVE = 1 << 21
    """A position is cut off where even passing is good enough."""
    REDUCTIONS = 1 << 22
    """Late moves are first searched to a smaller depth."""
    LATE_MOVES = 1 << 23
    """At small depths late quiet moves are left out."""
    FUTILITY = 1 << 24
    """At small depths moves are left out that lose by the exchange, or are quiet where the score is far too low."""
    REVERSE_FUTILITY = 1 << 25
    """At small depths a position is cut off where the score is far above what is needed."""
    RAZORING = 1 << 26
    """At small depths a position whose score is far too low is left to quiescence search."""
    INTERNAL = 1 << 27
    """A position of which the table knows no move is searched to a smaller depth."""
    CORRECTIONS = 1 << 28
    """Scores are corrected by how far they were off in positions alike."""
    BELIEVED_FIRST = 1 << 29
    """Of a player whose moves are foreseen, those that are believed in are tried right after the table's."""
    BELIEVED_DEEPER = 1 << 30
    """They are searched a ply deeper."""
    DOUBTED = 1 << 31
    """Those that are not believed in are first searched to a smaller depth."""
    VERIFIED = 1 << 32
    """The best move at the root must hold, a few plies less deep, without foresight."""
    WEIGHED = 1 << 33
    """A move at the root is worth the mean of what the answers lead to that are believed in, by belief."""


ORDERING = Switch.GAINS | Switch.KILLERS | Switch.HISTORY
"""Everything that orders moves without a table."""

STARS = Switch.PROBES | Switch.LOOKS
"""What saves visits in games with dice; elsewhere it does nothing."""

INEXACT = Switch.QUIESCENCE | Switch.REPETITION | ~Switch(Switch.DEEPER - 1)
"""What may lead to another value than minimax's."""

FORESIGHT = Switch.BELIEVED_FIRST | Switch.BELIEVED_DEEPER | Switch.DOUBTED | Switch.VERIFIED | Switch.WEIGHED
"""What a search does that is told how the other side plays; without being told it does nothing."""

PLAY = ~Switch(Switch.EXCHANGES - 1)
"""The switches that only the frame of play has."""


@dataclass(frozen=True, slots=True)
class Algorithm:
    """A named set of switches."""

    description: str
    switches: Switch


ALGORITHMS: Mapping[str, Algorithm] = {
    "minimax": Algorithm("every position to the full depth", Switch(0)),
    "alphabeta": Algorithm("alpha-beta, fail-soft", Switch.CUTS),
    "ordering": Algorithm("alpha-beta with move ordering", Switch.CUTS | ORDERING),
    "quiescence": Algorithm("alpha-beta with quiescence search", Switch.CUTS | Switch.QUIESCENCE),
    "transposition": Algorithm("minimax with a transposition table", Switch.TABLE),
    "advanced": Algorithm(
        "alpha-beta with ordering, a transposition table, null windows and iterative deepening",
        Switch.CUTS | ORDERING | STARS | Switch.TABLE | Switch.TABLE_MOVE | Switch.NULL_WINDOWS | Switch.DEEPENING,
    ),
    "expectiminimax": Algorithm("in games with dice: every position to the full depth", Switch(0)),
    "star1": Algorithm("in games with dice: cuts by bounds of the average", Switch.CUTS),
    "star2": Algorithm(
        "in games with dice: cuts, moves ordered, and a good one probed after each roll",
        Switch.CUTS | STARS | Switch.DEEPENING,
    ),
    "play": Algorithm(
        "everything that makes a player stronger; its values are no longer minimax's",
        Switch.CUTS
        | ORDERING
        | STARS
        | Switch.TABLE
        | Switch.TABLE_MOVE
        | Switch.NULL_WINDOWS
        | Switch.DEEPENING
        | Switch.ASPIRATION
        | Switch.QUIESCENCE
        | Switch.REPETITION
        | PLAY & ~(Switch.THREATS | FORESIGHT),
    ),
}


def altered(switches: Switch, words: str) -> Switch:
    """Return a set with switches added and taken out, as "+aspiration,-null-move" says, or, without signs, a new set.

    Names are written in any case, with "-" or "_" between their words. Raises ValueError for one that there is not, and
    for signs on some only.
    """
    parts = [word.strip() for word in words.split(",") if word.strip()]
    signed = [part for part in parts if part[0] in "+-"]
    if signed and signed != parts:
        raise ValueError("put + or - before every switch, to alter the algorithm's, or before none, to replace them")
    if not signed:
        switches = Switch(0)
    for part in parts:
        name = part.lstrip("+-").replace("-", "_").replace(" ", "_").upper()
        if name not in Switch.__members__:
            known = ", ".join(switch.lower().replace("_", "-") for switch in Switch.__members__)
            raise ValueError(f"no switch is called {part.lstrip('+-')[:40]!r}; there are {known}")
        switches = switches & ~Switch[name] if part[0] == "-" else switches | Switch[name]
    return switches
