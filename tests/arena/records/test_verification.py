# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of real play are found clean, and every kind of damage is found."""

import json
import sqlite3
from dataclasses import replace
from pathlib import Path
from random import Random

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.cli import main
from arena.rating import elo
from arena.records.export import as_record
from arena.records.verification import VerificationReport, check_play, check_version, in_order, verify
from arena.store import Store
from arena.store.audit import ChangeRow, StoredRating, VersionRecord
from arena.store.rows import NewMatch, StoredMatch
from engine.games import find
from engine.match.ending import Ending, Termination
from engine.match.events import Ended, encode_event
from engine.match.machine import Match
from engine.time_control import TimeControl
from tests.arena.store.company import versions
from tests.databases import found
from tests.engine.match.guessing import GAME as GUESSING

CONTROL = TimeControl.parse("10+0")


async def play(store: Store, players: tuple[int, int], random: Random, *, rated: bool = True, stop: int = 99) -> int:
    """Play a match of random moves as the arena would, or only its first moves; returns its number."""
    match = Match(find("tictactoe"), opening=["b2"], time_control=CONTROL)
    new = NewMatch(
        game="tictactoe",
        time_class=CONTROL.time_class,
        time_control=str(CONTROL),
        rated=rated,
        seed=1,
        start=match.start,
        opening=match.opening,
        players=players,
    )
    number = await store.matches.start(new)
    while match.to_move is not None and match.ply < stop:
        known = len(match.events)
        match.play(match.to_move, random.choice(match.legal), random.randrange(1000), free=100)
        events = [(known + index, encode_event(event)) for index, event in enumerate(match.events[known:])]
        if match.ending is None:
            await store.matches.append(number, events)
        else:
            end = match.ending
            await store.matches.finish(
                number, result=end.result, termination=end.termination, plies=match.ply, events=events
            )
    return number


async def fill(store: Store) -> None:
    """Leave rated, unrated, void, live and pruned matches behind."""
    random = Random(7)
    one, two, three = (version.id for version in await versions(store, "marion", "arthur", "alan"))
    for _ in range(3):
        await play(store, (one, two), random)
    await store.prune(1e12)
    for players in (one, two), (two, one), (three, two), (one, three), (two, three):
        await play(store, players, random)
    await play(store, (one, two), random, rated=False)
    void = await play(store, (one, two), random, stop=3)
    await store.matches.finish(void, result="*", termination="void", detail="aborted", plies=3)
    await play(store, (three, one), random, stop=4)


def execute(url: str, statement: str) -> None:
    """Change a database behind its back, past its own checks."""
    if url.startswith("sqlite"):
        with sqlite3.connect(url.removeprefix("sqlite:///")) as connection:
            connection.execute(statement)
        connection.close()
    else:
        with psycopg.connect(url, autocommit=True) as server:
            server.execute("SET session_replication_role = replica")
            server.execute(statement.encode())


async def check(store: Store) -> VerificationReport:
    return await store.audit(verify)


async def test_later_versions_and_failures_leave_clean_records(store: Store) -> None:
    random = Random(5)
    one, two = await versions(store, "marion", "arthur")
    for _ in range(4):
        await play(store, (one.id, two.id), random)
    newer = await store.bots.version(one.bot_id, "2")
    crashed = await play(store, (newer.id, two.id), random, stop=3)
    stored = await store.matches.get(crashed)
    assert stored is not None
    last = [(len(stored.events), encode_event(Ended(Ending("1-0", Termination.DISCONNECT, "gone"))))]
    await store.matches.finish(crashed, result="1-0", termination="disconnect", detail="gone", plies=3, events=last)
    rating = await store.ratings.get(newer.id, "tictactoe", CONTROL.time_class)
    assert (rating.initial != 1500, rating.wins_by_failure) == (True, 1)
    assert (await check(store)).findings == []


async def test_records_of_play_are_clean(store: Store) -> None:
    await fill(store)
    report = await check(store)
    assert report.findings == []
    assert report.clean
    assert (report.matches, report.pruned, report.replayed) == (11, 3, 8)
    assert report.changes == 16
    assert report.ratings == 3
    assert report.events > 30


RATINGS = "ratings equal the replayed history"
REPLAY = "a stored match replays legally"
ENDS = "a match ends as it was played"
NUMBERS = "events are numbered from 0 without gaps"
BOTH = "a finished rated match changes both ratings"
NONE = "a live, unrated or void match changes no rating"
ORPHAN = "no row is an orphan"

