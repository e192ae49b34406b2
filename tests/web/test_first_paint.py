# SPDX-License-Identifier: GPL-3.0-or-later
"""What pages show before their scripts run: boards and tables, with the names of bots as text and nothing else."""

import pytest
from markupsafe import Markup
from msgspec.structs import replace

from arena.protocol.messages import Player
from arena.protocol.watching import Lobby, Seen
from arena.registry import GameRegistry
from arena.settings import Settings
from engine.games import find
from tests.web.door import Door
from web import wording
from web.api.games import describe
from web.application import STATIC
from web.assets import read_assets
from web.drawing import draw_board, read_shapes
from web.first_paint import lobby_values, painters
from web.pages import templates

EVIL = "<img src=x onerror=alert(1)>\"'&"


@pytest.mark.asyncio(loop_scope="session")
async def test_pages_are_not_blank_before_their_scripts_run(door: Door) -> None:
    for path, heading in (
        ("/", "<h1>Now playing</h1>"),
        ("/?game=nim", 'href="/?game=nim" aria-current="page"'),
        ("/leaderboard?game=nim", "<h1>Leaderboard</h1>"),
    ):
        async with door.http.get(path) as response:
            assert heading in (await response.text()).partition("<main")[2]


def test_names_are_escaped_everywhere() -> None:
    game = describe(GameRegistry(Settings()), find("tictactoe"))
    player = Player(EVIL, EVIL, rating=1500.0, bot=1)
    seen = Seen(
        match=1, game=EVIL, time_class="blitz", players=(player, player), rated=True, time_control="1+0", started=0.0,
        ply=1, diagram="x........", squares=[0], to_move=0, clocks=(60_000, 12_340), clocks_at=0.0,
    )  # fmt: skip
    lobby = Lobby(boards=[seen, replace(seen, match=2)], live=2, bots=2, spectators=0, featured=seen, following=seen)
    games = {EVIL: game}
    text = templates.get_template("lobby.html").render(
        title="", path="/", meta_tags=(), alternates=(), navigation=(), header_links=(), styles=(), asset=str,
        modules=[""], texts=None,
        data=Markup("{}"),
        games=games, game=EVIL, lobby=lobby, **lobby_values(lobby, games), **painters(read_assets(STATIC)),
    )  # fmt: skip
    assert "<img" not in text
    assert text.count("&lt;img src=x onerror=alert(1)&gt;&#34;&#39;&amp;") >= 6
    assert "1:00" in text
    assert "12.3" in text


def test_titles_of_boards_are_escaped() -> None:
    assets = read_assets(STATIC)
    board = describe(GameRegistry(Settings()), find("tictactoe")).board
    assert "<img" not in draw_board(read_shapes(assets), board, "x........", [0], EVIL)


def test_numbers_are_formatted_as_by_scripts() -> None:
    assert [wording.count(value) for value in (0, 0.5, 1234.4, -0.2, -2.5)] == ["0", "1", "1,234", "0", "−3"]
    assert [wording.signed(value) for value in (8.2, -3.4, 0.2, -1234.5)] == ["+8", "−3", "±0", "−1,234"]
    assert [wording.large(value) for value in (None, 999, 3_200_000, 123_456)] == ["–", "999", "3.2 M", "123 k"]
    assert [wording.clock(value) for value in (102_000, 12_799, 3_723_000, -5)] == ["1:42", "12.7", "1:02:03", "0.0"]
    controls = {
        None: "no clock",
        "60+0.5": "60+0.5",
        "1800/move v 2/move": "30 min v 2 s per move",
        "90/move": "90 s per move",
        "5M instructions/move": "5M instructions/move",
    }
    assert {value: wording.control(value) for value in controls} == controls
    assert [wording.points_text(value) for value in (None, 0.311, 2000, -2000)] == ["–", "+0.31", "wins", "loses"]
    assert (wording.rating(None), wording.rating(1843.4, True)) == ("–", "1,843?")
