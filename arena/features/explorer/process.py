# SPDX-License-Identifier: GPL-3.0-or-later
"""The process that searches on demand: reads jobs, one at a time, and answers each with a line of JSON.

``python -m arena.features.explorer.process`` is a child of the server. It works at a low priority, so that searches of
visitors take no processor time from bots, and ends with its standard input.
"""

import os
import sys
import traceback
from contextlib import suppress

import msgspec

from arena.features.explorer.counting import analyse, count
from arena.features.explorer.explaining import explain
from arena.features.explorer.jobs import (
    Analysed,
    AnalysisJob,
    Counted,
    CountJob,
    Explained,
    ExplainJob,
    Failed,
    Job,
    Outcome,
    Refused,
    Summarised,
    SummaryJob,
)
from arena.features.explorer.summarising import summarise
from engine.game import Game, State
from engine.games import find
from web.language import language_with, speaking

NICENESS = 10


def answer(job: Job) -> Outcome:
    """Do a job."""
    try:
        game = find(job.game)
        state = game.start() if job.position is None else game.parse_position(job.position)
        return _work(job, game, state)
    except (KeyError, ValueError) as error:
        return Refused(str(error.args[0]))
    except Exception:
        traceback.print_exc()
        return Failed()


def _work(job: Job, game: Game, state: State) -> Outcome:
    match job:
        case ExplainJob():
            with speaking(language_with(job.language)):
                found = explain(
                    game,
                    state,
                    job.algorithm,
                    job.depth,
                    evaluation=job.evaluation,
                    switches=job.switches,
                    most=job.most,
                )
            return Explained(found)
        case CountJob():
            return Counted(count(game, state, job.depth, evaluation=job.evaluation, most=job.most))
        case AnalysisJob():
            return Analysed(analyse(game, state, job.nodes, job.seconds))
        case SummaryJob():
            return Summarised(summarise(game, state, job.moves, job.skipped, job.nodes))


def main() -> None:
    """Answer jobs until the input ends."""
    with suppress(AttributeError, OSError):  # Windows has no niceness
        os.nice(NICENESS)
    decoder = msgspec.json.Decoder(Job)
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(msgspec.json.encode(answer(decoder.decode(line))) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
