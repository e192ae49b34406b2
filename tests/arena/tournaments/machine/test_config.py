# SPDX-License-Identifier: GPL-3.0-or-later
from typing import Any

import msgspec
import pytest

from arena.tournaments.machine.config import Config, Entry, check
from arena.tournaments.machine.formats import AnyFormat
from arena.tournaments.machine.formats.fixed_pairings import FixedPairings
from arena.tournaments.machine.formats.gauntlet import Gauntlet
from arena.tournaments.machine.formats.knockout import Knockout
from arena.tournaments.machine.formats.ladder import Ladder
from arena.tournaments.machine.formats.round_robin import RoundRobin
from arena.tournaments.machine.formats.sprt import SprtMatch
from arena.tournaments.machine.formats.swiss import Swiss
from engine.formats.suite import Opening
from tests.arena.tournaments.machine.simulated import configured

TWO = (Entry("anna"), Entry("bert"))


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"entries": ()}, "the tournament has no entries"),
        ({"entries": (Entry("anna"),)}, "takes at least 2 players, not 1"),
        ({"entries": (Entry("anna"), Entry("bert"), Entry("Anna"))}, "entered twice"),
        ({"entries": (Entry("anna"), Entry(" "))}, "no name"),
        ({"name": " "}, "needs a name"),
        ({"name": "a\nb"}, "needs a name"),
        ({"game": "halma"}, "halma"),
        ({"game": "tree"}, "tree"),
        ({"games": 0}, "1 to 1000 games"),
        ({"time_control": "soon"}, "not a time control"),
        ({"entries": (Entry("anna"), Entry("bert", time_control="later"))}, "not a time control"),
        ({"entries": (Entry("anna"), Entry("bert", time_control="5+0")), "rated": True}, "cannot be rated"),
        ({"format": RoundRobin(0)}, "cycles"),
        ({"format": Swiss(2)}, "1 to 1 rounds"),
        ({"format": Swiss(0)}, "rounds"),
        ({"format": Gauntlet(2)}, "heads"),
        ({"format": Knockout(third_place=True)}, "third place"),
        ({"format": Knockout(extra=3)}, "must be even"),
        ({"format": SprtMatch(elo0=5, elo1=5)}, "elo0"),
        ({"format": SprtMatch(elo0=0, elo1=5, alpha=0.6, beta=0.5)}, "alpha"),
        ({"format": SprtMatch(elo0=0, elo1=5), "games": 1}, "pairs of games"),
        ({"format": SprtMatch(elo0=0, elo1=5, pairs=0)}, "one pair"),
        ({"format": SprtMatch(elo0=0, elo1=5), "entries": (*TWO, Entry("cleo"))}, "takes 2 players, not 3"),
        ({"format": Ladder()}, "at least 3 players"),
        ({"format": Ladder(misordered=0), "entries": (*TWO, Entry("cleo"))}, "misordered"),
        ({"format": Ladder(pairings=0), "entries": (*TWO, Entry("cleo"))}, "one pairing"),
        ({"format": FixedPairings(())}, r"the number of pairings must be 1 to 5000 \(got 0\)"),
        ({"format": FixedPairings(((0, 0),))}, "0 and 0 cannot be paired"),
        ({"format": FixedPairings(((0, 1), (1, 2)))}, "1 and 2 cannot be paired"),
        ({"openings": (Opening(None, ("a1",)), Opening(None, ("a1", "a1")))}, "opening 2"),
        ({"openings": (Opening("no position", ()),)}, "opening 1"),
        ({"openings": (Opening(),) * 5001}, "at most 5000"),
    ],
)
def test_impossible_tournaments_are_refused_before_they_start(changed: dict[str, Any], why: str) -> None:
    given: dict[str, Any] = {"name": "Test", "game": "tictactoe", "format": RoundRobin(), "entries": TWO} | changed
    with pytest.raises(ValueError, match=why):
        check(Config(**given))


@pytest.mark.parametrize(
    "form",
    [
        RoundRobin(2),
        Swiss(3),
        Knockout(third_place=True),
        Gauntlet(2),
        Ladder(boards=2),
        FixedPairings(((3, 1), (0, 4))),
    ],
)
def test_a_description_survives_being_sent(form: AnyFormat) -> None:
    config = configured(5, form, openings=(Opening(None, ("a1", "b2")),), patience=5.0)
    assert msgspec.json.decode(msgspec.json.encode(config), type=Config) == config


@pytest.mark.parametrize(
    "text", ['{"kind": "melee"}', '{"kind": "swiss"}', '{"kind": "swiss", "rounds": 3, "more": 1}']
)
def test_unknown_formats_and_fields_are_refused(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=AnyFormat)


def test_the_sides_of_a_match_have_their_own_times() -> None:
    entries = (Entry("anna"), Entry("bert", time_control="5+0.1"))
    config = Config(name="Odds", game="tictactoe", format=RoundRobin(), entries=entries, time_control="10+0")
    check(config)
    assert str(config.control(0, 1)) == "10+0 v 5+0.1"
    assert str(config.control(1, 0)) == "5+0.1 v 10+0"
    assert str(config.control(1, 1)) == "5+0.1"
