# SPDX-License-Identifier: GPL-3.0-or-later
"""What migrations make of the data of older arenas."""

import json
import warnings
from typing import Any

import msgspec
from sqlalchemy import MetaData, insert, text

from arena.store import Store
from arena.store.database.engines import make_engines
from arena.store.database.migrating import migrate
from arena.tournaments.machine.config import Config, Entry
from arena.tournaments.machine.formats.fixed_pairings import FixedPairings
from arena.tournaments.machine.formats.ladder import Ladder
from arena.tournaments.machine.formats.round_robin import RoundRobin
from engine.match.ending import Ending, Termination
from engine.match.events import Ended, decode_event
from tests.arena.store.older import older


async def test_live_matches_of_before_keep_back_what_their_tournaments_hide(database_url: str) -> None:
    """The step finds by the descriptions of tournaments which of their live matches hide who plays."""
    engines = make_engines(database_url)
    with older(engines, "0006") as connection:
        old = MetaData()
        old.reflect(connection, only=("tournament", "match"))
        cup = {"game": "nim", "status": "running", "length": 0, "created": 1.0}
        named = encode_tournament("anonymous", anonymous=True), encode_tournament('"anonymous":true', anonymous=False)
        connection.execute(insert(old.tables["tournament"]), [{**cup, "name": "", "config": each} for each in named])
        row = {"game": "nim", "time_class": "blitz", "rated": False, "seed": 5, "opening": "[]", "kind": "tournament"}
        row |= {"started": 1.0, "detail": "", "pruned": False}
        for tournament, status in ((1, "live"), (1, "finished"), (2, "live"), (None, "live")):
            result = "1-0" if status == "finished" else None
            values = row | {"tournament": tournament, "status": status, "result": result}
            connection.execute(insert(old.tables["match"]), values)
    migrate(engines)
    with engines.reading.connect() as connection:
        query = text('SELECT anonymous, info_release, dice_secret FROM "match" ORDER BY id')
        found = [(bool(anonymous), release, secret) for anonymous, release, secret in connection.execute(query)]
    engines.dispose()
    assert found == [
        (True, "end", None),
        (False, "delayed", None),
        (False, "end", None),
        (False, "delayed", None),
    ]


def encode_tournament(name: str, *, anonymous: bool) -> str:
    """Return the description of a tournament as the store keeps it."""
    entries = (Entry("one"), Entry("other"))
    config = Config(name=name, game="nim", format=RoundRobin(), entries=entries, anonymous=anonymous)
    return msgspec.json.encode(config).decode()


OLD = """
INSERT INTO bot (id, name, kind, owner, description, created) VALUES
    (1, 'marion', 'own', '', '', 1), (2, 'tinsley', 'own', '', '', 1);
INSERT INTO version (id, bot_id, label, created) VALUES (1, 1, '1', 1), (2, 2, '1', 1);
INSERT INTO match (id, game, time_class, rated, seed, opening, kind, status, started, finished, result, termination,
    detail, plies, pruned) VALUES
    (1, 'nim', 'bullet', true, 1, '[]', 'ladder', 'finished', 1, 2, '1-0', 'crash', '', 3, false),
    (2, 'nim', 'bullet', true, 1, '[]', 'ladder', 'finished', 2, 3, '0-1', 'disconnect', '', 3, false),
    (3, 'nim', 'bullet', true, 1, '[]', 'ladder', 'finished', 3, 4, '0-1', 'decided', '', 3, false),
    (4, 'nim', 'bullet', false, 1, '[]', 'ladder', 'finished', 4, 5, '1-0', 'crash', '', 3, false);
INSERT INTO player (match_id, seat, bot_id, version_id, live, rating_before, rating_after) VALUES
    (1, 0, 1, 1, false, 1500, 1520), (1, 1, 2, 2, false, 1500, 1480),
    (2, 0, 2, 2, false, 1480, 1460), (2, 1, 1, 1, false, 1520, 1540),
    (3, 0, 1, 1, false, 1540, 1515), (3, 1, 2, 2, false, 1460, 1485),
    (4, 0, 1, 1, false, 1515, NULL), (4, 1, 2, 2, false, 1485, NULL);
INSERT INTO rating (version_id, game, time_class, rating, games, wins, draws, losses, last_change, last_played) VALUES
    (1, 'nim', 'bullet', 1515, 3, 2, 0, 1, -25, 4), (2, 'nim', 'bullet', 1485, 3, 1, 0, 2, 25, 4);
"""


