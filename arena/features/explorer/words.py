# SPDX-License-Identifier: GPL-3.0-or-later
"""Sentences that say what a search does at a node, in the current language (``web.language.speaking``)."""

import msgspec

from arena.features.explorer.tree import ExplainedNode, Score
from web.language import current, plural, t


def words(node: ExplainedNode, win: Score) -> ExplainedNode:
    """Return the node with its sentences; ``win``: scores from this one on are those of won games."""
    parts = [_arrival(node), _change(node), _window(node, win), _ending(node, win), *_left_out(node)]
    return msgspec.structs.replace(node, words=" ".join(part for part in parts if part))


def written(score: Score | None, win: Score) -> str:
    """Return a score as text: points, or a won game."""
    if score is None:
        return t("unknown")
    if abs(score) >= win:
        return t("a win for max") if score > 0 else t("a win for min")
    text = f"{score:,}" if isinstance(score, int) else f"{score:,.2f}".rstrip("0").rstrip(".")
    return current().number(text).replace("-", "\N{MINUS SIGN}")


def _arrival(node: ExplainedNode) -> str:
    """Say why the search visits the position."""
    plies = _plies(node.depth)
    match node.reason:
        case "root":
            return t("The search begins, to a depth of {0}.", plies)
        case "move" if not node.depth:
            return t("The search tries {0}.", node.said)
        case "move":
            return t("The search tries {0}, with {1} left.", node.said, plies)
        case "quiescence":
            return t("Quiescence search tries {0}.", node.said)
        case "again" if not node.said:
            return t("The value was outside of the window: the search begins again with a wider window.")
        case "again":
            return t("The null window failed: the search tries {0} again, with {1} left.", node.said, plies)
        case "null-move":
            return t("Null move: the search lets the side to move pass, with {0} left.", plies)
        case "verification":
            return t(
                "The search verifies the null-move cut: it searches again without null moves, with {0} left.",
                plies,
            )
        case "singular":
            return t(
                "Singular extension test: a shallower search without the table's move checks whether another move is"
                " nearly as good, with {0} left.",
                plies,
            )
        case "razoring":
            return t("Razoring: quiescence search decides first, because the score is far below alpha.")
        case _:
            via = "".join(f"{move}, " for move in node.via)
            return t(
                "Probe (Star2): after a roll the search first tries only the best-looking move: {0}{1}, with {2} left.",
                via,
                node.said,
                plies,
            )


def _change(node: ExplainedNode) -> str:
    """Say a change of the depth."""
    if node.reduced > 0:
        return t("This is {0} less than usual (reduction).", _plies(node.reduced))
    return t("This is {0} more than usual (extension).", _plies(-node.reduced)) if node.reduced < 0 else ""


def _plies(number: int) -> str:
    return plural(number, "{0} ply", "{0} plies")


def _window(node: ExplainedNode, win: Score) -> str:
    """Say the bounds at entry."""
    low, high = (None if bound is None else written(bound, win) for bound in (node.alpha, node.beta))
    if low is not None and high is not None:
        return t("So far max has at least {0} and min allows at most {1}.", low, high)
    if low is not None:
        return t("So far max has at least {0}.", low)
    return "" if high is None else t("So far min allows at most {0}.", high)


def _ending(node: ExplainedNode, win: Score) -> str:
    """Say how the visit ends."""
    value = written(node.value, win)
    match node.event:
        case "leaf":
            return t("The depth is reached: the static evaluation is {0}.", value)
        case "over":
            return t("The game is over: a draw.") if node.value == 0 else t("The game is over: {0}.", value)
        case "table":
            return t("The transposition table has this position already: {0}.", value)
        case "repetition":
            return t("The position repeats: a draw, {0}.", value)
        case "quiet":
            return t(
                "There are no captures or other moves for quiescence search to try: the static evaluation is {0}.",
                value,
            )
        case "stand-pat":
            return t("The static evaluation {0} is enough for a cut: no capture is searched.", value)
        case "static-cut":
            return t("The static evaluation {0} is far outside of the window: no move is searched.", value)
        case "null-cut":
            return t("Null-move pruning: beta is reached even after a pass, so the search cuts here with {0}.", value)
        case "multi-cut":
            return t("Multi-cut: two moves reach beta, so the search cuts here with {0}.", value)
        case "razored":
            return t("Quiescence search found no better value than {0}.", value)
        case "unfinished":
            return t("The recorded tree reached its maximum size before this visit ended.")
        case "cut" if node.cut == "beta":
            return t("It cuts here: {0} ≥ beta {1}.", value, written(node.beta, win))
        case "cut":
            return t("It cuts here: {0} ≤ alpha {1}.", value, written(node.alpha, win))
        case _:
            return _returned(node, value)


def _returned(node: ExplainedNode, value: str) -> str:
    """Say the value, which may be only a bound."""
    if node.value is not None and node.alpha is not None and node.value <= node.alpha:
        return t("Its value is {0} or less.", value)
    if node.value is not None and node.beta is not None and node.value >= node.beta:
        return t("Its value is {0} or more.", value)
    return t("Its value is {0}.", value)


def _left_out(node: ExplainedNode) -> list[str]:
    """Say how many children were evaluated for the order, and how many moves were not searched."""
    parts = []
    if node.scored:
        parts.append(
            plural(
                node.scored,
                "For the order of moves it evaluates {0} child, which counts as visited.",
                "For the order of moves it evaluates {0} children, which count as visited.",
            )
        )
    return parts + [_unsearched(why, number) for why, number in node.unsearched.items()]


def _unsearched(why: str, number: int) -> str:
    """Say why a number of moves was not searched."""
    match why:
        case "cut":
            return plural(
                number,
                "{0} move is not searched, because of the cut.",
                "{0} moves are not searched, because of the cut.",
            )
        case "futility":
            return plural(number, "{0} move is skipped as futile.", "{0} moves are skipped as futile.")
        case "late":
            return plural(
                number,
                "{0} move is skipped because it comes late.",
                "{0} moves are skipped because they come late.",
            )
        case "losing":
            return plural(
                number,
                "{0} move is skipped because it does not gain enough.",
                "{0} moves are skipped because they do not gain enough.",
            )
        case _:
            return plural(
                number,
                "{0} move is excluded: the singular extension test searches the other moves only.",
                "{0} moves are excluded: the singular extension test searches the other moves only.",
            )
