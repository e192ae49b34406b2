# SPDX-License-Identifier: GPL-3.0-or-later
"""Sentences that say what a search does at a node."""

import msgspec

from arena.features.explorer.tree import ExplainedNode, Score


def words(node: ExplainedNode, win: Score) -> ExplainedNode:
    """Return the node with its sentences; ``win``: scores from this one on are those of won games."""
    parts = [_arrival(node), _window(node, win), _ending(node, win), _left_out(node)]
    return msgspec.structs.replace(node, words=" ".join(part for part in parts if part))


def written(score: Score | None, win: Score) -> str:
    """Return a score as text: points, or a won game."""
    if score is None:
        return "unknown"
    if abs(score) >= win:
        return "a win for max" if score > 0 else "a win for min"
    text = f"{score:,}" if isinstance(score, int) else f"{score:,.2f}".rstrip("0").rstrip(".")
    return text.replace("-", "\N{MINUS SIGN}")


def _arrival(node: ExplainedNode) -> str:
    """Say why the search visits the position."""
    via = "".join(f"{move}, " for move in node.via)
    plies = _plies(node.depth)
    match node.reason:
        case "root":
            return f"The search begins, to a depth of {plies}."
        case "move" if not node.depth:
            found = f"The search tries {node.said}."
        case "move":
            found = f"The search tries {node.said}, with {plies} left."
        case "quiescence":
            found = f"Quiescence search tries {node.said}."
        case "again" if not node.said:
            found = "The value was outside of the window: the search begins again with a wider window."
        case "again":
            found = f"The null window failed: the search tries {node.said} again, with {plies} left."
        case "null-move":
            found = f"Null move: the search lets the side to move pass, with {plies} left."
        case "verification":
            found = f"The search verifies the null move by a search without one, with {plies} left."
        case "singular":
            found = f"The search asks whether another move comes near the table's move, with {plies} left."
        case "razoring":
            found = "Razoring: quiescence search decides first, because the score is far below alpha."
        case _:
            found = f"Probe after {via}the most promising move {node.said}, with {plies} left."
    if node.reduced > 0:
        found += f" This is {_plies(node.reduced)} less than usual (reduction)."
    elif node.reduced < 0:
        found += f" This is {_plies(-node.reduced)} more than usual (extension)."
    return found


def _plies(number: int) -> str:
    return "1 ply" if number == 1 else f"{number} plies"


def _window(node: ExplainedNode, win: Score) -> str:
    """Say the bounds at entry."""
    if node.alpha is None and node.beta is None:
        return ""
    low = None if node.alpha is None else f"max has at least {written(node.alpha, win)}"
    high = None if node.beta is None else f"min allows at most {written(node.beta, win)}"
    return f"So far {' and '.join(each for each in (low, high) if each)}."


def _ending(node: ExplainedNode, win: Score) -> str:
    """Say how the visit ends."""
    value = written(node.value, win)
    match node.event:
        case "leaf":
            return f"The depth is reached: the static evaluation is {value}."
        case "over":
            return "The game is over: a draw." if node.value == 0 else f"The game is over: {value}."
        case "table":
            return f"The transposition table has this position already: {value}."
        case "repetition":
            return f"The position repeats: a draw, {value}."
        case "quiet":
            return f"No move changes the value at once: the static evaluation is {value}."
        case "stand-pat":
            return f"The static evaluation {value} is enough for a cut: no capture is searched."
        case "static-cut":
            return f"The static evaluation {value} is far outside of the window: no move is searched."
        case "null-cut":
            return f"Even a pass is good enough: the search cuts here with {value}."
        case "multi-cut":
            return f"Two moves are good enough: the search cuts here with {value}."
        case "razored":
            return f"Quiescence search found no better value than {value}."
        case "unfinished":
            return "The tree was full before this visit ended."
        case "cut" if node.cut == "beta":
            return f"It cuts here: {value} ≥ beta {written(node.beta, win)}."
        case "cut":
            return f"It cuts here: {value} ≤ alpha {written(node.alpha, win)}."
        case _:
            return f"Its value is {value}{_failed(node)}."


def _failed(node: ExplainedNode) -> str:
    """Say that a value is only a bound."""
    if node.value is None:
        return ""
    if node.alpha is not None and node.value <= node.alpha:
        return " or less"
    if node.beta is not None and node.value >= node.beta:
        return " or more"
    return ""


_WHY = {
    "cut": "not searched, because of the cut",
    "futility": "skipped as futile",
    "late": "skipped because they come late",
    "losing": "skipped because they do not gain enough",
    "excluded": "left out on purpose",
}


def _left_out(node: ExplainedNode) -> str:
    """Say how many moves were not searched, and how many were evaluated for the order."""
    parts = []
    if node.scored:
        what = "1 child" if node.scored == 1 else f"{node.scored} children"
        parts.append(f"For the order of moves it evaluates {what}, which count as visited.")
    for why, number in node.unsearched.items():
        parts.append(f"{number} {'move is' if number == 1 else 'moves are'} {_WHY[why]}.")
    return " ".join(parts)
