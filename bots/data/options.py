# SPDX-License-Identifier: GPL-3.0-or-later
"""The allowed contents of a configuration of a search, with the documentation of each part from its declaration."""

from collections.abc import Iterable, Sequence

from msgspec.inspect import FloatType, IntType, StructType, UnionType, type_info

from arena.protocol.data_bots import (
    ConfigurableGame,
    DataBotOptions,
    EvaluationWeight,
    GameEvaluation,
    SearchAlgorithm,
    SearchNumber,
    SearchSwitch,
)
from arena.protocol.schema import field_docs
from bots.data.format import OPPONENT_PARAMETERS, SWITCHES, VERSION, Configuration, best, ranges, word_of
from engine.game import Game
from engine.search import ALGORITHMS, INEXACT, Switch
from engine.search.margins import PARAMETERS
from engine.search.switches import SELECTIVE, STAR2

LIMITS = ("seconds", "depth", "nodes", "table_bits")
"""The fields that are limits of a search."""


def options(games: Iterable[Game]) -> DataBotOptions:
    """Return the allowed contents of a configuration for some of these games."""
    texts = field_docs(Switch)
    return DataBotOptions(
        version=VERSION,
        algorithms=[
            SearchAlgorithm(name, algorithm.description, [word_of(each) for each in algorithm.switches])
            for name, algorithm in ALGORITHMS.items()
        ],
        switches=[
            SearchSwitch(
                word,
                texts[switch.name or ""],
                exact=not switch & INEXACT,
                selective=bool(switch & SELECTIVE),
                dice=bool(switch & STAR2),
            )
            for word, switch in SWITCHES.items()
        ],
        limits=_limits(),
        parameters=[
            SearchNumber(name, row.unit, row.default, row.least, row.most, row.description)
            for name, row in PARAMETERS.items()
            if name not in OPPONENT_PARAMETERS
        ],
        games=[_of_game(game) for game in games if game.perfect_information],
    )


def _limits() -> list[SearchNumber]:
    """Return the limits, from the declarations of their fields."""
    info = type_info(Configuration)
    assert isinstance(info, StructType)
    texts, found = field_docs(Configuration), []
    for field in info.fields:
        if field.name in LIMITS:
            kinds = field.type.types if isinstance(field.type, UnionType) else (field.type,)
            (number,) = (kind for kind in kinds if isinstance(kind, IntType | FloatType))
            assert number.ge is not None
            assert number.le is not None
            found.append(SearchNumber(field.name, "", field.default, number.ge, number.le, texts[field.name]))
    return sorted(found, key=lambda limit: LIMITS.index(limit.name))


def _of_game(game: Game) -> ConfigurableGame:
    evaluations = []
    for name, evaluation in game.evaluations.items():
        names: Sequence[str] = evaluation.terms.names or ("",) * len(evaluation.weights)
        weights = [
            EvaluationWeight(term, weight, *limits)
            for term, weight, limits in zip(names, evaluation.weights, ranges(evaluation), strict=True)
        ]
        evaluations.append(GameEvaluation(name, evaluation.description, weights))
    return ConfigurableGame(game.name, game.title, game.chance, best(game), evaluations)
