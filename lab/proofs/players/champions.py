# SPDX-License-Identifier: GPL-3.0-or-later
"""Proofs of the strength of the shipped champions of evolved search in chess."""

import asyncio
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from hypothesis import given, settings

from arena.rating.difference import difference_of, interval
from bots.evolution.evochess import BRED, CHAMPION
from bots.evolution.evochess.contests import Opening, measured_openings
from bots.evolution.evochess.genome import PLAIN, champion, express
from bots.evolution.evochess.player import Player, SearchSettings
from bots.evolution.genome import SCHEMAS
from bots.evolution.refereed import PlayedGame, play
from bots.evolution.rivals import ALPHA_BETA, NEGASCOUT, Rival, default_evaluation
from engine.evaluation import Evaluation
from engine.games import find
from engine.search.margins import NEUTRAL
from engine.search.programs.program import Program, formula
from engine.search.switches import Switch
from lab.proofs.ledger import Ledger
from lab.proofs.players.breeding import PUBLISHED
from tests.engine.search.programs.cases import CONTEXTS, PROGRAMS, agree

CASES = 100_000
GAMES = 400
LEAST_GAMES = 8
"""Where fewer are played, rivals look two plies less deep."""
COUNTED = 100
"""Games by which a rival's nodes are counted, against the champion."""
DEPTH, PLAIN_DEPTH, KENDALL_WHITWELL_DEPTH = 5, 4, 3
"""Of the rivals."""
HUNTING = "f-negascout that mates bare kings"
KENDALL_WHITWELL = "Kendall and Whitwell's weights"
CLAIMS = ((NEGASCOUT, 10), (ALPHA_BETA, 100))
"""The matches of EvoChess's claims: the rival, and the divisor of its nodes that gives the champion's."""
FURTHER = ((HUNTING, 10), (NEGASCOUT, 1), (KENDALL_WHITWELL, 1))
"""More matches of the older champion."""


async def prove_evochess(ledger: Ledger) -> None:
    """Evolved search in chess: programs, and games of the champion

    100,000 random programs with random contexts, drawn by hypothesis, run as byte code and by a plain interpreter,
    twice each with registers that keep their values: every value and every register is the same to the bit.

    Then the shipped champion of chess plays 400 games in colour-swapped pairs against each rival, from openings that no
    game of its evolution used. Its program is that of a hand-written member, except for one branch that evolution
    changed; that member evolved together with others whose programs were random at first. Its search parameters are
    those of the built-in selective search, which games of that search against itself tuned; its weights were fitted to
    games of built-in bots.

    The switches of the rivals were fixed before. f-negascout is fail-soft NegaScout that tries captures of the most
    valuable pieces first, then killers and history; simple alpha-beta does not order moves. Both have a quiescence
    search, the default weights of the champion's evaluation, and no hash table. The champion's search has all that the
    built-in selective search has: a transposition table of 32,768 entries, which keeps values from move to move,
    null-move pruning, late move reductions and other pruning. EvoChess's individuals had none of these, so the same
    figure means less here. One term of its evaluation, for mating a bare king, has no weight in theirs; f-negascout
    also plays with this term at the champion's weight.

    Nodes are all visited positions, including quiescence search, on average over all moves. In no game does the
    champion's average exceed its allowance. Against f-negascout, five plies deep, the champion is allowed a tenth of
    the nodes that f-negascout visits against it, which other games measure before, and then as many; against simple
    alpha-beta, four plies deep, a hundredth. EvoChess's authors report that their program consistently beats
    f-negascout with a tenth of the nodes and equals alpha-beta with a hundredth; the aims here were 60 % and 50 %. The
    evolved weights that Kendall and Whitwell published play three plies deep, with quiescence search; against them the
    champion is allowed as many nodes, and the aim is that it wins. In these games the proof requires only that the
    champion stays within its nodes. The scores are reported with 95 % intervals; none is required.

    Last the champion plays, with as many nodes as it evolved with, against itself without its program (every branch has
    the same depth before reductions), and against itself without its transposition table; only this one thing differs.
    """
    await asyncio.to_thread(_programs, ledger)
    await asyncio.to_thread(_matches, ledger, CHAMPION, (*CLAIMS, *FURTHER))


