# SPDX-License-Identifier: GPL-3.0-or-later
"""Search parameters (margins) of the selective search: depths, margins and reductions, one named row for each.

``Margins`` is the table. A row has a name, the switch of its technique, a unit, a default, a range, the step of
automatic tuning, a description, and the neutral value with which evolution begins; ``PARAMETERS`` returns the rows by
name. Compiled code reads the values at run time, so a ``Searcher`` can use others.
"""

from typing import Annotated, Final, Literal, NamedTuple, get_type_hints

from engine.search.switches import OPPONENT_MODEL, Switch

Unit = Literal["plies", "cp", "1/100 plies", "1/100 moves", "1/100 cp", "points", "1/1000"]
"""cp: hundredths of the value of a pawn, in checkers of a man. 1/1000: probabilities."""


MIDDLE: Final = 1 << 31
"""As a neutral value: the middle of the range."""


class Parameter(NamedTuple):
    """One row of the table, beside its name."""

    switch: Switch
    """The technique that the parameter belongs to."""
    unit: Unit
    least: int
    most: int
    step: int
    """How far tuning moves the parameter for its first trial games; 0: it is set by hand."""
    neutral: int = MIDDLE
    """Where evolution begins. With the neutral values no technique prunes or reduces, unless the remaining depth is 10
    plies or more."""
    default: int = 0
    description: str = ""
    """``default`` and ``description`` stand beside the row."""

    @property
    def models(self) -> bool:
        """Whether only searches with an opponent model read the parameter."""
        return bool(self.switch & OPPONENT_MODEL)


