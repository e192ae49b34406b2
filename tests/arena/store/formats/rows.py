# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of all tables, as the newest schema has them: real matches, ratings that follow from them, and records of all
features.
"""

import hashlib
import json
import random
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import msgspec

from arena.features.populations.reports import GenerationReport, GeneSpec, MemberReport, PopulationSpec
from arena.rating import elo
from arena.tournaments.machine.config import Config, Entry
from arena.tournaments.machine.formats.round_robin import RoundRobin
from engine.game import CHANCE
from engine.games import find
from engine.match.ending import FORFEITS, SCORES, Termination
from engine.match.events import Expected, Info, encode_event
from engine.match.machine import Match
from engine.time_control import TimeControl

Rows = dict[str, list[dict[str, Any]]]
"""Rows by the name of their table."""

START = 1_767_225_600.0
"""Unix time of the first row."""
CONTROL = "60+0.5"
DICE_SECRET = "000102030405060708090a0b0c0d0e0f"
OWN = "ann"
"""The owner of two bots that play each other."""
DELETED = "deleted account 2"

GENOME = {
    "version": 4,
    "kind": "steered",
    "schema": "checkers/lecture",
    "program": ["horizon"],
    "search": {"futility base": 0.5, "late move count": 3.0, "null": 1.0},
    "weights": {"man": 99.5},
    "lineage": {"refined": [{"what": "search"}]},
}
GENE = {"name": "late move count", "value": 3.0, "low": 1.0, "high": 9.0, "standard": 9.0}
VIEW = {"title": "a view", "genes": [GENE], "search_traces": [{"position": "W:W21:B9", "nodes": 7}]}


def encoded(value: Any) -> str:
    """Return JSON as the arena writes it."""
    return msgspec.json.encode(value).decode()


class Company:
    """Bots and their matches."""

    def __init__(self) -> None:
        self.rows: Rows = defaultdict(list)
        self._ratings: dict[tuple[int, str], dict[str, Any]] = {}
        self._now = START

    def later(self) -> float:
        """Return the time a minute after the last."""
        self._now += 60.0
        return self._now

    def bot(self, name: str, owner: str = "", kind: str = "own", *, removed: bool = False) -> None:
        """Register a bot with a version, which have the same number."""
        number, now = len(self.rows["bot"]) + 1, self.later()
        row = {"id": number, "name": name, "kind": kind, "owner": owner, "description": f"{name} – plays"}
        row |= {"token_hash": None if removed else f"{number:064x}", "created": now}
        self.rows["bot"].append(row | {"removed": now + 1 if removed else None})
        self.rows["version"].append({"id": number, "bot_id": number, "label": "1", "created": now})

    def play(
        self, game: str, first: int, second: int, course: Callable[[Match], None], *, rated: bool = True, **more: Any
    ) -> int:
        """Play a match between two bots and return its number; ``course`` plays it, to the end or not."""
        number, started = len(self.rows["match"]) + 1, self.later()
        secret = more.get("dice_secret")
        seed = 2**62 + number
        match = Match(
            find(game),
            start=more.get("start"),
            time_control=TimeControl.parse(CONTROL),
            seed=seed if secret is None else int(secret, 16),
        )
        course(match)
        ending = match.ending
        row = {
            "id": number,
            "game": game,
            "time_class": "bullet",
            "time_control": CONTROL,
            "rated": rated,
            "seed": seed,
        }
        row |= {"start": None, "opening": encoded(match.opening), "pair": None, "kind": "ladder", "status": "live"}
        row |= {"started": started, "finished": None, "result": None, "termination": None, "detail": "", "plies": None}
        row |= {"pruned": False, "tournament": None, "round": None, "adjudication": None, "dice_secret": None}
        row |= {"conditions": None, "anonymous": False, "info_release": "delayed", "payoff": 1.0}
        row |= {"mirrored_dice": False, "points_first": None, "points_second": None}
        if ending is not None:
            row |= {"status": "finished", "finished": self.later(), "result": ending.result, "plies": match.ply}
            row |= {"termination": str(ending.termination), "detail": ending.detail, "payoff": ending.payoff}
        self.rows["match"].append(row | more)
        for index, event in enumerate(match.events):
            self.rows["event"].append({"match_id": number, "number": index, "body": encode_event(event).decode()})
        self._rate(number, game, (first, second), match, rated)
        return number

    def _rate(self, number: int, game: str, bots: tuple[int, int], match: Match, rated: bool) -> None:
        result = "" if match.ending is None else match.ending.result
        before = [self._rating(bot, game) for bot in bots]
        after: list[float | None] = [None, None]
        if rated and result in SCORES:
            scores = SCORES[result]
            one, other = (elo.EloRating(each["rating"], each["games"]) for each in before)
            after = list(elo.rate(one, other, scores[0]))
        for seat, bot in enumerate(bots):
            row = {"match_id": number, "seat": seat, "bot_id": bot, "version_id": bot, "live": match.ending is None}
            self.rows["player"].append(row | {"rating_before": before[seat]["rating"], "rating_after": after[seat]})
        owners = [self.rows["bot"][bot - 1]["owner"] for bot in bots]
        for seat, bot in enumerate(bots):
            new = after[seat]
            if new is None:
                continue
            assert match.ending is not None
            score, rating = SCORES[result][seat], self._rating(bot, game)
            rating |= {"last_change": new - rating["rating"], "rating": new, "last_played": self._now}
            rating["games"] += 1
            rating[{1.0: "wins", 0.5: "draws", 0.0: "losses"}[score]] += 1
            rating["wins_by_failure"] += int(score == 1 and match.ending.termination in FORFEITS)
            rating["own_games"] += int(owners[0] == owners[1] != "")
            assert match.ending.payoffs is not None
            rating["payoff_sum"] += match.ending.payoffs[seat]
            rating["payoff_squares"] += match.ending.payoffs[seat] ** 2
            self._ratings[bot, game] = rating

    def _rating(self, bot: int, game: str) -> dict[str, Any]:
        empty = {"version_id": bot, "game": game, "time_class": "bullet", "rating": elo.INITIAL, "games": 0, "wins": 0}
        empty |= {"draws": 0, "losses": 0, "last_change": 0.0, "last_played": None, "initial": elo.INITIAL}
        empty |= {"payoff_sum": 0.0, "payoff_squares": 0.0}
        return dict(self._ratings.get((bot, game), empty | {"wins_by_failure": 0, "own_games": 0}))

    def done(self) -> Rows:
        """Return all rows."""
        self.rows["rating"] = [self._ratings[key] for key in sorted(self._ratings)]
        return dict(self.rows)


def moves(seed: int, plies: int = 10_000) -> Callable[[Match], None]:
    """Return a course of random moves with search info."""

    def play(match: Match) -> None:
        chance = random.Random(seed)
        while match.ending is None and match.ply < plies:
            assert match.to_move is not None
            assert match.to_move != CHANCE
            legal = match.legal
            expected = (Expected(legal[0], 0.5),) if match.ply < 3 else ()
            info = Info(depth=3, nodes=1000, expected=expected) if match.ply < 6 else None
            match.play(match.to_move, chance.choice(legal), 40, info)

    return play


def then(course: Callable[[Match], None], end: Callable[[Match], object]) -> Callable[[Match], None]:
    """Return a course with another end."""

    def play(match: Match) -> None:
        course(match)
        end(match)

    return play


def all_rows() -> Rows:
    """Return the rows, the same each time."""
    company = Company()
    company.bot("marion", OWN)
    company.bot("tinsley", "Bob")
    company.bot("play", kind="built-in")
    company.bot("sister", OWN)
    company.bot("member", "population built-in, checkers/lecture")
    company.bot("ghost", DELETED, removed=True)
    company.bot("guest", kind="person")
    company.play("nim", 1, 2, moves(1))
    company.play("nim", 2, 1, moves(2))
    company.play("tictactoe", 1, 4, moves(3))
    company.play("tictactoe", 4, 1, moves(4), pair=3)
    company.play("nim", 3, 1, then(moves(5, 1), lambda match: match.forfeit(0, Termination.CRASH, "exit code 1")))
    company.play("nim", 6, 2, then(moves(6, 1), lambda match: match.forfeit(1, Termination.DISCONNECT)))
    company.play("checkers", 5, 3, moves(10), start="W:WK29,K25:BK4")  # it ends by the no-progress rule
    company.play("einstein", 1, 3, moves(8))
    company.play("nim", 1, 3, then(moves(9, 1), lambda match: match.void("the server stopped")))
    company.play("checkers", 2, 1, then(moves(10, 6), lambda match: match.resign(1)), kind="tournament", **CUP)
    company.play("checkers", 1, 3, moves(11, 12))  # still live
    company.play("tictactoe", 7, 1, moves(12), rated=False, kind="direct")
    company.play("einstein", 2, 3, moves(13), rated=False, dice_secret=DICE_SECRET)
    rows = company.done()
    _add_tournament(rows)
    _add_evolution(rows)
    _add_accounts(rows)
    return rows


CUP: dict[str, Any] = {"tournament": 1, "round": "1.1", "info_release": "end"}


def _add_tournament(rows: Rows) -> None:
    entries = (Entry("tinsley"), Entry("marion"))
    config = Config(name="cup", game="checkers", format=RoundRobin(), entries=entries)
    row = {"id": 1, "name": "cup", "game": "checkers", "config": encoded(config), "status": "running", "length": 1}
    rows["tournament"] = [row | {"created": START, "ended": None}]
    rows["tournament_event"] = [{"tournament_id": 1, "number": 0, "body": '{"type":"withdrew","entry":1}'}]
    server = {"id": 1, "epoch": 3, "version": "0.1.0", "host": "old", "pid": 77, "inode": "5", "claimed": START}
    rows["server"] = [server | {"released": START + 9000, "probed": START + 8000}]
    entry = {"id": 1, "time": START, "account": "root", "origin": "command line on old", "action": "arena bots add"}
    rows["audit_log"] = [entry | {"details": '{"name":"marion"}'}]


def _add_evolution(rows: Rows) -> None:
    spec = PopulationSpec(
        "built-in, checkers/lecture", "checkers", "lecture", "kendall-whitwell", 1, 2, [GeneSpec("x", 0, 10, 1)]
    )
    members = [MemberReport(number, [float(number)], 0, "random") for number in (1, 2)]
    report = GenerationReport(0, 4, [1.5], [0.5], members, 2)
    row = {"id": 1, "name": spec.name, "game": "checkers", "config": encoded(spec), "length": 1, "created": START}
    rows["population"] = [row]
    rows["generation"] = [{"population_id": 1, "number": 0, "body": encoded(report), "created": START}]
    rows["genome"] = [{"version_id": 5, "game": "checkers", "body": encoded({"genome": GENOME, "view": VIEW})}]
    body = '{"games":3,"moves":[1,2]}'
    rows["portrait"] = [{"bot_id": 2, "game": "checkers", "author_id": 3, "body": body, "updated": START}]
    island = {"created": START, "game": "chess", "joined": "{}", "sequence": 1, "reports": 1, "repeated": 0}
    island |= {"seen": START, "refusals": "{}", "quarantined": None, "why": "", "pardons": 0}
    report_of_island = json.dumps({"best": {"genome": GENOME}, "mean": 0.25}, separators=(",", ":"))
    rows["deme"] = [
        island | {"id": number, "name": name, "token_hash": name * 9, "report": report_of_island}
        for number, name in ((1, "anna"), (2, "bert"))
    ]
    rows["deme_point"] = [{"deme_id": 1, "generation": 4, "body": '{"mean":0.25}'}]
    exam = {"id": 1, "deme_id": 1, "game": "chess", "digest": "d", "verdict": "confirmed", "created": START}
    rows["exam"] = [exam | {"body": encoded({"genome": GENOME, **VIEW})}]
    mating = {"id": 1, "exam_id": 1, "giver_id": 1, "taker_id": 2, "game": "chess", "offered": START}
    rows["mating"] = [mating | {"arrived": None}]


def _add_accounts(rows: Rows) -> None:
    account = {"email": "", "email_confirmed": None, "created": START, "disabled": None, "deleted": None}
    rows["account"] = [
        account | {"id": 1, "name": "ann", "skeleton": "ann", "role": "organiser", "password_hash": None},
        account | {"id": 2, "name": DELETED, "skeleton": DELETED, "role": "owner", "password_hash": "$argon2id$x"},
    ]
    rows["account"][1] |= {"deleted": START + 5}
    token = {"id": 1, "account_id": 1, "label": "operator", "token_hash": "hash of ann", "scopes": "organise"}
    rows["account_token"] = [token | {"created": START, "last_used": None, "revoked": None}]
    session = {"id": 1, "account_id": 1, "secret_hash": "s" * 64, "created": START, "last_seen": START}
    rows["account_session"] = [session | {"address": "192.0.2.1", "agent": "Browser \u2013 “1”"}]
    code = {"id": 1, "code_hash": "c" * 64, "kind": "invitation", "account_id": 1, "role": "owner", "created": START}
    rows["account_code"] = [code | {"expires": START + 60, "used": None, "email": None}]
    rows["owned_bot"] = [{"bot_id": 1, "account_id": 1}, {"bot_id": 6, "account_id": 2}]
    upload = {"id": 1, "bot_id": 1, "number": 1, "account_id": 1, "digest": "ab" * 32, "language": "python"}
    upload |= {"file": "bot.py", "entry": "bot.py", "games": '["nim"]', "label": "1", "size": 90, "stored": 180}
    upload |= {"state": "accepted", "reason": "", "log": "all games played", "created": START, "queued": START}
    rows["upload"] = [upload | {"attempts": 1}]
    body = b"print('a bot')\n\x00\xff"
    key = {"digest": hashlib.sha256(body).hexdigest(), "language": "python"}
    rows["upload_file"] = [key | {"size": len(body), "created": START}]
    rows["upload_part"] = [key | {"number": 0, "body": body[:9]}, key | {"number": 1, "body": body[9:]}]
    rows["error_output"] = [{"upload_id": 1, "match_id": 1, "text": "Traceback", "created": START}]
    quarantine = {"id": 1, "bot_id": 3, "version_id": 3, "reason": "crashes", "matches": "[5]", "began": START}
    rows["quarantine"] = [quarantine | {"lifted": START + 60, "how": "by an administrator"}]
    rows["second_factor"] = [{"account_id": 1, "secret": "JBSWY3DP", "confirmed": START, "last_step": 57_000_000}]
    rows["person"] = [{"bot_id": 7, "account_id": None, "secret_hash": "p" * 64, "seen": START}]
    rating = {"bot_id": 7, "game": "tictactoe", "time_class": "bullet", "rating": 1512.5, "games": 1, "wins": 1}
    rows["person_rating"] = [rating | {"draws": 0, "losses": 0, "last_played": START}]
    rows["person_result"] = [{"match_id": 12, "bot_id": 7, "before": 1500.0, "after": 1512.5}]
    rows["person_consent"] = [{"bot_id": 7, "since": START}]
    rows["feed_identity"] = [{"id": 1, "uuid": "8f1c1f1e-0000-4000-8000-000000000001", "created": START}]
    rows["runner"] = [{"id": 1, "name": "cellar", "token_hash": "hash of cellar", "created": START, "seen": START + 60}]
    hosted = {"id": 1, "runner_id": 1, "bot_id": 1, "version": "0.1.0", "platform": "Linux", "speed": 5e6, "cores": 8}
    rows["hosted_time"] = [hosted | {"began": START, "ended": START + 60}]
    webhook = {"id": 1, "account_id": 1, "url": "https://example.org/hook", "secret": "whsec_AAAA", "events": "match"}
    webhook |= {"bot_id": 1, "tournament": None, "game": None, "created": START, "seen": START, "failures": 0}
    rows["webhook"] = [webhook | {"next_try": 0.0, "disabled": None, "reason": ""}]
    delivery = {"id": 1, "webhook_id": 1, "event": "match", "event_key": "match 1", "body": "{}", "created": START}
    delivery |= {"attempts": 1, "next_try": None, "last_try": START, "status": 200, "problem": ""}
    rows["webhook_delivery"] = [delivery]
    node = {"id": 3, "name": "a", "url": "http://192.0.2.1:8080", "host": "one", "pid": 7, "version": "0.1.0"}
    rows["node"] = [node | {"key": 2**61, "counter": 12, "started": START}]
    rows["leadership"] = [{"id": 1, "node_id": 3, "term": 2}]
    rows["cluster"] = [{"id": 1, "name": "0123456789abcdef"}]