async def test_ratings_of_older_arenas_start_at_1500_and_their_games_are_counted_by_kind(database_url: str) -> None:
    engines = make_engines(database_url)
    with older(engines, "0005") as connection:
        for statement in filter(str.strip, OLD.split(";")):
            connection.execute(text(statement))
        connection.execute(text("UPDATE bot SET owner = CASE id WHEN 1 THEN 'Ann' ELSE ' ann' END"))
    engines.dispose()
    async with await Store.open(database_url) as store:
        found = [await store.ratings.get(version, "nim", "bullet") for version in (1, 2)]
        matches = [await store.matches.row(number) for number in (1, 4)]
    assert [(row.initial, row.wins_by_failure, row.own_games) for row in found] == [(1500.0, 2, 3), (1500.0, 0, 3)]
    # each win counted one point until then
    assert [(row.payoff_sum, row.payoff_squares) for row in found] == [(1.0, 3.0), (-1.0, 3.0)]
    assert [row and (row.payoff, row.payoffs, row.mirrored_dice) for row in matches] == [(1.0, (1.0, -1.0), False)] * 2


HOUSE = """
INSERT INTO bot (id, name, kind, owner, description, created) VALUES
    (1, 'play', 'house', '', '', 1), (2, 'marion', 'own', 'house, club', '', 1),
    (3, 'member', 'own', 'population house, checkers/lecture', '', 1), (4, 'other', 'own', 'population house', '', 1);
INSERT INTO version (id, bot_id, label, created) VALUES (1, 1, '1', 1);
INSERT INTO population (id, name, game, config, length, created) VALUES
    (1, 'house, checkers/lecture', 'checkers', '{"name"\\:"house, checkers/lecture","size"\\:20}', 0, 1),
    (2, 'House', 'nim', '{"name"\\:"House","size"\\:20}', 0, 1);
"""


async def test_house_bots_and_populations_of_older_databases_are_renamed_to_built_in(database_url: str) -> None:
    engines = make_engines(database_url)
    with older(engines, "0008") as connection:
        for statement in filter(str.strip, HOUSE.split(";")):
            connection.execute(text(statement))
    engines.dispose()
    async with await Store.open(database_url) as store:
        bots = [await store.bots.get(number) for number in (1, 2, 3, 4)]
        again = await store.bots.admit_built_in("play", "hash of a new token")
    engines = make_engines(database_url)
    with engines.reading.connect() as connection:
        found = connection.execute(text("SELECT name, config FROM population ORDER BY id")).all()
    engines.dispose()
    assert [bot and (bot.kind, bot.owner) for bot in bots] == [
        ("built-in", ""),
        ("own", "house, club"),
        ("own", "population built-in, checkers/lecture"),
        ("own", "population house"),
    ]
    assert again is not None
    assert again.id == 1
    assert [tuple(row) for row in found] == [
        ("built-in, checkers/lecture", '{"name":"built-in, checkers/lecture","size":20}'),
        ("House", '{"name":"House","size":20}'),
    ]


async def test_stored_genomes_get_the_names_of_version_4(database_url: str) -> None:
    """The step changes genomes in reports, verifications and records of versions, and nothing else."""
    old = {
        "version": 3,
        "kind": "steered",
        "schema": "chess/evochess",
        "program": ["horizon"],
        "habits": {"hope": 0.5, "few": 3.0, "null": 1.0},
        "weights": {"pawn": 99.5},
        "lineage": {"refined": [{"what": "habits"}]},
    }
    shown = {"name": "few", "value": 3.0, "low": 1.0, "high": 9.0, "standard": 9.0}
    new = {name: each for name, each in old.items() if name != "habits"}
    new |= {
        "version": 4,
        "lineage": {"refined": [{"what": "search"}]},
        "search": {"futility base": 0.5, "late move count": 3.0, "null": 1.0},
    }
    engines = make_engines(database_url)
    with older(engines, "0010") as connection:
        tables = MetaData()
        tables.reflect(connection, only=("deme", "exam"))
        deme = {"created": 1.0, "joined": "", "sequence": 1, "reports": 1, "repeated": 0, "refusals": "{}", "why": ""}
        reports = {"anna": json.dumps({"best": {"genome": old}, "mean": 0.25}), "bert": '{"best":{"few":1}}'}
        for name, report in reports.items():
            connection.execute(insert(tables.tables["deme"]), deme | {"name": name, "report": report, "pardons": 0})
        exam = {"deme_id": 1, "game": "chess", "digest": "d", "verdict": "confirmed", "created": 1.0}
        body = json.dumps({"genome": old, "genes": [shown], "title": "habits"})
        connection.execute(insert(tables.tables["exam"]), exam | {"body": body})
    migrate(engines)
    with engines.reading.connect() as connection:
        told = [json.loads(report) for (report,) in connection.execute(text("SELECT report FROM deme ORDER BY id"))]
        (tried,) = [json.loads(body) for (body,) in connection.execute(text("SELECT body FROM exam"))]
    engines.dispose()
    assert told == [{"best": {"genome": new}, "mean": 0.25}, {"best": {"few": 1}}]
    assert tried == {"genome": new, "genes": [shown | {"name": "late move count"}], "title": "habits"}


