# SPDX-License-Identifier: GPL-3.0-or-later
"""The family tree of a population: the ancestors of living members, by first parents.

Most past members have no living descendants, or one line only; the tree omits those. It keeps branching points, the
known roots of lines, and members that came from elsewhere.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct

from arena.evolution.populations import GenerationReport, MemberReport

MOST = 60
"""Living members whose ancestors are drawn, including the best."""


class Node(Struct, frozen=True, kw_only=True):
    """A member in the tree."""

    number: int
    born: int
    origin: str
    name: str
    """The bot that the genome came from, if it came from outside the population."""
    parent: int | None
    """Its nearest ancestor in the tree; null where none is known."""
    steps: int
    """Generations of descent from that one: 1 for a child."""
    lives: bool


def family(reports: Sequence[GenerationReport]) -> list[Node]:
    """Return the tree of the members of the newest of some generations in a row, the eldest first."""
    if not reports:
        return []
    known = {member.number: member for report in reports for member in report.members}
    newest = reports[-1]
    living = sorted(newest.members, key=lambda member: member.number != newest.best)[:MOST]
    ancestors = _ancestors(living, known)
    children = Counter(parent for member in ancestors.values() if (parent := _parent(member, ancestors)) is not None)
    lives = {member.number for member in living}
    shown = {
        number
        for number, member in ancestors.items()
        if number in lives or children[number] > 1 or member.name or _parent(member, ancestors) is None
    }
    nodes = []
    for number in sorted(shown):
        member, steps = ancestors[number], 0
        above = _parent(member, ancestors)
        while above is not None:
            steps += 1
            if above in shown:
                break
            above = _parent(ancestors[above], ancestors)
        nodes.append(
            Node(
                number=number,
                born=member.born,
                origin=member.origin,
                name=member.name,
                parent=above,
                steps=steps,
                lives=number in lives,
            )
        )
    return nodes


def forebears(reports: Sequence[GenerationReport], tried: Collection[int]) -> dict[int, int]:
    """Return, for members of the newest generation, the evaluated member: the member itself, or its nearest known
    ancestor; omits members without one.
    """
    if not reports:
        return {}
    known = {member.number: member for report in reports for member in report.members}
    found = {}
    for member in reports[-1].members:
        line: MemberReport | None = member
        while line is not None and line.number not in tried:
            line = known.get(line.parents[0]) if line.parents else None
        if line is not None:
            found[member.number] = line.number
    return found


def _ancestors(living: Iterable[MemberReport], known: dict[int, MemberReport]) -> dict[int, MemberReport]:
    """Return members with all their ancestors by first parents, as far as they are known."""
    found: dict[int, MemberReport] = {}
    for member in living:
        line: MemberReport | None = member
        while line is not None and line.number not in found:
            found[line.number] = line
            line = known.get(line.parents[0]) if line.parents else None
    return found


def _parent(member: MemberReport, ancestors: dict[int, MemberReport]) -> int | None:
    return member.parents[0] if member.parents and member.parents[0] in ancestors else None
