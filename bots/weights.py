# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights as files: JSON for people and programs, or the Python module that a game keeps them in."""

from collections.abc import Sequence
from dataclasses import replace

import msgspec

from engine.evaluation import Evaluation
from engine.game import Game

VERSION = 1

MIDDLE, END = ": middle", ": end"
"""Suffixes of the names of a term's two weights, if it has two."""


class WeightsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of a file of weights."""

    version: int
    """Version of the format."""
    game: str
    """Name of the game."""
    evaluation: str
    """Name of the evaluation."""
    terms: int
    """Number of the evaluation's set of terms."""
    weights: dict[str, int] | list[int]
    """The weights, by name where the terms have names."""


def by_name(evaluation: Evaluation) -> dict[str, int] | list[int]:
    """Return weights by the names of their terms, in a list where they have none."""
    names, weights = evaluation.terms.names, evaluation.weights
    return dict(zip(names, weights, strict=True)) if names else list(weights)


def as_json(game: Game, evaluation: Evaluation) -> str:
    """Write the weights of an evaluation."""
    file = WeightsFile(
        version=VERSION,
        game=game.name,
        evaluation=evaluation.name,
        terms=evaluation.terms.number,
        weights=by_name(evaluation),
    )
    return msgspec.json.format(msgspec.json.encode(file)).decode() + "\n"


def from_json(game: Game, text: str | bytes) -> Evaluation:
    """Return the game's evaluation with the weights of a file.

    Raises ValueError when it is no such file, or belongs to another game or to other terms.
    """
    file = msgspec.json.decode(text, type=WeightsFile)
    if file.version != VERSION:
        raise ValueError(f"the weights are of version {file.version}; this is version {VERSION}")
    if file.game != game.name:
        raise ValueError(f"the weights are for {file.game[:40]!r}, not for {game.name}")
    evaluation = game.evaluations.get(file.evaluation)
    if evaluation is None or evaluation.terms.number != file.terms:
        raise ValueError(f"{game.name} has no evaluation {file.evaluation[:40]!r} with the set of terms {file.terms}")
    weights: Sequence[int]
    if isinstance(file.weights, dict):
        strange = set(file.weights) ^ set(evaluation.terms.names)
        if strange:
            raise ValueError(f"{min(strange)[:60]!r} is in the weights or in the terms, but not in both")
        weights = [file.weights[name] for name in evaluation.terms.names]
    else:
        weights = file.weights
    if len(weights) != len(evaluation.weights):
        raise ValueError(f"there are {len(weights)} weights for {len(evaluation.weights)} terms")
    found = replace(evaluation, weights=tuple(weights))
    try:
        found.words()
    except OverflowError as error:
        raise ValueError("a weight is too large") from error
    return found


def as_module(evaluation: Evaluation) -> str:
    """Write the Python module that holds the weights by name: pairs of them where a term has two.

    Raises ValueError when the terms have no names.
    """
    if not evaluation.terms.names:
        raise ValueError(f"the terms of {evaluation.name} have no names; write JSON")
    weights: dict[str, int | tuple[int, int]] = dict(zip(evaluation.terms.names, evaluation.weights, strict=True))
    for name in evaluation.terms.names:
        if name.endswith(MIDDLE) and (stem := name.removesuffix(MIDDLE)) + END in weights:
            weights[stem] = (weights.pop(name), weights.pop(stem + END))  # type: ignore[assignment]  # single numbers
    lines = "".join(f'    "{name}": {weight},\n' for name, weight in weights.items())
    return f"{_HEAD.format(name=evaluation.name)}WEIGHTS = {{\n{lines}}}\n"


_HEAD = '''\
# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights of {name!r} by names of terms, written by ``arena lab tune``."""

'''