async def test_terminations_and_expected_answers_of_before_have_their_new_names(database_url: str) -> None:
    engines = make_engines(database_url)
    ended = '{"type":"ended","ending":{"result":"1/2-1/2","termination":"quiet plies","detail":"quiet plies"}}'
    moved = '{"type":"moved","ply":1,"seat":0,"move":"\\"belief\\":","info":{"expected":[{"move":"a","belief":0.5}]}}'
    with older(engines, "0011") as connection:
        old = MetaData()
        old.reflect(connection, only=("match", "event"))
        row = {"game": "checkers", "time_class": "blitz", "rated": False, "seed": 5, "opening": "[]", "kind": "direct"}
        row |= {"started": 1.0, "finished": 2.0, "detail": "", "pruned": False, "anonymous": False}
        row |= {"status": "finished", "result": "1/2-1/2", "info_release": "delayed"}
        for termination in ("quiet plies", "repetition"):
            connection.execute(insert(old.tables["match"]), row | {"termination": termination})
        events = [{"match_id": match, "number": number} for match in (1, 2) for number in (0, 1)]
        connection.execute(
            insert(old.tables["event"]), [each | {"body": (moved, ended)[each["number"]]} for each in events]
        )
    migrate(engines)
    with engines.reading.connect() as connection:
        terminations = connection.scalars(text('SELECT termination FROM "match" ORDER BY id')).all()
        bodies = connection.scalars(text("SELECT body FROM event ORDER BY match_id, number")).all()
    engines.dispose()
    assert terminations == ["no-progress rule", "repetition"]
    assert bodies[0] == bodies[2] == moved.replace('"belief":0.5', '"probability":0.5')
    assert bodies[1] == ended.replace('"termination":"quiet plies"', '"termination":"no-progress rule"')
    assert bodies[3] == ended, "only events of matches with this termination are changed"
    assert decode_event(bodies[3]) == Ended(Ending("1/2-1/2", Termination.NO_PROGRESS, "quiet plies"))


async def test_formats_of_tournaments_have_their_new_names(database_url: str) -> None:
    engines = make_engines(database_url)
    entries = [{"name": name} for name in ("anna", "bert", '"wrong":')]
    ladder = {"kind": "ladder", "wrong": 0.05, "meetings": 12}
    of_pairs = {"kind": "meetings", "pairs": [[0, 1]]}
    formats = ladder, of_pairs, {"kind": "round-robin"}
    with older(engines, "0026") as connection:
        old = MetaData()
        old.reflect(connection, only=("tournament",))
        for each in formats:
            body = {"name": '"kind":"meetings"', "game": "nim", "entries": entries, "format": each}
            row = {"name": "cup", "game": "nim", "status": "created", "length": 0, "created": 1.0}
            text_of = json.dumps(body, separators=(",", ":"))
            connection.execute(insert(old.tables["tournament"]), row | {"config": text_of})
    migrate(engines)
    with engines.reading.connect() as connection:
        bodies = connection.scalars(text("SELECT config FROM tournament ORDER BY id")).all()
    engines.dispose()
    found = [msgspec.json.decode(body, type=Config) for body in bodies]
    assert [each.format for each in found] == [Ladder(0.05, 12), FixedPairings(((0, 1),)), RoundRobin()]
    assert all(each.name == '"kind":"meetings"' and each.entries[2].name == '"wrong":' for each in found)


