# SPDX-License-Identifier: GPL-3.0-or-later
"""The SDK and the arena are two distributions with no file in common, which lie in one environment or in two."""

import asyncio
import contextlib
import csv
import io
import re
import subprocess
import sys
import zipfile
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest

from tests.bots.test_documentation import EXAMPLES, code
from tests.end_to_end.server import Server
from tests.tools.installing import ROOT, SDK, Environment, built, locked

ROOMS = ("arena", "bots", "engine", "lab", "web")
MOST = 5 * 2**20
"""Bytes of the SDK with what it needs."""

OWN = {"arena", "bots", "msgspec", "websockets"}
"""Packages that the SDK imports besides the standard library."""

IMPORTED = """
import sys
before = set(sys.modules)
from bots import Bot, Reply, Resign, run, think
found = {name.partition(".")[0] for name in set(sys.modules) - before}
print(*sorted(found - set(sys.stdlib_module_names)))
"""


@pytest.fixture(scope="module")
def sdk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the SDK."""
    return built(SDK, tmp_path_factory.mktemp("sdk"))


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the arena."""
    return built(ROOT, tmp_path_factory.mktemp("arena"))


@pytest.fixture(scope="module")
def author(sdk: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """The environment of a bot's author, who has the SDK alone."""
    environment = Environment(tmp_path_factory.mktemp("author") / "environment")
    environment.install(sdk, requirements=locked("msgspec", "websockets"))
    return environment


def files(wheel: Path) -> set[str]:
    """Return the names of the files that a wheel's RECORD lists, which are all of its files."""
    with zipfile.ZipFile(wheel) as archive:
        (record,) = [name for name in archive.namelist() if name.endswith(".dist-info/RECORD")]
        listed = {row[0] for row in csv.reader(io.StringIO(archive.read(record).decode()))}
        assert listed == set(archive.namelist())
    return listed


def metadata(wheel: Path) -> Message:
    """Return the metadata of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        return Parser().parsestr(archive.read(name).decode())


def test_no_file_is_in_both(sdk: Path, arena: Path) -> None:
    assert not files(sdk) & files(arena)


def test_one_of_them_has_every_file(sdk: Path, arena: Path) -> None:
    command = ["git", "ls-files", *ROOMS]
    tracked = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    wanted = {
        name
        for name in tracked
        if (ROOT / name).is_file() and not name.startswith(("lab/bench/", "lab/proofs/", "lab/simulation/"))
    }
    assert not wanted - files(sdk) - files(arena)


def test_the_sdk_has_only_files_under_the_mit_licence(sdk: Path) -> None:
    with zipfile.ZipFile(sdk) as archive:
        packed = [name for name in archive.namelist() if ".dist-info/" not in name]
        for name in packed:
            assert name.endswith("/py.typed") or archive.read(name).startswith(b"# SPDX-License-Identifier: MIT\n"), (
                name
            )
    assert {"arena/__init__.py", "arena/py.typed", "bots/__init__.py", "bots/py.typed"} <= set(packed)


def test_the_metadata_are_complete(sdk: Path, arena: Path) -> None:
    for wheel, name, licence in ((sdk, "bot-arena-sdk", "MIT"), (arena, "bot-arena", "GPL-3.0-or-later AND MIT")):
        about = metadata(wheel)
        assert (about["Name"], about["License-Expression"]) == (name, licence)
        assert about["Author"] == "The Bot Arena maintainers"
        assert about["Summary"]
        assert about["Keywords"]
        assert "Typing :: Typed" in about.get_all("Classifier", [])
        assert about.get_all("License-File")
        assert not about.get_all("Project-URL")
        assert about["Requires-Python"] == ">=3.11"
        assert str(about.get_payload()).startswith("# ")
    assert (SDK / "LICENSE.txt").read_bytes() == (ROOT / "LICENSES" / "MIT.txt").read_bytes()


def test_the_arena_requires_the_sdk_of_its_version(sdk: Path, arena: Path) -> None:
    version = metadata(sdk)["Version"]
    assert metadata(arena)["Version"] == version
    assert f"bot-arena-sdk=={version}" in metadata(arena).get_all("Requires-Dist", [])


def test_the_sdk_requires_what_it_imports_in_the_versions_of_the_arena(sdk: Path, arena: Path) -> None:
    required = metadata(sdk).get_all("Requires-Dist", [])
    assert {re.split("[<>=]", each)[0] for each in required} == {"msgspec", "websockets"}
    assert set(required) <= set(metadata(arena).get_all("Requires-Dist", []))


def test_the_arena_hands_out_the_same_wheel(sdk: Path, arena: Path) -> None:
    with zipfile.ZipFile(arena) as archive:
        assert archive.read(f"arena/features/sdk_wheel/packed/{sdk.name}") == sdk.read_bytes()


def test_importing_the_sdk_imports_little() -> None:
    found = subprocess.run([sys.executable, "-c", IMPORTED], check=True, capture_output=True, text=True).stdout
    assert set(found.split()) - {"typing_extensions"} == OWN  # msgspec imports it where it is installed


def test_the_sdk_alone_is_small_and_complete(author: Environment) -> None:
    assert set(author.run(IMPORTED).split()) == OWN
    size = sum(path.stat().st_size for path in author.packages.rglob("*") if path.is_file())
    assert size < MOST
    assert author.run("import importlib.metadata as m; print(m.version('bot-arena-sdk'))").strip()


def test_the_contract_test_runs_with_the_sdk_alone(author: Environment) -> None:
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); import test_careful as t; t.test_careful_keeps_the_contract()"
    )
    author.run(program, str(EXAMPLES))


def test_the_arena_goes_and_the_sdk_stays(sdk: Path, arena: Path, tmp_path: Path) -> None:
    both = Environment(tmp_path / "both")
    both.pip("install", "--no-deps", str(sdk), str(arena))
    packages = both.packages
    assert all((packages / name).is_file() for name in files(sdk) | files(arena) if ".dist-info/" not in name)
    both.pip("uninstall", "bot-arena")
    rest = {path.relative_to(packages).as_posix() for path in packages.rglob("*") if path.is_file()}
    assert {name for name in files(sdk) if ".dist-info/" not in name} <= rest
    assert not rest & files(arena)
    both.pip("uninstall", "bot-arena-sdk")
    assert not [path for name in ROOMS for path in (packages / name).rglob("*.py")]


@contextlib.asynccontextmanager
async def bot(author: Environment, folder: Path, server: Server, token: str) -> AsyncIterator[Process]:
    """Run the bot of the README in the author's environment."""
    file = folder / f"{token[-8:]}.py"
    text = code(EXAMPLES / "ten_lines.py").replace("checkers", "tictactoe").replace("…", token)
    file.write_text(text.replace("ws://127.0.0.1:8080/api/v1/play", server.play_url), encoding="utf-8")
    process = await asyncio.create_subprocess_exec(author.python, "-I", file, stderr=PIPE, cwd=folder)
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        await process.communicate()


OPTIONS = ("--no-built-in-bots", "--games", "tictactoe", "--ladder-interval", "0.1", "--ladder-pause", "3600")
CLOCKS = ("--time-controls", "tictactoe=3000+0")
"""A server that is late voids matches that would be decided on time."""


async def rated(server: Server, author: Environment, folder: Path, tokens: Mapping[str, str]) -> None:
    """Two bots play a rated pair of matches on a server that runs."""
    one, two = (bot(author, folder, server, token) for token in tokens.values())
    async with one as first, two as second:
        for process in (first, second):
            assert process.stderr is not None
            ended = 0
            async with asyncio.timeout(600):
                while ended < 2 and (line := await process.stderr.readline()):
                    ended += b"(" not in line and re.search(rb"match \d+: [01/2-]+, ", line) is not None
            assert ended == 2, "the bot ended before its matches"
    rows = await server.all("/leaderboard?game=tictactoe")
    assert {row["bot"]["name"]: row["games"] for row in rows} == dict.fromkeys(tokens, 2)


async def test_a_bot_with_the_sdk_alone_plays_rated_matches(author: Environment, tmp_path: Path) -> None:
    server = Server(tmp_path, *OPTIONS, *CLOCKS)
    tokens = await server.register("one", "two")
    await server.start()
    try:
        await rated(server, author, tmp_path, tokens)
    finally:
        await server.stop()


async def test_an_installed_arena_hands_out_the_sdk_and_its_bots_play(sdk: Path, arena: Path, tmp_path: Path) -> None:
    operator, author = Environment(tmp_path / "operator"), Environment(tmp_path / "author")
    operator.install(sdk, arena, requirements=locked())
    server = Server(tmp_path, *OPTIONS, *CLOCKS, python=operator.python)
    tokens = await server.register("one", "two")
    await server.start()
    try:
        author.install(requirements=locked("msgspec", "websockets"))
        pip = [sys.executable, "-m", "pip", "--python", str(author.python), "install", "--quiet", "--no-deps"]
        pip += ["--disable-pip-version-check", f"{server.url}/sdk/{sdk.name}"]
        await asyncio.to_thread(subprocess.run, pip, check=True)
        await rated(server, author, tmp_path, tokens)
    finally:
        await server.stop()
