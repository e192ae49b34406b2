# SPDX-License-Identifier: GPL-3.0-or-later
"""The interface of a game: kernels for rules and evaluation, and the class ``Game``.

A game consists of a state class (a NamedTuple of integers in an importable module), implementations of the kernels
below and of those in ``engine.hints``, and one ``Game``, which defines notation, board and defaults. All of it is one
file in ``engine/games``, which is found by discovery.

The fields of a state class share one type: ``int`` (a signed 64-bit integer; enough for most games) or ``np.uint64``
(bitboards of 64 squares).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple, TypeAlias, get_type_hints

import numpy as np
from numpy.typing import NDArray

from engine.decision import UNTOLD, Endings
from engine.drawing import Aside, Board
from engine.evaluation import Evaluation, Words
from engine.exact import Exact
from engine.kernel import brief, kernel
from engine.rules import Draws, OpeningRule
from engine.secrets import Secrets
from engine.splitmix import GOLDEN, scramble
from engine.time_control import TimeControl

State: TypeAlias = Any
"""A state: an instance of the game's own NamedTuple. Only the game and compiled code use its class."""

Moves: TypeAlias = NDArray[np.int64]
"""A one-dimensional buffer for moves."""

CHANCE = -1
"""``to_move`` of a chance node, where dice or cards decide."""

# ---------------------------------------------------------------- kernels that each game implements


@kernel
def to_move(state: State) -> int:
    """Return the seat to move, 0 or 1, or CHANCE."""
    raise NotImplementedError


@kernel
def legal_moves(state: State, out: Moves) -> int:
    """Write the legal moves into ``out``, each once, as non-negative integers, and return how many there are.

    Called only for states that are not over. The order is deterministic. At a chance node the moves are the possible
    rolls; see ``odds``.
    """
    raise NotImplementedError


@kernel
def step(state: State, move: int) -> State:
    """Return the state after ``move``, which must be legal."""
    raise NotImplementedError


@kernel
def outcome(state: State) -> tuple[bool, float, float]:
    """Return whether the game is over, and if so the payoffs of seat 0 and seat 1.

    In most games a payoff is 1.0 for a win, 0.0 for a draw and -1.0 for a loss; otherwise it is at most ``Game.stakes``
    in absolute value. Earlier moves do not matter: ``engine.match`` and the searches apply the rules of ``Draws``.
    """
    raise NotImplementedError


# ---------------------------------------------------------------- kernels with a default


@kernel
def count_moves(state: State, out: Moves) -> int:
    """Return the number of legal moves; ``out`` is scratch. Implement it if counting is faster than listing."""
    return legal_moves(state, out)


@kernel
def continuations(state: State, out: Moves) -> int:
    """Return the number of legal moves, 0 if the game is over; ``out`` is scratch.

    Implement it if counting the moves shows whether the game is over.
    """
    over, _, _ = outcome(state)
    return 0 if over else count_moves(state, out)


@kernel
def odds(state: State, move: int) -> int:
    """Return the relative frequency of a roll at a chance node: above 0, in sum over all rolls at most MOST_ODDS."""
    return 1


MOST_ODDS = 2**12
"""Bound of the sum of odds: values times odds must fit into 64 bits."""


