# SPDX-License-Identifier: GPL-3.0-or-later
"""A refinement on disk: JSON lines, its plan, then every point as soon as its games are played.

A last line that a kill has cut off is forgotten; its games are played again, to the same bit. The genome that the
newest point declares stands beside it.
"""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from bots.evolution.evochess.genome import schema_for, write
from bots.evolution.history import BEST, RUN, NotARun, replace_file
from lab.refining.points import Plan, Point, checked_plan, genome_of
from lab.refining.points import refined as points


def read(folder: Path) -> tuple[Plan, Point | None, int]:
    """Return the plan of a folder, its newest point, and how many bytes of the file are whole lines.

    Raises NotARun, with a message for people, and OSError.
    """
    path = folder / RUN
    with path.open("rb") as file:
        lines = [line for line in file if line.endswith(b"\n")]
    if not lines:
        raise NotARun(f"{path} holds no refinement, or one that was cut short")
    try:
        plan = checked_plan(msgspec.json.decode(lines[0], type=Plan))
        point = msgspec.json.decode(lines[-1], type=Point) if len(lines) > 1 else None
        if point:
            genome_of(plan, point.mean)
    except (msgspec.DecodeError, KeyError, ValueError) as error:
        raise NotARun(f"{path} holds no refinement that can be read: {error.args[0]}") from None
    return plan, point, sum(map(len, lines))


def followed(folder: Path, plan: Plan, threads: int = 1) -> Iterator[Point]:
    """Yield the newest point of a folder, if there is one, then new ones as they are saved.

    Raises NotARun when the folder holds another run, ValueError and KeyError for a plan that cannot be followed, and
    OSError.
    """
    checked_plan(plan)
    folder.mkdir(parents=True, exist_ok=True)
    path, point = folder / RUN, None
    if path.exists() and path.stat().st_size:
        begun, point, end = read(folder)
        if begun != plan:
            names = [name for name in Plan.__struct_fields__ if getattr(begun, name) != getattr(plan, name)]
            raise NotARun(f"{path} holds another refinement: {', '.join(names)} differ")
        with path.open("ab") as file:
            file.truncate(end)
        if point:
            yield point
    else:
        path.write_bytes(msgspec.json.encode(plan) + b"\n")
    for after in points(plan, point, threads):
        with path.open("ab") as file:
            file.write(msgspec.json.encode(after) + b"\n")
        replace_file(folder / BEST, best_file(plan, after).encode())
        yield after


def best_file(plan: Plan, point: Point) -> str:
    """Return the genome that a point declares, as a file: its lineage is that of where it began, and what was done."""
    refined = {
        "by": "spsa",
        "what": plan.what,
        "seed": plan.seed,
        "pairs": point.pairs,
        "of": plan.pairs,
        "batch": plan.batch,
        "trial": plan.trial,
        "step": plan.step,
    }
    before = plan.lineage.get("refined")
    every = [*(before if isinstance(before, list) else []), refined]
    lineage = {**plan.lineage, "nodes": plan.nodes, "refined": every}
    return write(schema_for(plan.game), genome_of(plan, point.mean), plan.nodes, lineage)
