# SPDX-License-Identifier: GPL-3.0-or-later
"""Trials: select the next claim to verify, and apply the verdict to the island."""

import time

import msgspec

from arena.features.volunteers.checking import Unacceptable
from arena.features.volunteers.island import Island, Proven, Trial, pack_traces
from arena.features.volunteers.islands import Islands
from arena.features.volunteers.records import IslandRecords
from arena.protocol.island_messages import Judged, Task, Tried
from arena.rating.claims import likelihood, verdict

LEAST_GAMES = 8
"""Of a claim that is tried."""
LEASE = 600.0
"""Seconds after which a trial without an answer is assigned again."""
DOUBT = 60.0
"""Seconds before the next claim of an island whose last claim was refuted; doubles with each further one."""
LONGEST_DOUBT = 3600.0


REFUTED = (
    "the island claimed a score of {0} for its best genome in {1} games against an opponent of depth {2}; the arena "
    "measured {3} in {4} games"
)
"""Why an island is quarantined, for people; pages translate it."""


class NoTask(Exception):
    """No verifier was assigned that trial."""


class Trials:
    """The claims of an arena's islands, and their verification."""

    def __init__(self, islands: Islands, records: IslandRecords) -> None:
        self._islands = islands
        self._records = records
        self._turn = 0

    def waits(self, island: Island) -> bool:
        """Return whether an island's claim awaits verification."""
        report = island.report
        return (
            report is not None
            and island.best is not None
            and island.quarantined is None
            and self._islands.live(island)
            and report.best.games >= LEAST_GAMES
            and island.verified != (island.best.digest, report.level)
        )

    async def task(self) -> Task | None:
        """Return the claim that is to be tried next: in turn the highest, and the one that has waited longest."""
        islands = await self._islands.all()
        now = time.monotonic()
        ranked = (self._islands.ranked(terms.game) for terms in self._islands.terms)
        held = {(one.digest, one.trial.level) for ones in ranked for one in ones}
        waiting = [
            island
            for island in islands.values()
            if self.waits(island) and self._is_due(island, now) and _claim(island) not in held
        ]
        if not waiting:
            return None
        self._turn += 1
        if self._turn % 2:
            island = max(waiting, key=lambda one: (one.strength or (0, 0.0), -one.tried_at))
        else:
            island = min(waiting, key=lambda one: one.tried_at)
        report, best = island.report, island.best
        assert report is not None
        assert best is not None
        terms = self._islands.terms_for(island.game or "")
        island.leased = now
        island.task = Task(
            island=island.id,
            digest=best.digest,
            game=terms.game,
            level=report.level,
            nodes=terms.nodes,
            plies=terms.plies,
            members=report.members,
            games=report.best.games,
            points=report.best.points,
            genome=best.genome,
        )
        return island.task

    @staticmethod
    def _is_due(island: Island, now: float) -> bool:
        if island.task is not None and now - island.leased < LEASE:
            return False
        wait = min(DOUBT * 2 ** (island.doubts - 1), LONGEST_DOUBT) if island.doubts else 0.0
        return now - island.tried_at >= wait

    async def tried(self, number: int, tried: Tried) -> Judged:
        """Judge a claim by the arena's own games. Raises NoTask, Unacceptable, UnknownIsland and StoreError."""
        island = await self._islands.get(number)
        task = island.task
        if task is None or (task.digest, task.level) != (tried.digest, tried.level):
            raise NoTask(f"this claim of island {number} is not under verification")
        games = 2 * tried.pairs
        if tried.points > games:
            raise Unacceptable("statistics", f"{tried.points:g} points in {games} games are not possible")
        claimed = min(1.0, task.points / task.games)
        chance = likelihood(claimed, task.games // 2, tried.points / games, tried.pairs, members=task.members)
        found = verdict(chance)
        trial = self._trial(task, tried, chance)
        why = ""
        if found == "refuted":
            scored = f"{tried.points / games:.3f}"
            why = REFUTED.format(f"{claimed:.3f}", task.games, task.level, scored, games)
        kept, now = msgspec.structs.replace(trial, search_traces=pack_traces(tried.search_traces)), time.time()
        body, before = msgspec.json.encode(kept), None
        if found == "confirmed" and island.proven is not None:
            before = island.proven.verification, msgspec.json.encode(island.proven.trial)
        verification = await self._records.add_verification(
            island.id, task.game, task.digest, found, body, at=now, quarantined=why, before=before
        )
        island.task = None
        island.verified, island.tried_at = (task.digest, task.level), time.monotonic()
        island.doubts = island.doubts + 1 if found == "doubtful" else 0
        if found == "confirmed":
            self._islands.prove(island, Proven(verification, island.id, task.digest, trial), task.game)
        elif why:
            self._islands.quarantine(island, now, why)
        return Judged(verification, found, chance)

    def _trial(self, task: Task, tried: Tried, chance: float) -> Trial:
        """Return the result of a verification; the genome's search on positions is stored separately."""
        genomes = self._islands.genomes
        return Trial(
            level=task.level,
            members=task.members,
            claimed_games=task.games,
            claimed_points=task.points,
            games=2 * tried.pairs,
            points=tried.points,
            likelihood=chance,
            moves=tried.moves,
            nodes=tried.nodes,
            rival_moves=tried.rival_moves,
            rival_nodes=tried.rival_nodes,
            formula=genomes.read(msgspec.json.encode(task.genome)).formula,
            genome=task.genome,
        )


def _claim(island: Island) -> tuple[str, int]:
    assert island.best is not None
    assert island.report is not None
    return island.best.digest, island.report.level
