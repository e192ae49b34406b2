# SPDX-License-Identifier: GPL-3.0-or-later
"""Jobs of the process that searches on demand, and its answers: a line of JSON each."""

from msgspec import Struct

from arena.features.explorer.tree import Explanation, Score


class ExplainJob(Struct, frozen=True, tag="explain", kw_only=True):
    """Record the search of a position."""

    game: str
    position: str | None
    algorithm: str
    depth: int
    evaluation: str | None
    switches: str | None
    most: int
    """Maximum number of visits."""
    language: str
    """Code of the language of the sentences."""


class CountJob(Struct, frozen=True, tag="count", kw_only=True):
    """Count the nodes of each algorithm at each depth."""

    game: str
    position: str | None
    depth: int
    """Maximum depth."""
    evaluation: str | None
    most: int
    """Maximum number of nodes of each search."""


class AnalysisJob(Struct, frozen=True, tag="analysis", kw_only=True):
    """Search a position as the strongest built-in bot does."""

    game: str
    position: str | None
    nodes: int
    seconds: float


class SummaryJob(Struct, frozen=True, tag="summary", kw_only=True):
    """Judge the moves of a finished match."""

    game: str
    position: str | None
    """The initial position."""
    moves: list[str]
    skipped: int
    """Number of moves of the opening, which nobody chose."""
    nodes: int
    """Node limit of all searches together."""


Job = ExplainJob | CountJob | AnalysisJob | SummaryJob


class Count(Struct, frozen=True, kw_only=True):
    """The search of one algorithm to one depth."""

    algorithm: str
    """Name of the search algorithm."""
    depth: int
    """Depth of the search, in plies."""
    nodes: int | None
    """Visited positions of all iterations, as `arena search` counts them; null: more than the limit."""
    last: int | None
    """Visited positions of the last iteration; the same without iterative deepening."""
    value: Score | None
    """Value of the position by this search, for the seat to move; null where the node limit ended the search."""
    exact: bool
    """Whether the algorithm always returns minimax's value."""


class Counts(Struct, frozen=True, kw_only=True):
    """The nodes that each algorithm visits, by depth."""

    game: str
    position: str
    """The position that was searched, as text."""
    evaluation: str
    """Name of the evaluation at the leaves of the searches."""
    most: int
    """The limit on nodes of each search."""
    counts: list[Count]
    """One entry for each algorithm and depth."""


class AnalysedMove(Struct, frozen=True):
    """A move of the best line."""

    move: str
    """The text that bots send."""
    said: str
    """The move in the usual notation."""
    squares: list[int]
    """Squares of the move, from first to last, as indices into the diagram."""
    diagram: str
    """The position after the move."""


class Analysis(Struct, frozen=True, kw_only=True):
    """What a search finds in a position."""

    game: str
    position: str
    """The position that was searched, as text."""
    algorithm: str
    """Name of the search algorithm."""
    evaluation: str
    """Name of the evaluation at the leaves of the search."""
    to_move: int
    """The seat to move in the position."""
    score: float
    """Score in pawn units, for the seat to move."""
    decided: bool
    """Whether the score is that of a won or lost game."""
    depth: int
    """Depth of the last finished iteration, in plies."""
    nodes: int
    """Number of positions that the search visited."""
    seconds: float
    """Time of the search, in seconds."""
    line: list[AnalysedMove]
    """The principal variation: the best move of each side in turn, from the position on."""


class SideSummary(Struct, frozen=True):
    """The moves of a side."""

    moves: int
    """Number of its moves in the match, without the opening."""
    accuracy: float | None
    """From 0 to 100: the mean over the moves, by their loss of winning chances; null without moves."""


class TurningPoint(Struct, frozen=True):
    """A move that lost at least a tenth of the winning chances."""

    ply: int
    """Number of the move in the match, opening included; the first has 1."""
    seat: int
    said: str
    """The move in the usual notation."""
    before: float
    """The chance of the side that moved before the move, from 0 to 1, by the score of a search."""
    after: float
    """The chance of the same side after the move, from 0 to 1, by a search of the next position."""


class MatchSummary(Struct, frozen=True, kw_only=True):
    """What short searches find of the moves of a match."""

    algorithm: str
    """Name of the search algorithm that judged the moves."""
    nodes: int
    """Node limit of each search."""
    sides: tuple[SideSummary, SideSummary]
    """The moves of seat 0, then of seat 1."""
    turning_points: list[TurningPoint]
    """The moves that lost most, at most 5, in the order of the match."""


class Refused(Struct, frozen=True, tag="refused"):
    """The job has an invalid value."""

    why: str


class Failed(Struct, frozen=True, tag="failed"):
    """The search raised an error, which the log has."""


class Explained(Struct, frozen=True, tag="explained"):
    """The answer to ``ExplainJob``."""

    answer: Explanation


class Counted(Struct, frozen=True, tag="counted"):
    """The answer to ``CountJob``."""

    answer: Counts


class Analysed(Struct, frozen=True, tag="analysed"):
    """The answer to ``AnalysisJob``."""

    answer: Analysis


class Summarised(Struct, frozen=True, tag="summarised"):
    """The answer to ``SummaryJob``."""

    answer: MatchSummary


Outcome = Refused | Failed | Explained | Counted | Analysed | Summarised
