# SPDX-License-Identifier: GPL-3.0-or-later
"""Tournaments whose games end at random, or by a table."""

from collections.abc import Callable
from itertools import count
from random import Random
from typing import Any

from hypothesis import strategies as st

from arena.tournaments.machine.config import Config, Entry, check
from arena.tournaments.machine.events import Slot
from arena.tournaments.machine.formats import AnyFormat
from arena.tournaments.machine.formats.gauntlet import Gauntlet
from arena.tournaments.machine.formats.knockout import Knockout
from arena.tournaments.machine.formats.ladder import Ladder
from arena.tournaments.machine.formats.round_robin import RoundRobin
from arena.tournaments.machine.formats.sprt import SprtMatch
from arena.tournaments.machine.formats.swiss import Swiss
from arena.tournaments.machine.tournament import Due, Tournament

NAMES = ("anna", "bert", "cleo", "dora", "emil", "fred", "gina", "hugo")

Judge = Callable[[Due], str]
"""Decides how a game ends."""


def configured(players: int, form: AnyFormat, **more: Any) -> Config:
    """Describe a tournament of tic-tac-toe."""
    names = (*NAMES, *(f"bot{number}" for number in range(len(NAMES), players)))[:players]
    entries = tuple(Entry(name) for name in names)
    config = Config(name="Test", game="tictactoe", format=form, entries=entries, **more)
    check(config)
    return config


def at_random(seed: int) -> Judge:
    """Let games end at random by seed, in favour of the better seed."""

    def judge(due: Due) -> str:
        chance = Random(f"{seed}/{due.slot}/{due.seats}")
        first, second = due.seats
        return chance.choices(("1-0", "1/2-1/2", "0-1"), (5 if first < second else 3, 3, 5 if second < first else 3))[0]

    return judge


def better_wins(due: Due) -> str:
    """Let the better seed win."""
    return "1-0" if due.seats[0] < due.seats[1] else "0-1"


def play(tournament: Tournament, judge: Judge, chance: Random | None = None, stop: int | None = None) -> Tournament:
    """Play to the end, or so many games; ``chance`` decides which of the games that are due ends first."""
    numbers = count(1)
    tournament.advance()
    played = 0
    while tournament.over is None and played != stop:
        due = tournament.due()
        game = chance.choice(due) if chance else due[0]
        tournament.record(game.slot, judge(game), next(numbers))
        tournament.advance()
        played += 1
    return tournament


def slots(tournament: Tournament) -> list[Slot]:
    """Return the due games."""
    return [due.slot for due in tournament.due()]


@st.composite
def configs(draw: st.DrawFn) -> Config:
    """Describe any tournament that can be, small enough to be played."""
    players = draw(st.integers(2, 11))
    formats: list[st.SearchStrategy[AnyFormat]] = [
        st.builds(RoundRobin, st.integers(1, 3)),
        st.builds(Swiss, st.integers(1, max(1, players // 2))),
        st.builds(Gauntlet, st.integers(1, players - 1), st.integers(1, 2)),
        st.builds(
            Knockout, third_place=st.booleans() if players > 3 else st.just(False), extra=st.sampled_from([0, 2, 4])
        ),
    ]
    if players > 2:
        formats.append(st.builds(Ladder, misordered=st.sampled_from([0.05, 0.2]), pairings=st.integers(1, 12)))
    if players == 2:
        formats.append(st.builds(SprtMatch, elo0=st.just(0.0), elo1=st.just(100.0), pairs=st.integers(1, 40)))
    form = draw(st.one_of(formats))
    games = 2 if isinstance(form, SprtMatch) else draw(st.integers(1, 4))
    return configured(players, form, games=games, seed=draw(st.integers(0, 1000)))
