# SPDX-License-Identifier: GPL-3.0-or-later
"""Bots by name: built-in, from installed packages, from a file or module, outside engines, genomes, WebAssembly, data.

A package offers bots under the entry-point group ``bot_arena.bots``: the entry's name is the bot's, its value a Bot
class or another factory.
"""

import importlib
import importlib.util
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from hashlib import sha256
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from bots.bot import Bot
from bots.bridges.spec import EngineSpec, language_of, parse
from bots.built_in import kinds

if TYPE_CHECKING:
    from bots.bridges.gtp.player import GtpMaker
    from bots.bridges.player import EngineMaker

Loaded = TypeVar("Loaded")

GROUP = "bot_arena.bots"

GENOME = "genome:"
PROGRAM = "program:"
WASM = "wasm:"
DATA = "data:"

BotMaker: TypeAlias = Callable[[], Bot]
"""A class or another factory of bots."""


class UnknownBot(Exception):
    """The specification names no bot; the message gives the reason, for people."""


def names() -> list[str]:
    """Return the names that need no file and no module: built-in bots from the weakest to the strongest, the evolved
    champion, the adaptive bot, then those of installed packages.
    """
    return [*kinds.catalogue(), *sorted(_entries())]


def descriptions() -> dict[str, str]:
    """Return a one-line description for each of ``names``; empty for a bot without a description."""
    found = {name: bot.description for name, bot in kinds.catalogue().items()}
    for name in sorted(_entries()):
        found[name] = ""
        with suppress(UnknownBot):
            found[name] = str(getattr(maker_of(name), "description", ""))
    return found


def make(spec: str) -> Bot:
    """Return a new bot for a specification, as ``maker_of`` reads it. Raises UnknownBot."""
    return maker_of(spec)()


def maker_of(spec: str) -> BotMaker:
    """Return the factory of bots for a specification: a name; ``FILE.py``, ``FILE.py:CLASS`` or ``MODULE:CLASS``; an
    outside engine, ``uci:COMMAND``, ``xboard:COMMAND`` or ``gtp:COMMAND`` (see ``bots.bridges.spec``); a genome,
    ``genome:FILE``; a program that speaks the protocol in lines, ``program:COMMAND`` (see ``bots.bridges.program``); a
    WebAssembly module, ``wasm:FILE`` (see ``bots.wasm.spec``); or a data bot, ``data:FILE`` (see ``bots.data.format``).
    Raises UnknownBot.
    """
    if spec.startswith(PROGRAM):
        return _program(spec.removeprefix(PROGRAM))
    if spec.startswith(WASM):
        return _wasm(spec.removeprefix(WASM))
    if spec.startswith(GENOME):
        return _data(spec.removeprefix(GENOME), ": no genome: ", bounded=False)
    if spec.startswith(DATA):
        return _data(spec.removeprefix(DATA))
    if language_of(spec) is not None:
        return _engine(spec)
    if ":" not in spec and not spec.endswith(".py"):
        return _named(spec)
    place, attribute = (spec, "") if spec.endswith(".py") else spec.rpartition(":")[::2]
    if place.endswith(".py"):
        module = _file(Path(place))
        return _checked(_attribute(module, attribute, place), spec) if attribute else _only_bot(module, place)
    if place and attribute:
        module = _load(lambda: importlib.import_module(place), f"the module {place!r}")
        return _checked(_attribute(module, attribute, place), spec)
    raise _unknown(spec)


def _named(name: str) -> BotMaker:
    """Return the factory of bots for a name without a prefix."""
    built_in = kinds.catalogue().get(name)
    if built_in is not None:
        return built_in.make
    entry = _entries().get(name)
    if entry is None:
        raise _unknown(name)
    return _checked(_load(entry.load, f"the installed bot {name!r} ({entry.value})"), name)


def _unknown(spec: str) -> UnknownBot:
    known = ", ".join(names())
    return UnknownBot(
        f"no bot is called {spec!r}; known are {known}; for one of your own write FILE.py or MODULE:CLASS, "
        "for an outside engine uci:COMMAND, xboard:COMMAND or gtp:COMMAND, for an evolved genome genome:FILE, for a "
        "WebAssembly module wasm:FILE, for a data bot data:FILE"
    )