@kernel
def pick(state: State, chance: int, out: Moves) -> int:
    """Return a random legal move, or -1 if the game is over; ``out`` is scratch.

    ``chance``, a uint64 below 2 ** 32, selects the move: uniformly, at chance nodes by ``odds``, in an order of the
    game's choice. Implement it if a move can be found without listing all.
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
    """Return a hash key of 64 bits (uint64); by default a hash of all fields with splitmix64."""
    mixed = np.uint64(0)
    for value in state:
        mixed = scramble(mixed + np.uint64(value) + GOLDEN)
    return mixed  # type: ignore[return-value]  # an int of 64 bits


@kernel
def repetition_key(state: State) -> int:
    """Return a hash key (uint64) for games that forbid repetition: positions with equal keys count as repeated; by
    default ``key``.

    Implement it if only a part of the state counts: in Go's positional superko the stones, not the side to move.
    """
    return key(state)


@kernel
def simultaneous(state: State) -> bool:
    """Return whether both seats choose at the same time: seat 0 is to move here, and seat 1 after its move.

    The legal moves of seat 1 do not depend on the move of seat 0, and the game does not end between the two moves.
    ``engine.match`` asks both seats at once, and makes both moves when it has both.
    """
    return False


@kernel
def information_key(state: State, seat: int) -> int:
    """Return a hash key of 64 bits (uint64) of everything that a seat knows; by default ``key``.

    States that a seat cannot tell apart have the same key (an information set). In a match of several rounds it is the
    key of the current round. Implement it for a game with secrets.
    """
    return key(state)


@kernel
def irreversible(state: State, move: int) -> bool:
    """Return whether ``move`` is irreversible, such as a capture: no earlier position can occur after it; draw counters
    then restart.
    """
    return False


@kernel
def ended(state: State) -> bool:
    """Return whether the game is over; may return False if the only reason is that there is no legal move.

    Searches that list the moves call this first, and ``outcome`` if there is no move. Implement it if it is expensive
    to find out whether there is a legal move.
    """
    over, _, _ = outcome(state)
    return over


@kernel
def features(state: State) -> tuple[int, ...]:
    """Return the features of a static evaluation: own minus other's, for the seat to move; their number is the same for
    all states.

    At chance nodes they are, like the score, for seat 0.
    """
    return (0,)


@kernel
def score(state: State, terms: int, weights: Words) -> int:
    """Static evaluation: return weights × features for the seat to move, like ``Evaluation.score``.

    ``terms``: number of the set of terms; ``weights``: its ``words``. Implement it, and ``vector``, if a game has
    several sets of terms, or if most features are zero.
    """
    value = np.int64(0)
    for i, feature in enumerate(features(state)):
        value += weights[i] * np.int64(feature)
    return value  # type: ignore[return-value]  # an int of 64 bits


@kernel
def appraise(state: State, terms: int, weights: Words) -> tuple[bool, float, int]:
    """Evaluate a leaf: return whether the game is over, then the payoff of the seat to move, else the ``score``.

    Implement it if scoring shows whether there is a legal move.
    """
    over, first, second = outcome(state)
    if over:
        return True, second if to_move(state) else first, np.int64(0)  # type: ignore[return-value]  # an int of 64 bits
    return False, 0.0, np.int64(score(state, terms, weights))  # type: ignore[return-value]  # an int of 64 bits


@kernel
def vector(state: State, terms: int, out: Words) -> int:
    """Write the features of a set of terms, for the seat to move, into ``out`` and return how many there are.

    For display and tuning; searches use ``score``.
    """
    seen = features(state)
    for i, feature in enumerate(seen):
        out[i] = np.int64(feature)
    return len(seen)


# ---------------------------------------------------------------- the game


@dataclass(frozen=True, slots=True)
class TreeDefaults:
    """The best Monte Carlo tree search of a game: see ``engine.search.tree``."""

    algorithm: str = "puct"
    parameters: Mapping[str, float] = field(default_factory=dict)
    """Numbers that replace the algorithm's, by the names of ``engine.search.tree.TreeParameters``."""
    at_stake: Callable[[Any], float] | None = None
    """Share of the game's stakes that the moves of a state decide about, above 0 and at most 1; None: always 1. It
    multiplies the parameters that are differences of values: exploration, the reduction of untried moves and the
    temperature of priors.
    """


class Position(NamedTuple):
    """A state with its legal moves and result; made by ``Game.look`` and ``Game.play``."""

    state: State
    moves: tuple[int, ...]
    """Legal moves; none if the game is over."""
    to_move: int
    over: bool
    payoffs: tuple[float, float]
    key: int
    repetition_key: int
    irreversible: bool
    """Whether the move that led here was irreversible."""
    simultaneous: bool = False
    """Whether both seats choose at the same time here."""


@brief
def _look(state, out):  # type: ignore[no-untyped-def]  # numba infers the types
    over, first, second = outcome(state)
    count = 0 if over else legal_moves(state, out)
    together = not over and simultaneous(state)
    return count, to_move(state), over, first, second, key(state), repetition_key(state), together


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
    together = not over and simultaneous(state)
    return state, final, count, to_move(state), over, first, second, key(state), repetition_key(state), together


