# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a running match is kept back, by hand."""

from dataclasses import replace

import pytest

from arena.settings import Settings
from arena.store.rows import EventRow, InfoRelease, MatchRow, PlayerRow, StoredMatch
from arena.watching.disclosure import HIDDEN, public, public_row, release_of, released_by, withheld
from engine.game import CHANCE, Game
from engine.games import find
from engine.match.events import DrawOffered, Event, Info, Moved, decode_event, encode_event
from tests.arena.conftest import OpenArena
from tests.arena.peers import seat
from tests.engine.match.guessing import GAME as GUESSING

TICTACTOE = find("tictactoe")
PLAYERS = tuple(PlayerRow(number, name, "own", number, "1", 1500.0, None) for number, name in ((7, "one"), (8, "two")))
ROW = MatchRow(
    id=1,
    game="einstein",
    time_class="blitz",
    time_control=None,
    rated=False,
    seed=1,
    start=None,
    opening=(),
    pair=None,
    kind="tournament",
    players=(PLAYERS[0], PLAYERS[1]),
    status="live",
    started=0.0,
    finished=None,
    result=None,
    termination=None,
    detail="",
    plies=None,
    pruned=False,
    tournament=3,
    round="1.1.1",
    dice_secret="ab" * 16,
)


def moves(*seats: int, silent: tuple[int, ...] = ()) -> list[Moved]:
    """Moves of these seats, all with info but those of dice and the ``silent``."""
    return [
        Moved(index + 1, each, "x", info=None if each == CHANCE or index in silent else Info(depth=index))
        for index, each in enumerate(seats)
    ]


@pytest.mark.parametrize(
    ("made", "delayed"),
    [
        (moves(), []),
        (moves(0), [0]),
        (moves(0, 1), [1, 0]),
        (moves(0, 1, 0), [2, 1]),
        (moves(0, 0, 0), [2]),
        (moves(CHANCE, 0, CHANCE, 1, CHANCE, 0, CHANCE), [5, 3]),
        (moves(0, 1, 0, 1, silent=(3,)), [2]),
    ],
)
def test_the_newest_info_of_each_side_waits_for_its_next_move(made: list[Moved], delayed: list[int]) -> None:
    assert withheld(made, "delayed") == delayed
    assert withheld(made, "live") == []
    assert withheld(made, "end") == [index for index in reversed(range(len(made))) if made[index].info]


@pytest.mark.parametrize("silent", [(), (1, 2)])
def test_each_info_is_released_once_by_the_move_that_ends_its_delay(silent: tuple[int, ...]) -> None:
    made = moves(CHANCE, 0, CHANCE, 1, CHANCE, 0, CHANCE, 1, 1, 0, silent=silent)
    for count in range(1, len(made) + 1):
        before, after = set(withheld(made, "delayed", count - 1)), set(withheld(made, "delayed", count))
        released = released_by(made, count - 1, "delayed")
        assert before - after == ({released} if released is not None else set())
        assert released_by(made, count - 1, "live") is released_by(made, count - 1, "end") is None


@pytest.mark.parametrize(("release", "left"), [("live", 4), ("delayed", 2), ("end", 0)])
def test_a_stored_match_is_public_without_what_waits(release: InfoRelease, left: int) -> None:
    events: list[Event] = [*moves(0, 1), DrawOffered(0), *(replaced(each, 2) for each in moves(0, 1))]
    rows = [EventRow(number, encode_event(event)) for number, event in enumerate(events)]
    live = StoredMatch(replace(ROW, info_release=release), rows)
    shown = public(live)
    assert shown.row == live.row
    found = [decode_event(event.body) for event in shown.events]
    assert sum(isinstance(event, Moved) and event.info is not None for event in found) == left
    assert [event.number for event in shown.events] == [0, 1, 2, 3, 4]
    over = StoredMatch(replace(live.row, status="finished"), rows)
    assert public(over) == over


def replaced(move: Moved, later: int) -> Moved:
    """The same move, so many plies later."""
    return Moved(move.ply + later, move.seat, move.move, info=move.info)


def test_hidden_players_are_shown_when_the_match_is_over() -> None:
    assert public_row(ROW) == ROW
    hiding = replace(ROW, anonymous=True)
    assert public_row(hiding) == replace(hiding, players=(HIDDEN, HIDDEN), round=None)
    over = replace(hiding, status="finished")
    assert public_row(over) == over


def test_no_secret_is_printed() -> None:
    assert "abab" not in repr(ROW)
    assert ROW.dice_seed == int("ab" * 16, 16)
    assert replace(ROW, dice_secret=None).dice_seed == 1


async def test_the_seats_of_a_match_decide_when_info_is_shown(open_arena: OpenArena) -> None:
    arena = await open_arena()
    await seat(arena, "shy", ["tictactoe"])
    await seat(arena, "open", ["tictactoe"], open_info=True)
    found = [arena.roster.named(name) for name in ("shy", "open")]
    shy, open_one = [entrant for entrant in found if entrant is not None]

    def release(
        settings: Settings, game: Game = TICTACTOE, *, tournament: bool = False, anonymous: bool = False
    ) -> list[str]:
        pairs = ((shy, shy), (shy, open_one), (open_one, shy), (open_one, open_one))
        return [release_of(settings, game, pair, tournament=tournament, anonymous=anonymous) for pair in pairs]

    assert release(Settings()) == ["delayed", "delayed", "delayed", "live"]
    assert release(Settings(), tournament=True) == ["end", "end", "end", "live"]
    assert release(Settings(info_release="live")) == ["live"] * 4
    assert release(Settings(tournament_info_release="delayed"), tournament=True) == ["delayed"] * 3 + ["live"]
    assert release(Settings(info_release="live"), tournament=True, anonymous=True) == ["end"] * 4
    built_in = replace(shy, bot=replace(shy.bot, kind="built-in"))
    between = [
        release_of(Settings(), TICTACTOE, (built_in, each), tournament=True, anonymous=False)
        for each in (built_in, open_one)
    ]
    assert between == ["live", "end"]
    assert release(Settings(info_release="live"), GUESSING) == ["end"] * 4
    with pytest.raises(ValueError, match="info_release must be live, delayed or end"):
        Settings(info_release="never")  # type: ignore[arg-type]  # what operators may write
