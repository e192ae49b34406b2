# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of bots travel with a series: it is played where the files are not."""

import asyncio
import pickle
from pathlib import Path

import pytest

from bots.contest import Contest
from bots.pools.files import BotFile, files_of, local_spec
from bots.pools.matches import MatchOfSeries
from bots.series import Played, series

BOT = """
from bots.bot import Bot, Turn

class Last(Bot):
    games = ("tictactoe",)

    def move(self, turn: Turn) -> str:
        return turn.legal_moves[-1]
"""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_a_series_is_played_where_the_file_is_not(tmp_path: Path) -> None:
    bot = tmp_path / "last.py"
    bot.write_text(BOT, encoding="utf-8")
    contest = Contest("tictactoe", str(bot), "random", seed=2)

    async def here() -> list[Played]:
        return [one async for one in series(contest.setting(), *await contest.entrants(), range(4))]

    whole = [(one.record.players, one.record.moves) for one in asyncio.run(here())]
    carried = pickle.dumps(asyncio.run(MatchOfSeries.carried(contest)))
    bot.unlink()
    work: MatchOfSeries = pickle.loads(carried)
    found = [work(index).record for index in range(4)]
    assert [(one.players, one.moves) for one in found] == whole


@pytest.mark.parametrize(
    ("before", "after"), [("", ""), ("", ":Last"), ("genome:", ""), ("data:", ""), ("wasm:", " instructions=10M")]
)
def test_a_specification_names_the_copy(tmp_path: Path, before: str, after: str) -> None:
    path = tmp_path / "one.py"
    path.write_bytes(b"contents")
    spec = f"{before}{path}{after}"
    (file,) = files_of([spec, spec, "random"])
    assert file == BotFile(str(path), b"contents")
    found = local_spec(spec, [file])
    assert found.startswith(before)
    assert found.endswith(after)
    copy = Path(found.removeprefix(before).removesuffix(after))
    assert copy != path
    assert copy.name == path.name
    assert copy.read_bytes() == b"contents"
    copy.write_bytes(b"damaged")
    assert local_spec(spec, [file]) == found
    assert copy.read_bytes() == b"contents"


@pytest.mark.parametrize("spec", ["random", "package.module:Bot", "uci:engine file.py", "program:python bot.py"])
def test_others_have_no_file(spec: str) -> None:
    assert files_of([spec]) == []
    assert local_spec(spec, []) == spec