DELETED_ACCOUNTS = """
INSERT INTO account (id, name, skeleton, role, email, created, deleted) VALUES
    (1, 'deleted account 1', 'deleted account 1', 'owner', '', 1, 2),
    (2, 'deleted account 2', 'deleted account 2', 'owner', '', 1, 2);
INSERT INTO bot (id, name, kind, owner, description, created) VALUES
    (1, 'one', 'own', 'deleted account', '', 1), (2, 'two', 'own', 'deleted account', '', 1),
    (3, 'three', 'own', 'marion', '', 1), (4, 'four', 'own', 'deleted account', '', 1);
INSERT INTO owned_bot (bot_id, account_id) VALUES (1, 2), (2, 1);
"""


async def test_bots_of_two_deleted_accounts_get_two_owners(database_url: str) -> None:
    engines = make_engines(database_url)
    with older(engines, "0020") as connection:
        for statement in filter(str.strip, DELETED_ACCOUNTS.split(";")):
            connection.execute(text(statement))
    migrate(engines)
    with engines.reading.connect() as connection:
        found = connection.scalars(text("SELECT owner FROM bot ORDER BY id")).all()
    engines.dispose()
    assert found == ["deleted account 2", "deleted account 1", "marion", "deleted account"]


TWICE_LIVE = """
INSERT INTO tournament (id, name, game, config, status, length, created) VALUES
    (1, 'Cup', 'nim', '{}', 'running', 0, 1), (2, 'Cap', 'nim', '{}', 'running', 0, 1);
INSERT INTO bot (id, name, kind, owner, description, created) VALUES
    (1, 'one', 'own', '', '', 1), (2, 'two', 'own', '', '', 1);
INSERT INTO version (id, bot_id, label, created) VALUES (1, 1, '1', 1), (2, 2, '1', 1);
"""
MATCHES: list[tuple[int | None, str | None, str]] = [
    (1, "1.1.1", "live"),
    (1, "1.1.2", "live"),
    (1, "1.1.1", "live"),
    (2, "1.1.1", "live"),
    (1, "1.1.1", "finished"),
    (1, "1.1.1", "live"),
    (None, None, "live"),
    (None, None, "live"),
]
"""Tournament, game and status of the matches 1, 2, ..."""


async def test_of_two_live_matches_of_a_game_the_older_stays(database_url: str) -> None:
    engines = make_engines(database_url)
    with older(engines, "0031") as connection:
        for statement in filter(str.strip, TWICE_LIVE.split(";")):
            connection.execute(text(statement))
        old = MetaData()
        with warnings.catch_warnings():
            # SQLAlchemy cannot read an index over an expression back from SQLite, and says so.
            warnings.filterwarnings("ignore", message="Skipped unsupported reflection of expression-based index")
            old.reflect(connection, only=("match", "player", "event"))
        for number, (tournament, place, status) in enumerate(MATCHES, 1):
            row: dict[str, Any] = {"id": number, "game": "nim", "time_class": "bullet", "rated": True, "seed": number}
            row |= {"opening": '["1"]', "kind": "tournament", "status": status, "started": 1.0, "detail": ""}
            row |= {"pruned": False, "anonymous": False, "info_release": "delayed", "payoff": 1.0}
            row |= {"mirrored_dice": False, "sealed": False, "epoch": 0, "tournament": tournament, "round": place}
            row |= {"result": "1-0", "termination": "decided"} if status == "finished" else {}
            connection.execute(insert(old.tables["match"]), row)
            for seat in (0, 1):
                player: dict[str, Any] = {"match_id": number, "seat": seat, "bot_id": seat + 1, "version_id": seat + 1}
                player |= {"live": status == "live", "rating_before": 1500.0}
                connection.execute(insert(old.tables["player"]), player)
            bodies = ['{"type":"moved","ply":2,"seat":0,"move":"1"}', '{"type":"offered","seat":1}']
            events = [{"match_id": number, "number": place, "body": body} for place, body in enumerate(bodies)]
            connection.execute(insert(old.tables["event"]), events)
    migrate(engines)
    engines.dispose()
    async with await Store.open(database_url) as store:
        live = await store.matches.unfinished()
        ended = await store.matches.rows([3, 6])
        audited = await store.audit(lambda audit: list(audit.orphans()))
    assert [stored.row.id for stored in live] == [1, 2, 4, 7, 8]
    why = "the same game of the tournament was live in match 1, which began earlier"
    assert [(row.result, row.termination, row.detail, row.plies) for row in ended] == [("*", "void", why, 2)] * 2
    assert all(row.finished is not None for row in ended)
    assert audited == []
