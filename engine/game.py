# SPDX-License-Identifier: GPL-3.0-or-later
"""The Game contract: what a game must say of itself to be searched, refereed, shown and rated.

A game is a state class (a NamedTuple of integers in an importable module), the kernels below implemented for it, and
one ``Game`` that says how positions and moves are written and drawn. All of it stands in one file of
``engine/games``, which is found by itself.

The fields of a state class share one type: ``int`` (a signed 64-bit integer; enough for most games) or ``np.uint64``
(bitboards of 64 squares).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias, get_type_hints

import numpy as np
from numpy.typing import NDArray

from engine.drawing import Board
from engine.evaluation import Evaluation, Words
from engine.kernel import brief, kernel
from engine.time_control import TimeControl

State: TypeAlias = Any
"""A state: an instance of the game's own NamedTuple. Which one is known only to the game and to compiled code."""

Moves: TypeAlias = NDArray[np.int64]
"""A one-dimensional buffer that legal moves are written into."""

CHANCE = -1
"""``to_move`` of a state where dice or cards decide."""

SIMULTANEOUS = -2
"""``to_move`` of a state where both seats choose without seeing the other's choice."""


# ---------------------------------------------------------------- kernels: implemented by each game for its state class


@kernel
def to_move(state: State) -> int:
    """Return the seat to move, 0 or 1, or CHANCE or SIMULTANEOUS."""
    raise NotImplementedError


@kernel
def legal_moves(state: State, out: Moves) -> int:
    """Write the legal moves into ``out``, each once, as non-negative integers, and return how many there are.

    Asked only of states that are not over. The order is fixed: the same state lists the same moves in the same order.
    Where dice decide (CHANCE), the moves are what they may show; see ``odds``.
    """
    raise NotImplementedError


@kernel
def step(state: State, move: int) -> State:
    """Return the state after ``move``, which is trusted to be legal."""
    raise NotImplementedError


@kernel
def outcome(state: State) -> tuple[bool, float, float]:
    """Return whether the game is over, and if so the pay-offs of seat 0 and seat 1.

    A pay-off is 1.0, 0.0 or -1.0 in a game that is won, drawn or lost.

    Knows nothing of the moves before: repetition and counted draws are the business of ``engine.match`` and of the
    search path.
    """
    raise NotImplementedError


# ---------------------------------------------------------------- kernels with a default


@kernel
def count_moves(state: State, out: Moves) -> int:
    """Return how many legal moves there are; ``out`` is scratch.

    Worth an implementation where counting is faster than listing.
    """
    return legal_moves(state, out)


@kernel
def continuations(state: State, out: Moves) -> int:
    """Return how many moves can be made: ``count_moves``, or none when the game is over; ``out`` is scratch.

    Worth an implementation where counting the moves tells already whether the game is over.
    """
    over, _, _ = outcome(state)
    return 0 if over else count_moves(state, out)


@kernel
def odds(state: State, move: int) -> int:
    """Return how often dice show ``move`` in a state where they decide, relative to the state's other moves.

    Above 0; those of all moves of a state add to at most MOST_ODDS.
    """
    return 1


MOST_ODDS = 2**12
"""So that values weighed by odds fit into 64 bits."""


@kernel
def pick(state: State, chance: int, out: Moves) -> int:
    """Return a legal move drawn by ``chance``, a uint64 below 2 ** 32, or -1 when the game is over; ``out`` is scratch.

    Chances as far apart as 2 ** 32 divided by the number of moves draw each of them once, in an order that is the
    game's own; dice show each of their moves as often as ``odds`` says. Worth an implementation where one move can be
    had without listing all.
    """
    over, _, _ = outcome(state)
    if over:
        return -1
    count = legal_moves(state, out)
    if to_move(state) != CHANCE:
        return int(out[np.int64(chance * np.uint64(count) >> np.uint64(32))])
    total = 0
    for index in range(count):
        total += odds(state, out[index])
    left = np.int64(chance * np.uint64(total) >> np.uint64(32))
    index = 0
    while left >= odds(state, out[index]):
        left -= odds(state, out[index])
        index += 1
    return int(out[index])