@dataclass(frozen=True)
class Game:
    """A game: its name, notation, board, evaluations and defaults. Functions take states of this game only."""

    name: str
    """The name in the protocol: lower case, a variant after a slash ("checkers/lecture")."""
    title: str
    state: type
    start: Callable[[], State]
    parse_position: Callable[[str], State]
    """Read a position; raises ValueError, with a readable message, if the text is not a position."""
    format_position: Callable[[State], str]
    format_move: Callable[[State, int], str]
    """Write a legal move; different legal moves of a state have different texts."""
    diagram: Callable[[State], str]
    """Draw a state for ``board``; always from the same side."""
    squares: Callable[[State, int], tuple[int, ...]]
    """The squares of the diagram that a move touches, in order."""
    board: Board
    width: int
    """Maximum number of legal moves."""
    evaluations: Mapping[str, Evaluation]
    """Named evaluations; the first is the default."""
    time_control: TimeControl
    """Default time control of rated matches."""
    seats: tuple[str, str] = ("First", "Second")
    draws: Draws = field(default_factory=Draws)
    opening: OpeningRule = field(default_factory=lambda: OpeningRule(0))
    description: str = ""
    """One or two sentences for people."""
    rules: str = ""
    """The rules for people: paragraphs separated by empty lines; "": the description is enough."""
    link: str = ""
    """A page about the game; "": none."""
    playable: bool = True
    """Whether the arena offers it."""
    chance: bool = False
    """Whether the game has chance nodes: dice, cards or noise."""
    deal_place: Callable[[State], str] | None = None
    """Return the place of a chance node in the match, such as the numbers of the hand and of the card that is dealt.

    For games of cards: where dice are mirrored, chance nodes at the same place have the same outcome if the same ones
    are possible (duplicate deals). The place does not depend on the players' moves. None: see ``engine.match.dice``.
    """
    simultaneous: bool = False
    """Whether there are states where both seats choose at the same time."""
    secrets: Secrets | None = None
    """The hidden information; None: both seats see everything."""
    last_round: Callable[[], State] | None = None
    """In games of several rounds: return the state with one round left in which seat 0 begins and nobody has won
    anything, which ``engine.regret`` solves. None: ``start``."""
    as_last_round: Callable[[State], tuple[State, float]] | None = None
    """In games of several rounds: return the state as if its round were the last one and nobody had won anything
    before, and what seat 0 has won in the rounds before. None: not offered.
    """
    payoffs_after: Callable[[State, Sequence[int]], Sequence[float]] | None = None
    """Estimate the payoff of seat 0 after each of some legal moves, rolls or cards of a state, for control variates.

    A constant that is the same after all of them does not matter. See ``engine.control_variates``.
    """
    payoff_of_score: Callable[[float], float] | None = None
    """Convert a score of the default evaluation to an expected payoff, for control variates; in games of perfect
    information with chance. None: ``payoffs_after``, or nothing.
    """
    points_given_up: Callable[[State, int], tuple[float, float]] | None = None
    """For a game that is not zero-sum: return the payoffs of both seats if one of them resigns, runs out of time,
    forfeits or loses by adjudication in a state. That seat must not gain by it. None: the game is zero-sum, and
    ``loss`` applies.
    """
    points_so_far: Callable[[State], tuple[float, float]] | None = None
    """Return the payoffs of both seats if a ply limit ends a match in a state: what both have won so far. None: such a
    match is a draw.
    """
    most_plies: Callable[[State], int] | None = None
    """Return an upper bound of the plies from a state to the end, dice included. The arena's ply limit never cuts a
    match of such a game before it. None: the rules set no bound, or one far below the limit.
    """
    ended_leaves: bool = False
    """Whether perft counts a finished game as one leaf at each greater depth, as the tables of some games do."""
    stakes: float = 1.0
    """Bound of the absolute payoff."""
    unit: tuple[str, float] | None = None
    """The usual unit of results and what a point of a whole match is in it, such as ("mbb/hand", 5.0); None: points."""
    loss: Callable[[State, int], float] | None = None
    """Return the points that a seat loses in a state by resignation, time, a forfeit or adjudication; None: 1.

    The number is above 0 and at most ``stakes``. It is not smaller than the loss that the rules still allow: otherwise
    a bot could resign to save points.
    """
    tree_search: TreeDefaults = TreeDefaults()
    """The Monte Carlo tree search of the bot ``mcts``."""
    read_move: Callable[[State, str], str] | None = None
    """Convert another accepted spelling of a move (case, "x" for "-", ...) to that of ``format_move``."""
    aside: Callable[[State], Aside] | None = None
    """What a state shows besides its diagram: numbers of both seats, dice; None: nothing."""
    spell: Callable[[Position, int, Position], str] | None = None
    """Write a move as people do, given the positions before and after it; None: like ``format_move``."""
    endings: Endings = UNTOLD
    """How its matches end, for people."""
    exact: Exact | None = None
    """The game's own exact search, for the algorithm "solve"; None: ``engine.search.solver``, if it has the kernels."""
    scale: float = 1.0
    """The score in pawn units at which a side wins three games in four."""
    _pack: tuple[Callable[[Any], Any], ...] = field(init=False, repr=False, compare=False)

    @property
    def zero_sum(self) -> bool:
        """Whether the payoffs of both seats always add up to 0."""
        return self.points_given_up is None

    @property
    def counts_points(self) -> bool:
        """Whether points say more than the score: a win may count more than one point, or the game is not zero-sum."""
        return self.stakes > 1 or not self.zero_sum

    @property
    def perfect_information(self) -> bool:
        """Whether both seats know everything before each move: searches play only such games."""
        return self.secrets is None and not self.simultaneous

    def __post_init__(self) -> None:
        hints = get_type_hints(self.state)
        pack = tuple(np.uint64 if hints[name] is np.uint64 else lambda value: value for name in self.state._fields)  # type: ignore[attr-defined]  # a NamedTuple
        object.__setattr__(self, "_pack", pack)

    def pack(self, state: State) -> State:
        """Return the state with its fields' own types; compiled code returns plain ints to Python."""
        return self.state(*(convert(value) for convert, value in zip(self._pack, state, strict=True)))

    def look(self, state: State) -> Position:
        """Return the position of a state: legal moves, seat to move, result."""
        out = np.empty(self.width, np.int64)
        state = self.pack(state)
        count, seat, over, first, second, own, recurring, together = _look(state, out)
        moves = tuple(out[:count].tolist())
        return Position(state, moves, seat, over, (first, second), own, recurring, True, together)

    def play(self, position: Position, move: int) -> Position:
        """Return the position after a move. Raises ValueError if the move is not legal."""
        if move not in position.moves:
            raise ValueError(f"{move} is not a legal move")
        out = np.empty(self.width, np.int64)
        state, final, count, seat, over, first, second, own, recurring, together = _advance(position.state, move, out)
        moves = tuple(out[:count].tolist())
        return Position(self.pack(state), moves, seat, over, (first, second), own, recurring, final, together)

    def odds(self, position: Position) -> tuple[int, ...]:
        """Return the relative frequencies of the rolls at a chance node."""
        moves = np.array(position.moves, np.int64)
        out = np.empty_like(moves)
        _odds(position.state, moves, out)
        return tuple(out.tolist())

    def given_up(self, position: Position, seat: int) -> float:
        """Return the points that a seat loses if a match ends against it here, but not by the rules: see ``loss``."""
        return 1.0 if self.loss is None else float(self.loss(position.state, seat))

    def score(self, state: State, evaluation: Evaluation) -> int:
        """Return the static evaluation of a state for the seat to move."""
        return int(_score(self.pack(state), evaluation.terms.number, evaluation.words()))

    def vector(self, state: State, evaluation: Evaluation) -> tuple[int, ...]:
        """Return the features of an evaluation's terms, as many as it has weights."""
        out = np.zeros(len(evaluation.weights), np.int64)
        count = _vector(self.pack(state), evaluation.terms.number, out)
        return tuple(out[:count].tolist())

    def possible(self, text: str, seat: int, chance: Random) -> State:
        """Return a random state that fits the observation of a seat, as text; without secrets, the state of the text.

        Raises ValueError if the text is no observation of the game, or the game cannot draw such states.
        """
        if self.secrets is None:
            return self.parse_position(text)
        if self.secrets.determinise is None:
            raise ValueError(f"{self.name} draws no states that fit an observation")
        return self.secrets.determinise(text, seat, chance)

    def move_texts(self, position: Position) -> dict[str, int]:
        """Return the legal moves by text, in the order of ``legal_moves``."""
        return {self.format_move(position.state, move): move for move in position.moves}

    def write_move(self, position: Position, move: int) -> str:
        """Write a legal move as people do."""
        if self.spell is None:
            return self.format_move(position.state, move)
        return self.spell(position, move, self.play(position, move))

    def parse_move(self, position: Position, text: str) -> int:
        """Return the legal move of a text. Raises ValueError, with a readable message, if there is none."""
        texts = self.move_texts(position)
        move = texts.get(text)
        if move is None and self.read_move is not None:
            move = texts.get(self.read_move(position.state, text))
        if move is None:
            raise ValueError(f"{text[:40]!r} is not a legal move here")
        return move
