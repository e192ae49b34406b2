# SPDX-License-Identifier: GPL-3.0-or-later
"""How an outside engine is written in one line: ``uci:COMMAND``, ``xboard:COMMAND`` or ``gtp:COMMAND``.

COMMAND is split as a shell would. Words that begin with ``option.``, ``limit.`` or ``name=`` are for the bridge:
``uci:stockfish option.UCI_LimitStrength=true option.UCI_Elo=2400 name=sf-2400``. GTP has neither options nor limits of
nodes and depth; there ``game=`` names the games, separated by commas, if the engine's own answers do not tell them.
"""

import re
import shlex
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Literal, TypeAlias, get_args

ChessLanguage: TypeAlias = Literal["uci", "xboard"]
Language: TypeAlias = Literal["uci", "xboard", "gtp"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

_GAMES_OF_DEBIAN = "/usr/games"
"""Where Debian puts engines; it need not be on the PATH."""

_OWN_WORD = re.compile(r"(?:(option)\.([^=]+)|(limit)\.(seconds|nodes|depth)|(name)|(game))=(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Allowance:
    """The engine's limits for a move, seconds without a clock; the first limit reached ends its search."""

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None


USUAL = Allowance(seconds=1.0)


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """An outside engine: its protocol, the command that starts it, and its options."""

    language: Language
    command: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    allowance: Allowance = USUAL
    name: str = ""
    games: tuple[str, ...] = ()
    """The games of a GTP engine; none: its answers tell them."""

    def __post_init__(self) -> None:
        if not self.command:
            raise ValueError(f"{self.language}: needs the command that starts an engine")
        if self.language != "gtp":
            if self.games:
                raise ValueError(f"game= is for gtp:COMMAND, not for {self.language}:COMMAND")
        elif self.options:
            raise ValueError("GTP has no options; write them as arguments of the engine's own command")
        elif self.allowance.nodes is not None or self.allowance.depth is not None:
            raise ValueError(
                "GTP has no limits of nodes and depth; write them as arguments of the engine's own command"
            )

    @property
    def title(self) -> str:
        """Its name until it reports its own."""
        return self.name or Path(self.command[0]).name


def language_of(text: str) -> Language | None:
    """Return the language of a text that names an outside engine; None when it names something else."""
    return next((language for language in LANGUAGES if text.startswith(f"{language}:")), None)


def parse(text: str) -> EngineSpec:
    """Read ``uci:COMMAND``, ``xboard:COMMAND`` or ``gtp:COMMAND``. Raises ValueError, with a message for people."""
    language = language_of(text)
    if language is None:
        raise ValueError(f"{text[:40]!r} names no engine; write uci:COMMAND, xboard:COMMAND or gtp:COMMAND")
    try:
        words = shlex.split(text.removeprefix(f"{language}:"))
    except ValueError as error:
        raise ValueError(f"{text[:80]!r} cannot be split into words: {error}") from None
    command: list[str] = []
    options: dict[str, str] = {}
    limits: dict[str, float | int] = {}
    name = ""
    games: tuple[str, ...] = ()
    for word in words:
        found = _OWN_WORD.fullmatch(word)
        if found is None:
            command.append(word)
        elif found[1]:
            options[found[2].strip()] = found[7]
        elif found[3]:
            limits[found[4]] = _limit(found[4], found[7])
        elif found[5]:
            name = found[7]
        else:
            games = tuple(filter(None, found[7].split(",")))
    # a limit would make a GTP engine play by the clock, and so not at its own level
    usual = Allowance() if language == "gtp" else USUAL
    allowance = Allowance(**limits) if limits else usual  # type: ignore[arg-type]  # _limit gives each its own type
    return EngineSpec(language, located(command), options, allowance, name, games)


def option(text: str) -> tuple[str, str]:
    """Read ``NAME=VALUE``, or ``NAME`` for a button. Raises ValueError."""
    name, _, value = text.partition("=")
    if not name.strip():
        raise ValueError(f"{text[:40]!r} is not an option; write NAME=VALUE")
    return name.strip(), value


def located(command: list[str]) -> tuple[str, ...]:
    """Return the command with the whole path of its program. Raises ValueError when there is no such program."""
    if not command:
        return ()
    program = shutil.which(command[0]) or shutil.which(command[0], path=_GAMES_OF_DEBIAN)
    if program is None:
        raise ValueError(f"there is no program {command[0]!r} that could be started")
    return program, *command[1:]


def _limit(kind: str, text: str) -> float | int:
    try:
        limit = float(text) if kind == "seconds" else int(text)
    except ValueError:
        limit = 0
    if not (isfinite(limit) and limit > 0):
        raise ValueError(f"limit.{kind} is a number above 0, not {text[:40]!r}")
    return limit