@kernel
def key(state: State) -> int:
    """Return 64 bits (uint64) that tell states apart; equal for equal states.

    By default all fields, mixed as splitmix64 does.
    """
    mixed = np.uint64(0)
    for value in state:
        mixed += np.uint64(value) + np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        mixed ^= mixed >> np.uint64(31)
    return mixed  # type: ignore[return-value]  # an int of 64 bits


@kernel
def irreversible(state: State, move: int) -> bool:
    """Return whether no position from before ``move`` can come again; counted draws start anew after such a move."""
    return False


@kernel
def gain(state: State, move: int) -> int:
    """Return how much a tactical move wins at once, in points of the order of a man, or 0 for a quiet move.

    Orders moves, and tells quiescence search which moves to extend.
    """
    return 0


@kernel
def exchange_reaches(state: State, move: int, least: int) -> bool:
    """Return whether ``move`` wins ``least`` points or more after all that can be taken back where it arrives.

    Points are those of ``gain``, which is what is asked by default.
    """
    return gain(state, move) >= least


@kernel
def tactical_moves(state: State, out: Moves) -> int:
    """Write the legal moves that quiescence search tries into ``out`` and return how many there are.

    By default those with a gain. Worth an implementation where the others need not be listed.
    """
    count = legal_moves(state, out)
    found = 0
    for i in range(count):
        move = out[i]
        if gain(state, move) > 0:
            out[found] = move
            found += 1
    return found


@kernel
def threatened(state: State) -> bool:
    """Return whether the seat to move must answer something at once, such as a check or a compulsory capture.

    A score by features says little then.
    """
    return False


@kernel
def ended(state: State) -> bool:
    """Return whether the game is over; a state that is over because there is no legal move may be passed over.

    A search that lists the moves anyway asks this first, and ``outcome`` when it finds none. Worth an implementation
    where it costs time to find out whether there is a move.
    """
    over, _, _ = outcome(state)
    return over


@kernel
def can_pass(state: State) -> bool:
    """Return whether ``passed`` is implemented and passing is rarely better than every legal move.

    Asked only of states that are not threatened.
    """
    return False


@kernel
def passed(state: State) -> State:
    """Return the state as if the seat to move had passed: the other one is to move."""
    return state


@kernel
def aim(state: State, move: int) -> int:
    """Return an index from 1 to AIMS - 1 for what ``move`` does (piece and target, say), whatever came before it."""
    mixed = np.uint64(move) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64((mixed >> np.uint64(32)) % np.uint64(AIMS - 1)) + 1  # type: ignore[return-value]  # an int of 64 bits


AIMS = 512
"""The size of tables of pairs of moves."""


@kernel
def skeleton(state: State) -> int:
    """Return an index below SKELETONS for what changes slowly in a position, such as the pawns of chess."""
    return 0


SKELETONS = 4096
"""The size of tables by what changes slowly."""


@kernel
def slot(state: State, move: int) -> int:
    """Return an index below SLOTS under which the history of ``move`` is kept (origin and target, say)."""
    mixed = np.uint64(move) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64(mixed >> np.uint64(52))  # type: ignore[return-value]  # an int of 64 bits


SLOTS = 4096
"""The size of history tables."""


@kernel
def features(state: State) -> tuple[int, ...]:
    """Return the numbers an evaluation weighs, each seen by the seat to move (own minus other's), always as many.

    Where dice decide they are seen by seat 0, and so is whatever is made of them.
    """
    return (0,)


@kernel
def score(state: State, terms: int, weights: Words) -> int:
    """Return what a state is worth to the seat to move: weights × features, as ``Evaluation.score`` has it.

    ``terms`` is the number of the set of terms, and ``weights`` are its ``words``. Worth an implementation where a game
    has several sets, or where most features are zero; such a game implements ``vector`` too.
    """
    value = np.int64(0)
    for i, feature in enumerate(features(state)):
        value += weights[i] * np.int64(feature)
    return value  # type: ignore[return-value]  # an int of 64 bits