DAMAGE = {
    "a change is lost": ("UPDATE player SET rating_after = NULL WHERE match_id = 5 AND seat = 1", {BOTH, RATINGS}),
    "a change is altered": ("UPDATE player SET rating_after = rating_after + 1 WHERE match_id = 5", {RATINGS}),
    "a rating is altered": ("UPDATE rating SET rating = rating + 0.001 WHERE version_id = 2", {RATINGS}),
    "a game is counted twice": ("UPDATE rating SET games = games + 1 WHERE version_id = 2", {RATINGS}),
    "a win by failure is made up": (
        "UPDATE rating SET wins_by_failure = wins_by_failure + 1 WHERE version_id = 2",
        {RATINGS},
    ),
    "a rating starts where it did not": (
        "UPDATE rating SET initial = 1516.0 WHERE version_id = 2",
        {RATINGS, ORPHAN},
    ),
    "a rating is gone": ("DELETE FROM rating WHERE version_id = 2", {RATINGS}),
    "a win becomes a loss": ("UPDATE rating SET wins = losses, losses = wins + 7 WHERE version_id = 1", {RATINGS}),
    "a void match is rated": ("UPDATE player SET rating_after = 1516 WHERE match_id = 10", {NONE, RATINGS}),
    "a live match is rated": ("UPDATE player SET rating_after = 1516 WHERE match_id = 11 AND seat = 0", {NONE}),
    "a result is turned": (
        "UPDATE match SET result = CASE result WHEN '1-0' THEN '0-1' ELSE '1-0' END WHERE id = 4",
        {RATINGS, ENDS},
    ),
    "a number of plies is wrong": ("UPDATE match SET plies = plies + 1 WHERE id = 4", {ENDS}),
    "a move is altered": (
        "UPDATE event SET body = replace(body, '\"ply\":3', '\"ply\":4') WHERE match_id = 4",
        {REPLAY},
    ),
    "a move is impossible": (
        """UPDATE event SET body = '{"type":"moved","ply":2,"seat":1,"move":"b2"}' WHERE match_id = 4 AND number = 0""",
        {REPLAY},
    ),
    "a clock is altered": (
        "UPDATE event SET body = replace(body, '\"clock\":', '\"clock\":1') WHERE match_id = 4 AND number = 1",
        {REPLAY},
    ),
    "an event is no event": ("UPDATE event SET body = '{}' WHERE match_id = 4 AND number = 1", {REPLAY}),
    "an opening is altered": ("""UPDATE match SET opening = '["b9"]' WHERE id = 4""", {REPLAY}),
    "the last event is gone": (
        "DELETE FROM event WHERE match_id = 4 AND number = (SELECT max(number) FROM event WHERE match_id = 4)",
        {REPLAY},
    ),
    "the first event is gone": ("DELETE FROM event WHERE match_id = 4 AND number = 0", {NUMBERS, REPLAY}),
    "moves of a live match are gone": ("DELETE FROM event WHERE match_id = 11 AND number = 1", {NUMBERS, REPLAY}),
    "a pruned match has events": (
        "UPDATE match SET pruned = true WHERE id = 8",
        {"a pruned match has no events"},
    ),
    "an event is without match": ("INSERT INTO event VALUES (999, 0, '{}')", {ORPHAN}),
    "events come before all matches": ("INSERT INTO event VALUES (-1, 0, '{}')", {ORPHAN}),
    "a version is gone": ("DELETE FROM version WHERE id = 3", {ORPHAN}),
    "a bot is gone": ("DELETE FROM bot WHERE id = 3", {ORPHAN}),
    "a match is gone": ("DELETE FROM match WHERE id = 6", {ORPHAN, RATINGS}),
    "a player is gone": ("DELETE FROM player WHERE match_id = 9 AND seat = 0", {ORPHAN}),
    "a player changes": ("UPDATE player SET version_id = 3 WHERE match_id = 9 AND seat = 0", {ORPHAN}),
    "a live player in a finished match": ("UPDATE player SET live = true WHERE match_id = 5 AND seat = 0", {ORPHAN}),
    "a return match without a first": ("UPDATE match SET pair = 999 WHERE id = 5", {ORPHAN}),
}


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_damage_is_found(damage: str, store: Store, database_url: str) -> None:
    await fill(store)
    statement, broken = DAMAGE[damage]
    execute(database_url, statement)
    report = await check(store)
    assert broken <= set(report.counts), report.findings
    assert not report.clean


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_damage_is_found_in_postgresql(store: Store, database_url: str) -> None:
    await fill(store)
    for statement, _ in DAMAGE.values():
        execute(database_url, statement)
    report = await check(store)
    assert {BOTH, NONE, RATINGS, NUMBERS, REPLAY, ORPHAN} <= set(report.counts)


def _change(number: int, result: str, before: float, after: float, opponent: float) -> ChangeRow:
    return ChangeRow(1, "nim", "blitz", 10.0 + number, number, 0, result, "decided", before, after, opponent)


