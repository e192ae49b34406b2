# SPDX-License-Identifier: GPL-3.0-or-later
"""A model learns a player's preferences, predicts moves, learns more games, and is saved in a file."""

import msgspec
import numpy as np
import pytest
from jsonschema import Draft202012Validator
from msgspec.structs import replace

from bots.modelling import features
from bots.modelling.file import VERSION, load, save, schema
from bots.modelling.model import Model
from bots.modelling.replay import Ply, Turn, replay, replays
from bots.modelling.sources import PlayerName, Skips
from engine.games import find
from engine.match.record import PlayedMove
from tests.bots.modelling.habitual import games

PLAYER = PlayerName("habit")
GAMES = ("chess", "checkers")


def learned(game: str, count: int = 24, *, calibrated: bool = True) -> Model:
    model = Model(find(game), PLAYER)
    assert not model.learn(games(count, game))
    if calibrated:
        model.calibrate(games(count, game))
    return model


@pytest.fixture(scope="module", params=GAMES)
def model(request: pytest.FixtureRequest) -> Model:
    return learned(request.param)


def later(game: str) -> list[Turn]:
    """Turns of games that were not learned."""
    played = replays(find(game), games(34, game)[24:], PLAYER, Skips())
    return [turn for one in played for turn in one.turns() if len(turn.position.moves) > 1]


def test_beliefs_are_probabilities_over_the_legal_moves(model: Model) -> None:
    for turn in later(model.game.name)[:20]:
        found = model.predict(turn.position, turn.past)
        assert sorted(move for move, _ in found) == sorted(turn.position.moves)
        assert sum(probability for _, probability in found) == pytest.approx(1)
        probabilities = [probability for _, probability in found]
        assert probabilities == sorted(probabilities, reverse=True)
        assert min(probabilities) > 0


def test_a_preference_is_learned(model: Model) -> None:
    hits, evenly = 0, 0.0
    turns = later(model.game.name)
    for turn in turns:
        best = model.predict(turn.position, turn.past)[0][0]
        hits += best == turn.move
        evenly += 1 / len(turn.position.moves)
    assert hits > 2 * evenly


def test_candidates_complete_a_chunk(model: Model) -> None:
    some = 0
    for turn in later(model.game.name)[:40]:
        found = model.candidates(turn.position, turn.past)
        some += bool(found)
        assert all(0 < probability <= 1 for _, probability in found)
        assert {move for move, _ in found} <= set(turn.position.moves)
    assert some > 5


def test_without_calibration_raw_beliefs_order_the_moves() -> None:
    model = learned("chess", 6, calibrated=False)
    start = model.game.look(model.game.start())
    found, raw = model.predict(start), model.candidates(start)
    assert [move for move, _ in found[: len(raw)]] == [move for move, _ in raw]
    assert sum(probability for _, probability in found) == pytest.approx(1)


def test_nothing_is_predicted_when_the_game_is_over() -> None:
    model = Model(find("chess"), PLAYER)
    mated = model.game.look(model.game.parse_position("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"))
    with pytest.raises(ValueError, match="the game is over"):
        model.predict(mated)


def test_a_model_that_knows_nothing_believes_all_alike() -> None:
    model = Model(find("chess"), PLAYER)
    start = model.game.look(model.game.start())
    assert {round(probability, 9) for _, probability in model.predict(start)} == {0.05}
    assert model.candidates(start) == []


@pytest.mark.parametrize("game", GAMES)
def test_learning_game_by_game_is_learning_all(game: str) -> None:
    at_once, one_by_one = learned(game, 8, calibrated=False), Model(find(game), PLAYER)
    for record in games(8, game):
        one_by_one.learn([record])
        one_by_one.predict(one_by_one.game.look(one_by_one.game.start()))
    assert save(one_by_one) == save(at_once)


def test_skipped_games_are_counted() -> None:
    good, other, strange, illegal = games(4)
    other = replace(other, game="checkers")
    strange = replace(strange, players=strange.players[:1] * 2)
    illegal = replace(illegal, moves=(PlayedMove("e2e5"),))
    model = Model(find("chess"), PLAYER)
    skips = model.learn([good, other, strange, illegal])
    assert model.games == 1
    assert dict(skips) == {
        "of checkers, not chess": 1,
        "without the player on one seat": 1,
        "against the rules": 1,
    }
    assert "1 against the rules" in skips.told()