async def prove_evochess_bred(ledger: Ledger) -> None:
    """Evolved search in chess: games of the champion that was bred from random programs

    The champion `evochess-bred` is the best member of one run of evolution. Its first generation had random programs,
    the neutral search parameters, and the default weights; no member was written by hand, and nothing was changed
    afterwards. All members played f-negascout, five plies deep, with a tenth of the nodes that this rival visits
    against itself. Made by hand are the search with all its techniques, the ranges of its parameters, the words of
    programs, and the terms and default weights of the evaluation.

    It plays 400 games in colour-swapped pairs against each rival, from openings that no game of its evolution used. The
    rivals, the nodes, the aims, and what speaks against such figures are those of the proof `evochess`; in particular
    the champion's transposition table keeps values from move to move, and the rivals have none. Then it plays, with as
    many nodes as it evolved with, against itself without its program (every branch has the same depth before
    reductions), against itself without its transposition table, and against itself with the neutral search parameters;
    only this one thing differs. Last it plays with as many nodes against the champion `evochess`. The scores have 95 %
    intervals; none is required.
    """
    await asyncio.to_thread(_matches, ledger, BRED, CLAIMS)
    await asyncio.to_thread(_comparisons, ledger)


def _programs(ledger: Ledger) -> None:
    cases = ledger.times(CASES, least=100)
    ran = 0

    @settings(max_examples=cases, deadline=None, database=None, derandomize=True)
    @given(PROGRAMS, CONTEXTS)
    def hold(program: Program, context: tuple[float, ...]) -> None:
        nonlocal ran
        agree(program, context)
        ran += 1

    hold()
    ledger.note("programs run as byte code and by the interpreter, with the same values and registers", ran)


@dataclass(frozen=True, slots=True)
class Score:
    """A match: how many pairs brought the first 0, 1/2, 1, 3/2 and 2 points, and the nodes a move of both."""

    pairs: tuple[int, ...]
    nodes: tuple[float, float]
    highest: float
    """The nodes a move of the first in the game where these were most."""

    @property
    def score(self) -> float:
        """What the first scored, of 1."""
        return sum(place * count for place, count in enumerate(self.pairs)) / (4 * sum(self.pairs))

    def __str__(self) -> str:
        elo, low, high = (
            "unbounded" if one is None else f"{one:+.0f}" for one in (difference_of(self.score), *interval(self.pairs))
        )
        return (
            f"{self.score:.1%} of {2 * sum(self.pairs)} games, Elo difference {elo}, 95 % interval {low} to {high}; "
            f"nodes a move {self.nodes[0]:,.0f} against {self.nodes[1]:,.0f}"
        )


@dataclass(frozen=True, slots=True)
class SearchPlayer:
    """An evolved player: its search, and its nodes for a move on average."""

    settings: SearchSettings
    nodes: int

    def player(self) -> Player:
        """Return a new player."""
        return Player(find("chess"), self.settings, self.nodes)


@dataclass(frozen=True, slots=True)
class RivalPlayer:
    """A rival: its kind, its depth, and its evaluation if that is not the default."""

    kind: str
    depth: int
    evaluation: Evaluation | None = None

    def player(self) -> Rival:
        """Return a new player."""
        return Rival(find("chess"), self.depth, self.kind, evaluation=self.evaluation)


Side = SearchPlayer | RivalPlayer


def _pair(first: Side, second: Side, opening: Opening) -> list[PlayedGame]:
    one, other = first.player(), second.player()
    return [play(one, other, opening, seat) for seat in (0, 1)]