class Margins(NamedTuple):
    """The values of all search parameters; without arguments, the defaults."""

    reverse_futility_depth: Annotated[
        int,
        Parameter(Switch.REVERSE_FUTILITY, "plies", 0, 20, 0, 0),
        "Reverse futility pruning applies up to this remaining depth.",
    ] = 7
    reverse_futility_margin: Annotated[
        int,
        Parameter(Switch.REVERSE_FUTILITY, "cp", 20, 250, 20),
        "Reverse futility: the score exceeds beta by this margin for each remaining ply.",
    ] = 50
    razoring_depth: Annotated[
        int,
        Parameter(Switch.RAZORING, "plies", 0, 20, 0, 0),
        "Razoring applies up to this remaining depth.",
    ] = 3
    razoring_base: Annotated[
        int,
        Parameter(Switch.RAZORING, "cp", 0, 600, 60),
        "Razoring: constant part of the margin by which the score is below alpha.",
    ] = 560
    razoring_margin: Annotated[
        int,
        Parameter(Switch.RAZORING, "cp", 20, 600, 60),
        "Razoring: part of the margin below alpha for each remaining ply.",
    ] = 460
    null_move_depth: Annotated[
        int,
        Parameter(Switch.NULL_MOVE, "plies", 1, 20, 0, 10),
        "Null-move pruning applies from this remaining depth on.",
    ] = 3
    null_move_reduction: Annotated[
        int,
        Parameter(Switch.NULL_MOVE, "1/100 plies", 200, 700, 60),
        "Constant part of the null-move reduction.",
    ] = 370
    null_move_reduction_slope: Annotated[
        int,
        Parameter(Switch.NULL_MOVE, "1/100 plies", 5, 60, 8),
        "Part of the null-move reduction for each remaining ply.",
    ] = 26
    null_move_margin: Annotated[
        int,
        Parameter(Switch.NULL_MOVE, "cp", 50, 500, 50),
        "The null-move reduction grows by a ply each time that the score exceeds beta by this margin, by 3 plies at "
        "most.",
    ] = 310
    late_move_count_depth: Annotated[
        int,
        Parameter(Switch.LATE_MOVE_COUNT, "plies", 0, 20, 0, 0),
        "Late move count pruning (LMP) applies up to this remaining depth.",
    ] = 8
    late_move_count_base: Annotated[
        int,
        Parameter(Switch.LATE_MOVE_COUNT, "1/100 moves", 100, 1200, 100),
        "Late move count: constant part of the number of moves after which quiet moves are skipped.",
    ] = 495
    late_move_count_slope: Annotated[
        int,
        Parameter(Switch.LATE_MOVE_COUNT, "1/100 moves", 20, 300, 25),
        "Late move count: part of the number of moves per squared remaining depth.",
    ] = 240
    futility_depth: Annotated[
        int,
        Parameter(Switch.FUTILITY, "plies", 0, 20, 0, 0),
        "Futility pruning of quiet moves applies up to this reduced depth.",
    ] = 6
    futility_base: Annotated[
        int,
        Parameter(Switch.FUTILITY, "cp", 0, 400, 40),
        "Futility: constant part of the margin by which the score is below alpha.",
    ] = 2
    futility_margin: Annotated[
        int,
        Parameter(Switch.FUTILITY, "cp", 10, 300, 30),
        "Futility: part of the margin below alpha for each remaining ply.",
    ] = 90
    see_depth: Annotated[
        int,
        Parameter(Switch.FUTILITY, "plies", 0, 20, 0, 0),
        "SEE pruning applies up to this remaining depth.",
    ] = 7
    see_capture_margin: Annotated[
        int,
        Parameter(Switch.FUTILITY, "cp", 20, 500, 40),
        "SEE pruning: captures may lose this much for each remaining ply.",
    ] = 115
    see_quiet_margin: Annotated[
        int,
        Parameter(Switch.FUTILITY, "cp", 1, 120, 10),
        "SEE pruning: quiet moves may lose this much times the squared remaining depth.",
    ] = 28
    see_check_margin: Annotated[
        int,
        Parameter(Switch.FUTILITY, "cp", 20, 1000, 80),
        "SEE pruning: checks may lose this much for each remaining ply.",
    ] = 300
    lmr_depth: Annotated[
        int,
        Parameter(Switch.LATE_MOVE_REDUCTIONS, "plies", 1, 20, 0, 10),
        "Late move reductions (LMR) apply from this remaining depth on.",
    ] = 3
    lmr_base: Annotated[
        int,
        Parameter(Switch.LATE_MOVE_REDUCTIONS, "1/100 plies", -60, 250, 30),
        "Constant part of a late move reduction.",
    ] = 145
    lmr_slope: Annotated[
        int,
        Parameter(Switch.LATE_MOVE_REDUCTIONS, "1/100 plies", 15, 80, 6),
        "Part of the reduction per log(depth) × log(number of moves before).",
    ] = 65
    lmr_open_window: Annotated[
        int,
        Parameter(Switch.LATE_MOVE_REDUCTIONS, "1/100 plies", -250, 50, 40, 0),
        "Change of the reduction if the window is open (principal variation).",
    ] = -110
    lmr_root: Annotated[
        int,
        Parameter(Switch.LATE_MOVE_REDUCTIONS, "1/100 plies", -600, 100, 60, 0),
        "Change of the reduction at the root.",
    ] = -200
    lmr_cut_node: Annotated[
        int,
        Parameter(Switch.LATE_MOVE_REDUCTIONS, "1/100 plies", -50, 300, 40, 0),
        "Change of the reduction at expected cut nodes.",
    ] = 100
    lmr_not_improving: Annotated[
        int,
        Parameter(Switch.LATE_MOVE_REDUCTIONS, "1/100 plies", -50, 300, 40, 0),
        "Change of the reduction if the score is not above the one two plies before.",
    ] = -50
    lmr_check: Annotated[
        int,
        Parameter(Switch.LATE_MOVE_REDUCTIONS, "1/100 plies", -300, 100, 40, 0),
        "Change of the reduction for checks.",
    ] = -300
    lmr_killer: Annotated[
        int,
        Parameter(Switch.LATE_MOVE_REDUCTIONS, "1/100 plies", -300, 100, 40, 0),
        "Change of the reduction for killer moves.",
    ] = -55
    lmr_history: Annotated[
        int,
        Parameter(Switch.LATE_MOVE_REDUCTIONS, "1/100 plies", -600, 0, 60, 0),
        "Change of the reduction for moves with the best possible history.",
    ] = -70
    delta_margin: Annotated[
        int,
        Parameter(Switch.DELTA, "cp", 0, 500, 50, 500),
        "Delta pruning: a capture is skipped if score + gain + margin does not reach alpha.",
    ] = 340
    singular_depth: Annotated[
        int,
        Parameter(Switch.SINGULAR, "plies", 4, 20, 0, 12),
        "Singular extensions apply from this remaining depth on.",
    ] = 7
    singular_margin: Annotated[
        int,
        Parameter(Switch.SINGULAR, "1/100 cp", 30, 600, 60),
        "A move is singular if all others are worse by this much per remaining ply.",
    ] = 235
    double_extension_margin: Annotated[
        int,
        Parameter(Switch.SINGULAR, "cp", 0, 120, 12),
        "A singular move is extended by two plies if all others are worse by this much more.",
    ] = 90
    internal_reduction_depth: Annotated[
        int,
        Parameter(Switch.INTERNAL_REDUCTION, "plies", 1, 20, 0, 10),
        "Internal iterative reduction applies from this remaining depth on.",
    ] = 4
    history_bonus: Annotated[
        int,
        Parameter(Switch.HISTORY, "points", 40, 500, 40),
        "History bonus of a move that causes a cutoff, for each remaining ply.",
    ] = 125
    history_bonus_limit: Annotated[
        int,
        Parameter(Switch.HISTORY, "points", 400, 4000, 300),
        "Largest history bonus.",
    ] = 1050
    opponent_depth: Annotated[
        int,
        Parameter(Switch.PROBABLE_EXTENSIONS, "plies", 1, 20, 0),
        "The opponent model is used from this remaining depth on.",
    ] = 3
    probable: Annotated[
        int,
        Parameter(Switch.PROBABLE_EXTENSIONS, "1/1000", 0, 1000, 0),
        "Moves with at least this prior are probable: tried early, and extended.",
    ] = 400
    improbable: Annotated[
        int,
        Parameter(Switch.IMPROBABLE_REDUCTIONS, "1/1000", 0, 1001, 0),
        "Moves with a prior below this are improbable: reduced.",
    ] = 35
    improbable_reduction: Annotated[
        int,
        Parameter(Switch.IMPROBABLE_REDUCTIONS, "plies", 0, 20, 0),
        "Reduction of improbable moves.",
    ] = 2
    verification_reduction: Annotated[
        int,
        Parameter(Switch.ROOT_VERIFICATION, "plies", 0, 20, 0),
        "Reduction of the search without the opponent model that verifies the best root move.",
    ] = 3
    verification_margin: Annotated[
        int,
        Parameter(Switch.ROOT_VERIFICATION, "cp", 0, 500, 0),
        "The verified value may be lower by this much.",
    ] = 30
    expectation_least: Annotated[
        int,
        Parameter(Switch.ROOT_EXPECTATION, "1/1000", 1, 1000, 0),
        "Answers to a root move with at least this prior are searched separately.",
    ] = 100
    expectation_best: Annotated[
        int,
        Parameter(Switch.ROOT_EXPECTATION, "1/1000", 0, 1000, 0),
        "Probability that the best answer has in the expectation, whatever the priors.",
    ] = 200
    expectation_scale: Annotated[
        int,
        Parameter(Switch.ROOT_EXPECTATION, "cp", 1, 10_000, 0),
        "Advantage that counts as half of a win when values are averaged.",
    ] = 300
    aspiration_window: Annotated[
        int,
        Parameter(Switch.ASPIRATION, "cp", 6, 80, 6, 80),
        "Half of the width of the first aspiration window.",
    ] = 20
    iteration_share: Annotated[
        int,
        Parameter(Switch.DEEPENING, "1/1000", 100, 1000, 0, 500),
        "No new iteration begins after the search has used this share of its node limit.",
    ] = 1000


def _parameters() -> dict[str, Parameter]:
    rows: dict[str, Parameter] = {}
    for name, hint in get_type_hints(Margins, include_extras=True).items():
        row, description = hint.__metadata__
        neutral = (row.least + row.most) // 2 if row.neutral == MIDDLE else row.neutral
        rows[name] = row._replace(neutral=neutral, default=Margins._field_defaults[name], description=description)
    return rows


PARAMETERS: Final = _parameters()
"""The rows of the table by name, in the order of ``Margins``."""

MARGINS: Final = Margins()
"""The defaults: tuned by games of the search against itself."""

NEUTRAL: Final = Margins(**{name: row.neutral for name, row in PARAMETERS.items()})
"""The values with which evolution begins."""