def _engine(text: str) -> BotMaker:
    try:
        return engine_maker(parse(text))
    except ValueError as error:
        raise UnknownBot(str(error)) from None


def engine_maker(spec: EngineSpec) -> "EngineMaker | GtpMaker":
    """Return the factory of bots for an outside engine. Raises ValueError."""
    if spec.language == "gtp":
        from bots.bridges.gtp.player import GtpMaker

        return GtpMaker(spec)
    from bots.bridges.player import EngineMaker

    return EngineMaker(spec)


def _program(text: str) -> BotMaker:
    from bots.bridges.program import ProgramMaker, parse_program

    try:
        return ProgramMaker(parse_program(text))
    except ValueError as error:
        raise UnknownBot(str(error)) from None


def _wasm(text: str) -> BotMaker:
    from bots.bridges.program import ProgramMaker
    from bots.wasm.spec import parse_wasm

    try:
        return ProgramMaker(parse_wasm(text))
    except ValueError as error:
        raise UnknownBot(str(error)) from None


def _data(place: str, refusal: str = ": ", bounded: bool = True) -> BotMaker:
    """Return a maker of the bots of a file.

    ``refusal``: text between the file and the error; ``bounded``: whether nodes have a limit, as on a server.
    """
    from bots.data.player import maker

    path = Path(place).expanduser()
    try:
        return maker(path.read_bytes(), path.stem, bounded)
    except OSError as error:
        raise UnknownBot(f"{place}: {error.strerror}") from None
    except ValueError as error:
        raise UnknownBot(f"{place}{refusal}{error}") from None


def _entries() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP) if entry.name not in kinds.catalogue()}


def _file(path: Path) -> ModuleType:
    """Import a file; it can import other modules of its directory, like a script."""
    path = path.expanduser().resolve()
    if not path.is_file():
        raise UnknownBot(f"there is no file {path}")
    name = f"{path.stem}_{sha256(str(path).encode()).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UnknownBot(f"{path} is not a Python file")
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        _load(partial(spec.loader.exec_module, module), str(path))
    except UnknownBot:
        del sys.modules[name]
        raise
    return module


def _load(load: Callable[[], Loaded], what: str) -> Loaded:
    """Run an author's code. Raises UnknownBot with the cause of its exception, in one line."""
    try:
        return load()
    except Exception as error:
        raise UnknownBot(f"{what} cannot be imported: {type(error).__name__}: {error}") from error


def _attribute(module: ModuleType, name: str, place: str) -> object:
    try:
        return getattr(module, name)
    except AttributeError:
        raise UnknownBot(f"{place} has no {name!r}") from None


def _checked(maker: object, spec: str) -> BotMaker:
    if isinstance(maker, Bot):
        return lambda: maker
    if isinstance(maker, type) and not issubclass(maker, Bot):
        raise UnknownBot(f"{spec} is a class that does not derive from bots.Bot")
    if not callable(maker):
        raise UnknownBot(f"{spec} is neither a Bot class nor a factory of bots")

    def make() -> Bot:
        bot = _load(maker, spec)
        if not isinstance(bot, Bot):
            raise UnknownBot(f"{spec} made a {type(bot).__name__}, which is not a bots.Bot")
        return bot

    return make if not isinstance(maker, type) else maker


def _only_bot(module: ModuleType, place: str) -> BotMaker:
    found = [
        value
        for name, value in vars(module).items()
        if isinstance(value, type)
        and issubclass(value, Bot)
        and value.__module__ == module.__name__
        and not name.startswith("_")
    ]
    if not found:
        raise UnknownBot(f"{place} defines no class that derives from bots.Bot")
    if len(found) > 1:
        written = ", ".join(f"{place}:{each.__name__}" for each in found)
        raise UnknownBot(f"{place} defines several bots; write one of {written}")
    return found[0]