def _match(first: Side, second: Side, openings: Sequence[Opening]) -> Score:
    """Play a pair of games from each opening, on all processors: a game depends only on its players and its opening."""
    pairs, nodes, moves, highest = [0] * 5, [0, 0], [0, 0], 0.0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        played = list(pool.map(lambda opening: _pair(first, second, opening), openings))
    for both in played:
        pairs[round(2 * sum(game.score for game in both))] += 1
        for side in (0, 1):
            nodes[side] += sum(game.nodes[side] for game in both)
            moves[side] += sum(game.moves[side] for game in both)
        highest = max(highest, *(game.nodes[0] / game.moves[0] for game in both))
    return Score(tuple(pairs), (nodes[0] / moves[0], nodes[1] / moves[1]), highest)


def _allowed(own: SearchSettings, rival: RivalPlayer, share: int, openings: Sequence[Opening]) -> int:
    """Return 1/``share`` of the nodes that a rival visits for a move against a player with about this allowance."""
    alone = _match(rival, rival, openings[:1])
    about = SearchPlayer(own, max(1, int(alone.nodes[0] / share)))
    return max(1, int(_match(about, rival, openings).nodes[1] / share))


def _matches(ledger: Ledger, bot: str, rivalries: Sequence[tuple[str, int]]) -> None:
    """Play a champion's matches against itself and against rivals; with each rival stands the divisor of its nodes."""
    game, bred = find("chess"), champion("chess", bot)
    games = ledger.times(GAMES, least=2)
    less = 0 if games >= LEAST_GAMES else 2
    weights = SCHEMAS["chess/men-and-mobility"].express(tuple(map(float, PUBLISHED)))
    own = express(bred.schema, bred.genome)
    hunting = default_evaluation(game)
    hunting = replace(hunting, weights=(*hunting.weights[:-1], own.evaluation.weights[-1]))
    rivals = {
        NEGASCOUT: RivalPlayer(NEGASCOUT, DEPTH - less),
        HUNTING: RivalPlayer(NEGASCOUT, DEPTH - less, hunting),
        ALPHA_BETA: RivalPlayer(ALPHA_BETA, PLAIN_DEPTH - less),
        KENDALL_WHITWELL: RivalPlayer(ALPHA_BETA, KENDALL_WHITWELL_DEPTH, weights),
    }
    every = measured_openings(game)
    openings, counting = every[: games // 2], every[-ledger.times(COUNTED // 2, least=1) :]
    nodes = int(str(bred.lineage["nodes"]))
    ledger.note("the champion", f"{formula(own.program)}; bred with {nodes:,} nodes a move")
    for name, share in rivalries:
        rival = rivals[name]
        allowed = _allowed(own, rival, share, counting)
        found = _match(SearchPlayer(own, allowed), rival, openings)
        part = "as many nodes" if share == 1 else f"1/{share} of the nodes"
        ledger.note(f"against {name}, {rival.depth} plies deep, {part}", str(found))
        assert found.highest <= allowed, (found, allowed)
    plain = replace(own, program=PLAIN)
    forgetful = replace(own, switches=own.switches & ~(Switch.TABLE | Switch.TABLE_MOVE))
    for name, other in (("its program", plain), ("its transposition table", forgetful)):
        match = _match(SearchPlayer(own, nodes), SearchPlayer(other, nodes), openings)
        ledger.note(f"against itself without {name}", str(match))


def _comparisons(ledger: Ledger) -> None:
    """Play the bred champion against itself with neutral search parameters, and against the older champion."""
    openings = measured_openings(find("chess"))[: ledger.times(GAMES, least=2) // 2]
    bred, older = champion("chess", BRED), champion("chess", CHAMPION)
    nodes = int(str(bred.lineage["nodes"]))
    own = express(bred.schema, bred.genome)
    others = {
        "itself with neutral search parameters": replace(own, margins=NEUTRAL),
        CHAMPION: express(older.schema, older.genome),
    }
    for name, other in others.items():
        match = _match(SearchPlayer(own, nodes), SearchPlayer(other, nodes), openings)
        ledger.note(f"against {name}", str(match))