def changes_after(scores: list[tuple[int, float]]) -> list[ChangeRow]:
    """Return the changes of a version that was always seat 0, after these results against these ratings."""
    made, rating = [], elo.EloRating()
    for number, (points, opponent) in enumerate(scores):
        after, _ = elo.rate(rating, elo.EloRating(opponent), points / 2)
        result = ("0-1", "1/2-1/2", "1-0")[points]
        made.append(_change(number, result, rating.rating, after, opponent))
        rating = elo.EloRating(after, number + 1)
    return made


@given(
    scores=st.lists(st.tuples(st.integers(0, 2), st.floats(1000, 2000)), min_size=1, max_size=60),
    random=st.randoms(use_true_random=False),
)
def test_changes_are_followed_though_the_clock_was_set_back(scores: list[tuple[int, float]], random: Random) -> None:
    changes = changes_after(scores)
    points = [score for score, _ in scores]
    counts = len(changes), points.count(2), points.count(1), points.count(0)
    sums = points.count(2) - points.count(0), points.count(2) + points.count(0)
    rating = StoredRating(1, "nim", "blitz", changes[-1].after, *counts, 0, elo.INITIAL, *sums)
    assert list(check_version(VersionRecord(1, [rating], changes))) == []
    shuffled = random.sample(changes, len(changes))
    if len({change.before for change in changes}) == len(changes):
        assert list(in_order(shuffled)) == changes
        assert list(check_version(VersionRecord(1, [rating], shuffled))) == []


def test_the_command_tells_by_its_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found(tmp_path)
    main(["bots", "add", "marion", "--data", str(tmp_path)])
    capsys.readouterr()
    assert main(["verify", "--data", str(tmp_path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["clean"] is True
    assert main(["verify", "--data", str(tmp_path)]) == 0
    assert "No errors found." in capsys.readouterr().out
    execute(f"sqlite:///{tmp_path / 'arena.db'}", "INSERT INTO event VALUES (999, 0, '{}')")
    assert main(["verify", "--data", str(tmp_path), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["report"]["counts"] == {ORPHAN: 1}
    assert main(["verify", "--data", str(tmp_path)]) == 1
    assert "match 999" in capsys.readouterr().out


async def test_points_of_both_seats_are_stored_rated_and_verified(store: Store) -> None:
    """Seat 0 always says its card, and seat 1 always guesses 1."""
    one, other = await versions(store, "marion", "tinsley")
    control = TimeControl.parse("10+0.1")
    new = NewMatch(
        game="guessing", time_class="bullet", time_control=str(control), rated=True, seed=1, start=None, opening=(),
        players=(one.id, other.id),
    )  # fmt: skip
    sums = [0.0, 0.0]
    for seed in range(1, 5):
        match = Match(GUESSING, seed=seed, time_control=control)
        number = await store.matches.start(replace(new, seed=seed))
        while match.ending is None and not (seed == 4 and match.ply > 3):
            for seat, choice in ((1, "1"), (0, "high")):
                match.play(seat, choice, 50 + seat, free=10)
        if match.ending is None:
            match.play(1, "2", 70)
            match.flag(0)
        end = match.ending
        assert end is not None
        assert end.points is not None
        events = list(enumerate(map(encode_event, match.events)))
        await store.matches.finish(
            number, result=end.result, termination=end.termination, plies=match.ply, points=end.points, events=events
        )
        stored = await store.matches.get(number)
        assert stored is not None
        assert (stored.row.ending, stored.row.points) == (end, end.points)
        assert list(check_play(stored, GUESSING)) == []
        assert as_record(stored).points == end.points
        for points in (None, (end.points[0] + 1, end.points[1])):
            row = replace(stored.row, points=points)
            assert [finding.check for finding in check_play(stored._replace(row=row), GUESSING)]
            changed = encode_event(Ended(Ending(end.result, end.termination, points=points)))
            told = [*stored.events[:-1], stored.events[-1]._replace(body=changed)]
            assert [finding.check for finding in check_play(StoredMatch(row, told), GUESSING)]
        quick = [event._replace(body=event.body.replace(b'"elapsed":50', b'"elapsed":30')) for event in stored.events]
        assert [finding.check for finding in check_play(StoredMatch(stored.row, quick), GUESSING)]
        sums = [sum(pair) for pair in zip(sums, end.points, strict=True)]
    found = [await store.ratings.get(version.id, "guessing", "bullet") for version in (one, other)]
    assert [row.payoff_sum for row in found] == sums
    assert sums[0] + sums[1] != 0
    records = await store.audit(lambda audit: list(audit.versions()))
    assert [finding for record in records for finding in check_version(record)] == []