def test_other_games_have_no_templates() -> None:
    with pytest.raises(ValueError, match="opponent models are for"):
        Model(find("tictactoe"), PLAYER)


def test_nothing_of_a_game_is_known_when_it_is_weighed() -> None:
    model = Model(find("chess"), PLAYER)
    played = replays(model.game, games(10), PLAYER, Skips())
    lessons = model.lessons(played)
    assert 0 < len(lessons.onward) < len(lessons.crossed)
    for view, turn, block in (*lessons.crossed, *lessons.onward):
        assert view.texts[turn.chosen] == model.game.format_move(turn.position.state, turn.move)
        own = next(number for number, one in enumerate(played) if any(turn.position is each for each in one.positions))
        assert own >= block
        # so late no position stood twice
        if len(turn.past) > 8:
            assert not view.frequencies.seen(turn.position.key)
    assert {seen.block for seen in lessons.onward} == {4, 6, 8}


def test_a_game_is_too_few_to_calibrate_by() -> None:
    model = Model(find("chess"), PLAYER)
    with pytest.raises(ValueError, match="less than two games"):
        model.calibrate(games(1))


def test_columns_have_names(model: Model) -> None:
    start = model.game.look(model.game.start())
    matrix = model.columns(model.view(start))
    assert matrix.shape == (len(start.moves), len(features.names(model.templates)))
    assert np.isfinite(matrix).all()


# ---------------------------------------------------------------- files


def test_a_model_is_kept(model: Model) -> None:
    again = load(save(model))
    assert save(again) == save(model)
    for turn in later(model.game.name)[:5]:
        expected = model.predict(turn.position, turn.past)
        found = again.predict(turn.position, turn.past)
        assert [move for move, _ in found] == [move for move, _ in expected]
        assert [probability for _, probability in found] == pytest.approx([probability for _, probability in expected])


def test_a_kept_model_learns_on(model: Model) -> None:
    name = model.game.name
    again = load(save(learned(name, 8)))
    again.learn(games(12, name)[8:])
    whole = learned(name, 12, calibrated=False)
    whole.calibration = again.calibration
    kept, expected = (msgspec.json.decode(save(one)) for one in (again, whole))
    for seat, other in zip(kept["seats"], expected["seats"], strict=True):
        assert sorted(seat.pop("chunks"), key=str) == sorted(other.pop("chunks"), key=str)
    assert kept["frequencies"] == expected["frequencies"]
    assert kept["games"] == 12


def test_the_schema_is_held(model: Model) -> None:
    Draft202012Validator(schema()).validate(msgspec.json.decode(save(model)))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"version": VERSION + 1}, f"version {VERSION + 1}; this program reads version {VERSION}"),
        ({"kind": "recipe"}, "not an opponent model"),
        ({"game": "tictactoe"}, "opponent models are for"),
        ({"game": "chequers"}, "no game is called"),
        ({"games": -1}, "games"),
        ({"colour": "red"}, "colour"),
        ({"weights": {"charm": 1.0}, "curve": [1.0]}, "in the model or in this program"),
        ({"player": " "}, "is not a name"),
    ],
)
def test_other_files_are_refused(change: dict[str, object], complaint: str) -> None:
    file = msgspec.json.decode(save(learned("checkers", 4, calibrated=False)))
    with pytest.raises(ValueError, match=complaint):
        load(msgspec.json.encode(file | change))


def test_invalid_json_is_refused() -> None:
    with pytest.raises(ValueError, match="not a model"):
        load(b"[Event")


# ---------------------------------------------------------------- games played over


def test_a_replay_has_the_played_moves() -> None:
    record = games(1)[0]
    found = replay(find("chess"), record, 0)
    assert found.texts == tuple(played.move for played in record.moves)
    assert found.whole
    assert found.points == 1.0
    assert [len(turn.past) for turn in found.turns()][:3] == [0, 2, 4]
    assert found.turns()[1].past[0] == Ply(found.positions[0].state, found.moves[0])


def test_games_from_elsewhere_are_in_no_opening_tree() -> None:
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"
    record = replace(games(2)[1], start=start, moves=(PlayedMove("e7e5"), PlayedMove("e2e4")))
    model = Model(find("chess"), PLAYER)
    for _ in range(3):
        model.learn([record])
    assert model.games == 3
    assert all(not list(seat.openings.chunks()) for seat in model.seats)