@kernel
def appraise(state: State, terms: int, weights: Words) -> tuple[bool, float, int]:
    """Return whether the game is over, the pay-off of the seat to move if it is, and else the state's ``score``.

    What a search asks of its leaves. Worth an implementation where scoring tells already whether there is a move.
    """
    over, first, second = outcome(state)
    if over:
        return True, second if to_move(state) else first, np.int64(0)  # type: ignore[return-value]  # an int of 64 bits
    return False, 0.0, np.int64(score(state, terms, weights))  # type: ignore[return-value]  # an int of 64 bits


@kernel
def vector(state: State, terms: int, out: Words) -> int:
    """Write the features of a set of terms, each seen by the seat to move, into ``out`` and return how many there are.

    What people and tuners read; searches read ``score``.
    """
    seen = features(state)
    for i, feature in enumerate(seen):
        out[i] = np.int64(feature)
    return len(seen)


# ---------------------------------------------------------------- how it is played


@dataclass(frozen=True, slots=True)
class Draws:
    """Draws by history, judged by engine.match. None: no such rule."""

    repetition: int | None = None
    """Drawn when a position stands for this many times with the same seat to move."""
    quiet_plies: int | None = None
    """Drawn after this many plies in a row without an irreversible move."""
    plies: int | None = None
    """Adjudicated a draw after this many plies in all."""


@dataclass(frozen=True, slots=True)
class OpeningRule:
    """How rated matches get their first moves from a seed: ``plies`` random legal plies whose position is balanced.

    Balanced: not over, and a search of ``depth`` plies with the game's first evaluation stays within ``margin`` of
    zero (None: any).
    """

    plies: int
    depth: int = 4
    margin: int | None = None


class Position(NamedTuple):
    """What the rules say of a state; made by ``Game.look`` and ``Game.play``."""

    state: State
    moves: tuple[int, ...]
    """Legal moves, none when the game is over."""
    to_move: int
    over: bool
    payoffs: tuple[float, float]
    key: int
    irreversible: bool
    """Whether the move that led here was irreversible."""


@brief
def _look(state, out):  # type: ignore[no-untyped-def]  # numba infers the types
    over, first, second = outcome(state)
    count = 0 if over else legal_moves(state, out)
    return count, to_move(state), over, first, second, key(state)


@brief
def _score(state, terms, weights):  # type: ignore[no-untyped-def]  # numba infers the types
    return score(state, terms, weights)


@brief
def _vector(state, terms, out):  # type: ignore[no-untyped-def]  # numba infers the types
    return vector(state, terms, out)


@brief
def _odds(state, moves, out):  # type: ignore[no-untyped-def]  # numba infers the types
    for index in range(len(moves)):
        out[index] = odds(state, moves[index])


@brief
def _advance(state, move, out):  # type: ignore[no-untyped-def]  # numba infers the types
    final = irreversible(state, move)
    state = step(state, move)
    over, first, second = outcome(state)
    count = 0 if over else legal_moves(state, out)
    return state, final, count, to_move(state), over, first, second, key(state)


