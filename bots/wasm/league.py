# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches by instructions: WebAssembly bots alone, a limit of instructions for each move, and records that replay.

The time control of the record of such a match has the limit, and its tags have what else its moves depend on: the
versions of wasmtime and of this machine, and the digests of the modules. ``replay`` plays it again and says where it
differs. Imported without wasmtime.
"""

import importlib.metadata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from msgspec import structs

from arena.protocol.conditions import Conditions
from arena.protocol.messages import Module
from bots.bridges.program import ProgramMaker, ProgramSpec
from bots.local import Entrant, play_out
from bots.series import Played
from bots.wasm.abi import MACHINE
from bots.wasm.spec import parse_wasm, wasm_program
from engine import games
from engine.match.ending import Adjudication, Termination
from engine.match.machine import Match
from engine.match.record import Record
from engine.time_control import TimeControl

PREFIX = "wasm:"

_OUTSIDE = (None, Termination.VOID, Termination.DISCONNECT)
"""Terminations that do not follow from the two programs."""


class NoReplay(ValueError):
    """A match cannot be played again here; the message says why, for people."""


def limited(spec: str) -> ProgramMaker:
    """Return the maker of a bot for matches by instructions. Raises ValueError for one that is no WebAssembly bot."""
    if not spec.startswith(PREFIX):
        raise ValueError(f"a match by instructions is for WebAssembly bots, wasm:FILE, not for {spec}")
    return ProgramMaker(parse_wasm(spec.removeprefix(PREFIX)))


def module_of(file: Path) -> Module:
    """Return the module of a file, as this machine would run it. Raises OSError."""
    return Module(_digest(file), importlib.metadata.version("wasmtime"), MACHINE)


def tagged(played: Played, specs: tuple[str, str]) -> Played:
    """Return a match of two bots with the tags that its replay needs; the specifications are in the entrants' order."""
    one, other = (module_of(_file(parse_wasm(spec.removeprefix(PREFIX)))) for spec in specs)
    conditions = Conditions.of(one, other)
    own = (conditions.swapped if played.seat else conditions).tags()
    record = structs.replace(played.record, tags={**played.record.tags, **own})
    return Played(played.number, played.seat, record)


@dataclass(frozen=True, slots=True)
class Replayed:
    """A match that was played again."""

    moves: int
    """Moves of the record."""
    instructions: int
    """Instructions of all its moves."""
    difference: str
    """Where the replay differs first, for people; empty where it does not."""


def modules(files: Iterable[Path]) -> dict[str, Path]:
    """Return files by their digests. Raises OSError."""
    return {_digest(file): file for file in files}


async def replay(record: Record, files: Mapping[str, Path]) -> Replayed:
    """Play a recorded match again with the modules of these digests, and compare. Raises NoReplay."""
    control, paths = _conditions(record, files)
    try:
        again = Match(
            games.find(record.game),
            start=record.start,
            opening=record.opening,
            time_control=control,
            adjudication=_rules(record),
            seed=record.seed or 0,
            mirrored_dice=record.mirrored_dice,
        )
    except (KeyError, ValueError) as error:
        raise NoReplay(f"the record cannot be played again: {error.args[0] if error.args else error}") from None
    seated = [_entrant(path, player.name) for path, player in zip(paths, record.players, strict=True)]
    await play_out(again, (seated[0], seated[1]), 1)
    used = sum(moved.instructions or 0 for moved in record.moves)
    return Replayed(len(record.moves), used, _difference(record, again))


def _conditions(record: Record, files: Mapping[str, Path]) -> tuple[TimeControl, list[Path]]:
    """Return the time control and the seats' modules of a record. Raises NoReplay."""
    try:
        control = TimeControl.parse(record.time_control or "")
        if control.timed:
            raise NoReplay("it was not played by instructions")
        conditions = Conditions.from_tags(record.tags)
    except ValueError as error:
        raise NoReplay(str(error)) from None
    here = importlib.metadata.version("wasmtime")
    for name, played, own in (("wasmtime", conditions.wasmtime, here), ("machine", conditions.machine, MACHINE)):
        if played != own:
            raise NoReplay(f"it was played with version {played} of {name}; version {own} is here")
    paths = []
    for player, digest in zip(record.players, conditions.modules, strict=True):
        if digest not in files:
            raise NoReplay(f"the module of {player.name} (SHA-256 {digest[:12]}…) is not among the files")
        paths.append(files[digest])
    return control, paths


def _rules(record: Record) -> Adjudication | None:
    """Return the ply limit that ended a match; bots that report no scores are adjudicated by nothing else."""
    if record.termination is not Termination.ADJUDICATION:
        return None
    return Adjudication(plies=len(record.opening) + len(record.moves))


def _entrant(path: Path, name: str) -> Entrant:
    return Entrant(name, ProgramMaker(ProgramSpec(wasm_program(path), False, name)))


def _difference(record: Record, again: Match) -> str:
    """Return where a record and its replay differ first in moves, instructions and result."""
    for number, (one, other) in enumerate(zip(record.moves, again.moves, strict=False), 1):
        if one.move != other.move:
            return f"move {number}: {one.move} in the record, {other.move} in the replay"
        if one.instructions != other.instructions:
            used = [f"{each.instructions:,}" if each.instructions is not None else "no" for each in (one, other)]
            return f"move {number} ({one.move}): {used[0]} instructions in the record, {used[1]} in the replay"
    assert again.ending is not None
    if record.termination in _OUTSIDE and len(record.moves) <= len(again.moves):
        return ""
    if len(record.moves) != len(again.moves):
        return f"the record has {len(record.moves)} moves, the replay {len(again.moves)}"
    ends = [f"{each.result} by {each.termination or 'unknown'}" for each in (record, again.ending)]
    return "" if ends[0] == ends[1] else f"the end: {ends[0]} in the record, {ends[1]} in the replay"


def _file(spec: ProgramSpec) -> Path:
    """Return the module of a specification without the sandbox's name for it."""
    word = spec.program.command[spec.program.command.index("bots.wasm.runner") + 1]
    return spec.program.directory / Path(word).name


def _digest(file: Path) -> str:
    return sha256(file.read_bytes()).hexdigest()
