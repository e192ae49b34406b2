# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches by instructions: WebAssembly bots alone, a budget of instructions for each move, and records that replay.

The record of such a match holds in its tags all that its moves depend on: the budget, the versions of wasmtime and of
this machine, and the digests of the modules. ``replay`` plays it again and says where it differs. Imported without
wasmtime.
"""

import importlib.metadata
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from msgspec import structs

from bots.bridges.program import ProgramMaker, ProgramSpec
from bots.local import Entrant
from bots.series import Played, Setting
from bots.wasm.abi import MACHINE
from bots.wasm.budget import parse_instructions
from bots.wasm.spec import parse_wasm, wasm_program
from engine import games
from engine.ending import Adjudication, Termination
from engine.formats.suite import Opening
from engine.record import Record
from engine.time_control import TimeControl

PREFIX = "wasm:"
TIME_CLASS = "instructions"

_CLASS, _BUDGET, _WASMTIME, _MACHINE = "TimeClass", "Instructions", "Wasmtime", "Machine"
_MODULES = "Module0", "Module1"
"""Tags with the SHA-256 of the seats' modules."""


class NoReplay(ValueError):
    """A match cannot be played again here; the message says why, for people."""


def guard(instructions: int) -> TimeControl:
    """Return the time for each move after which a runner counts as stuck: 60 s, and 1 s for each 10 million."""
    return TimeControl(60_000 + instructions // 10_000, per_move=True)


def limited(spec: str, instructions: int) -> ProgramMaker:
    """Return the maker of a bot with a budget for each move. Raises ValueError for one that is no WebAssembly bot."""
    if not spec.startswith(PREFIX):
        raise ValueError(f"a match by instructions is for WebAssembly bots, wasm:FILE, not for {spec}")
    return ProgramMaker(parse_wasm(f"{spec.removeprefix(PREFIX)} instructions={instructions}"))


def tagged(played: Played, specs: tuple[str, str], instructions: int) -> Played:
    """Return a match of two bots with the tags that its replay needs; the specifications are in the entrants' order."""
    digests = [_digest(_file(parse_wasm(spec.removeprefix(PREFIX)))) for spec in specs]
    own = {
        _CLASS: TIME_CLASS,
        _BUDGET: str(instructions),
        _WASMTIME: _wasmtime(),
        _MACHINE: str(MACHINE),
        **dict(zip(_MODULES, digests[::-1] if played.seat else digests, strict=True)),
    }
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


def modules(files: list[Path]) -> dict[str, Path]:
    """Return files by their digests. Raises OSError."""
    return {_digest(file): file for file in files}


async def replay(record: Record, files: Mapping[str, Path]) -> Replayed:
    """Play a recorded match again with the modules of these digests, and compare. Raises NoReplay."""
    instructions, paths = _conditions(record, files)
    try:
        pair, seat = (int(number) - 1 for number in record.round.split("."))
        game = games.find(record.game)
        setting = Setting(
            game,
            record.seed or 0,
            guard(instructions),
            (Opening(record.start, record.opening),),
            _ply_limit(record),
        )
        seated = [_entrant(path, player.name, instructions) for path, player in zip(paths, record.players, strict=True)]
        entrants = (seated[1], seated[0]) if seat else (seated[0], seated[1])
        again = await setting.play(entrants, 2 * pair + seat)
    except (KeyError, ValueError) as error:
        raise NoReplay(f"the record cannot be played again: {error.args[0] if error.args else error}") from None
    used = sum(moved.info.nodes or 0 for moved in record.moves if moved.info is not None)
    return Replayed(len(record.moves), used, _difference(record, again.record))


def _conditions(record: Record, files: Mapping[str, Path]) -> tuple[int, list[Path]]:
    """Return the budget and the seats' modules of a record. Raises NoReplay."""
    tags = record.tags
    if tags.get(_CLASS) != TIME_CLASS:
        raise NoReplay("it was not played by instructions")
    for tag, here in ((_WASMTIME, _wasmtime()), (_MACHINE, str(MACHINE))):
        if tags.get(tag) != here:
            raise NoReplay(f"it was played with version {tags.get(tag)} of {tag.lower()}; version {here} is here")
    try:
        instructions = parse_instructions(tags.get(_BUDGET, ""))
    except ValueError as error:
        raise NoReplay(str(error)) from None
    paths = []
    for seat, tag in enumerate(_MODULES):
        digest = tags.get(tag, "")
        if digest not in files:
            raise NoReplay(f"the module of {record.players[seat].name} (SHA-256 {digest[:12]}…) is not among the files")
        paths.append(files[digest])
    return instructions, paths


def _ply_limit(record: Record) -> Adjudication | None:
    if record.termination is not Termination.PLY_LIMIT:
        return None
    return Adjudication(plies=len(record.opening) + len(record.moves))


def _entrant(path: Path, name: str, instructions: int) -> Entrant:
    return Entrant(name, ProgramMaker(ProgramSpec(wasm_program(path, instructions=instructions), False, name)))


def _difference(record: Record, again: Record) -> str:
    """Return where two records of a match differ first in moves, instructions and result."""
    for number, (one, other) in enumerate(zip(record.moves, again.moves, strict=False), 1):
        if one.move != other.move:
            return f"move {number}: {one.move} in the record, {other.move} in the replay"
        nodes = [moved.info.nodes if moved.info is not None else None for moved in (one, other)]
        if nodes[0] != nodes[1]:
            used = [f"{each:,}" if each is not None else "no" for each in nodes]
            return f"move {number} ({one.move}): {used[0]} instructions in the record, {used[1]} in the replay"
    if len(record.moves) != len(again.moves):
        return f"the record has {len(record.moves)} moves, the replay {len(again.moves)}"
    ends = [f"{each.result} by {each.termination or 'unknown'}" for each in (record, again)]
    return "" if ends[0] == ends[1] else f"the end: {ends[0]} in the record, {ends[1]} in the replay"


def _file(spec: ProgramSpec) -> Path:
    """Return the module of a specification without the sandbox's name for it."""
    word = spec.program.command[spec.program.command.index("bots.wasm.runner") + 1]
    return spec.program.directory / Path(word).name


def _digest(file: Path) -> str:
    return sha256(file.read_bytes()).hexdigest()


def _wasmtime() -> str:
    return importlib.metadata.version("wasmtime")