@dataclass(frozen=True)
class Game:
    """A game by name. Texts are the game's own notation; states given to its functions must be its own."""

    name: str
    """The name on the wire: lower case, a variant behind a slash ("checkers/lecture")."""
    title: str
    state: type
    start: Callable[[], State]
    parse_position: Callable[[str], State]
    """Read a position; raises ValueError, with a message for people, when the text is none."""
    format_position: Callable[[State], str]
    format_move: Callable[[State, int], str]
    """Write a legal move; different legal moves of a state are written differently."""
    diagram: Callable[[State], str]
    """Draw a state for ``board``; seen from the same side whoever is to move."""
    squares: Callable[[State, int], tuple[int, ...]]
    """The squares of the diagram that a move touches, from the first to the last."""
    board: Board
    width: int
    """No state has more legal moves."""
    evaluations: Mapping[str, Evaluation]
    """Named evaluations; the first is the default."""
    time_control: TimeControl
    """What rated matches are played at unless the settings say otherwise."""
    seats: tuple[str, str] = ("First", "Second")
    draws: Draws = Draws()
    opening: OpeningRule = OpeningRule(0)
    description: str = ""
    """One or two sentences for people."""
    rules: str = ""
    """The rules for people, in paragraphs with an empty line between them; "": the description says all."""
    link: str = ""
    """Where more is written about the game; "": nowhere."""
    playable: bool = True
    """Whether the arena offers it."""
    chance: bool = False
    """Whether dice decide some plies: ``to_move`` is CHANCE there."""
    stakes: float = 1.0
    """No pay-off is greater, and none is below its negative."""
    read_move: Callable[[State, str], str] | None = None
    """Bring another accepted spelling of a move into ``format_move``'s (case, "x" for "-", ...)."""
    spell: Callable[[Position, int, Position], str] | None = None
    """Write a move as people do, from the positions before and after it; None: as ``format_move`` does."""
    _pack: tuple[Callable[[Any], Any], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        hints = get_type_hints(self.state)
        pack = tuple(np.uint64 if hints[name] is np.uint64 else _same for name in self.state._fields)  # type: ignore[attr-defined]  # a NamedTuple
        object.__setattr__(self, "_pack", pack)

    def pack(self, state: State) -> State:
        """Return the state with its fields' own types again: compiled code hands plain ints back to Python."""
        return self.state(*(convert(value) for convert, value in zip(self._pack, state, strict=True)))

    def look(self, state: State) -> Position:
        """Return what the rules say of a state."""
        out = np.empty(self.width, np.int64)
        state = self.pack(state)
        count, seat, over, first, second, mark = _look(state, out)
        return Position(state, tuple(out[:count].tolist()), seat, over, (first, second), mark, True)

    def play(self, position: Position, move: int) -> Position:
        """Return the position after a move. Raises ValueError when the move is not legal."""
        if move not in position.moves:
            raise ValueError(f"{move} is not a legal move")
        out = np.empty(self.width, np.int64)
        state, final, count, seat, over, first, second, mark = _advance(position.state, move, out)
        return Position(self.pack(state), tuple(out[:count].tolist()), seat, over, (first, second), mark, final)

    def odds(self, position: Position) -> tuple[int, ...]:
        """Return how often dice show each move of a position where they decide, relative to the others."""
        moves = np.array(position.moves, np.int64)
        out = np.empty_like(moves)
        _odds(position.state, moves, out)
        return tuple(out.tolist())

    def score(self, state: State, evaluation: Evaluation) -> int:
        """Return what an evaluation says of a state, seen by the seat to move."""
        return int(_score(self.pack(state), evaluation.terms.number, evaluation.words()))

    def vector(self, state: State, evaluation: Evaluation) -> tuple[int, ...]:
        """Return the features that an evaluation weighs, as many as it has weights."""
        out = np.zeros(len(evaluation.weights), np.int64)
        count = _vector(self.pack(state), evaluation.terms.number, out)
        return tuple(out[:count].tolist())

    def move_texts(self, position: Position) -> dict[str, int]:
        """Return the legal moves by their texts, in the order of the rules."""
        return {self.format_move(position.state, move): move for move in position.moves}

    def write_move(self, position: Position, move: int) -> str:
        """Write a legal move as people do."""
        if self.spell is None:
            return self.format_move(position.state, move)
        return self.spell(position, move, self.play(position, move))

    def parse_move(self, position: Position, text: str) -> int:
        """Return the legal move that ``text`` names; ValueError, with a message for people, when it names none."""
        texts = self.move_texts(position)
        move = texts.get(text)
        if move is None and self.read_move is not None:
            move = texts.get(self.read_move(position.state, text))
        if move is None:
            raise ValueError(f"{text[:40]!r} is not a legal move here")
        return move


def _same(value: Any) -> Any:
    return value
