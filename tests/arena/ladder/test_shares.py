# SPDX-License-Identifier: GPL-3.0-or-later
"""Nobody holds more than a share: of matches, and of the places of built-in bots."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.application import Arena
from arena.connections.admission import hash_token, make_token
from arena.ladder.shares import BotAndOwner, OwnPairings, Shares
from arena.settings import Settings
from arena.store.rows import MatchRow
from tests.arena.conftest import OpenArena
from tests.arena.peers import Peer, register, seat, until

GAME = "tictactoe"


async def built_in(arena: Arena, *names: str, capacity: int = 16) -> list[Peer]:
    """Connect bots that belong to the arena; they accept nothing by themselves."""
    peers = []
    for name in names:
        peers.append(Peer(arena))
        await peers[-1].hello(await register(arena, name, "built-in"), [GAME], capacity=capacity)
    return peers


async def owned(arena: Arena, name: str, owner: str, **more: object) -> Peer:
    """Connect a bot of an owner."""
    token = make_token()
    await arena.store.bots.add(name, hash_token(token), owner=owner)
    peer = Peer(arena)
    peer.token = token
    await peer.hello(token, [GAME], **more)
    return peer


async def challenge(challenger: Peer, name: str, opponent: Peer, **terms: object) -> str:
    """Challenge, have it accepted where it arrives, and return the outcome, or the refusal."""
    challenger.send(type="challenge", opponent=name, game=GAME, **terms)
    answer = await challenger.next("challenge-opened", "error")
    if answer["type"] == "error":
        assert answer["code"] == "challenge-refused"
        return str(answer["message"])
    opponent.send(type="answer-challenge", challenge=answer["challenge"], accept=True)
    return str((await challenger.next("challenge-closed"))["outcome"])


async def test_one_bot_holds_an_eighth_of_a_built_in_bot_and_its_owner_a_quarter(open_arena: OpenArena) -> None:
    arena = await open_arena()
    (peer,) = await built_in(arena, "builtin")
    bots = [await owned(arena, f"bot-{number}", "Ann", capacity=256) for number in range(3)]
    other = await seat(arena, "other", [GAME], capacity=256)
    outcomes = [[await challenge(bot, "builtin", peer) for _ in range(3)] for bot in bots]
    text = "builtin plays at most 2 matches at once with one bot, and 4 with all bots of one owner"
    assert outcomes == [["accepted"] * 2 + [text], ["accepted"] * 2 + [text], [text] * 3]
    assert await challenge(other, "builtin", peer) == "accepted"
    assert await challenge(other, "builtin", peer, rated=True) == "accepted"
    assert await challenge(other, "builtin", peer, rated=True) == text
    matches = [message["match"] for message in bots[0].log if message["type"] == "match"]
    bots[0].send(type="resign", match=matches[0])
    await bots[0].next("over")
    await until(lambda: arena.conductor.referee(matches[0]) is None)
    assert await challenge(bots[2], "builtin", peer) == "accepted"


async def test_a_challenge_that_was_opened_in_time_cannot_pass_the_share(open_arena: OpenArena) -> None:
    arena = await open_arena()
    (peer,) = await built_in(arena, "builtin")
    hog = await seat(arena, "hog", [GAME], capacity=256)
    for _ in range(5):
        hog.send(type="challenge", opponent="builtin", game=GAME)
    numbers = [(await peer.next("challenged"))["challenge"] for _ in range(5)]
    for number in numbers:
        peer.send(type="answer-challenge", challenge=number, accept=True)
    outcomes = Counter([(await hog.next("challenge-closed"))["outcome"] for _ in range(5)])
    assert outcomes == {"accepted": 2, "impossible": 3}


async def test_built_in_bots_take_no_long_time_controls(open_arena: OpenArena) -> None:
    arena = await open_arena()
    (peer,) = await built_in(arena, "builtin")
    one, other = await seat(arena, "one", [GAME], capacity=9), await seat(arena, "two", [GAME], capacity=9)
    refusal = await challenge(one, "builtin", peer, time_control="601+0")
    assert refusal == "601+0 is too long for the built-in bot builtin; the limit is 600 s for 40 moves"
    assert await challenge(one, "builtin", peer, time_control="500+2.5") == "accepted"
    assert await challenge(one, "two", other, time_control="7200+0") == "accepted"


async def test_a_game_that_is_slow_by_itself_is_played_at_its_own_time(open_arena: OpenArena) -> None:
    arena = await open_arena(time_controls="tictactoe=900+10")
    (peer,) = await built_in(arena, "builtin")
    one = await seat(arena, "one", [GAME])
    assert await challenge(one, "builtin", peer, rated=True) == "accepted"


async def test_bots_and_owners_play_so_many_matches_at_once(open_arena: OpenArena) -> None:
    arena = await open_arena(bot_matches=2, owner_matches=3)
    one, two = [await owned(arena, name, "Ann", capacity=256) for name in ("one", "two")]
    other = await seat(arena, "other", [GAME], capacity=256)
    third = await seat(arena, "third", [GAME], capacity=256)
    assert [await challenge(one, "other", other) for _ in range(3)] == [
        "accepted",
        "accepted",
        "one already plays its maximum number of matches: at most 2 at once",
    ]
    assert "other already plays its maximum" in await challenge(third, "other", other)
    assert await challenge(two, "third", third) == "accepted"
    text = "two already plays its maximum number of matches: at most 3 at once for all bots of one owner"
    assert await challenge(two, "third", third) == text


async def test_a_bot_holds_an_eighth_of_a_ladder_and_its_owner_a_quarter(open_arena: OpenArena) -> None:
    arena = await open_arena(time_controls="tictactoe=900+0")
    await built_in(arena, "builtin-1", "builtin-2", capacity=1)
    others = [await seat(arena, f"other-{number}", [GAME]) for number in range(14)]
    hogs = [await owned(arena, f"hog-{number}", "Ann", capacity=256) for number in range(3)]
    settings = arena.settings
    assert (settings.bot_share, settings.owner_share) == (1 / 8, 1 / 4)
    for peer in others:
        peer.send(type="availability", ladder=True, challenges=True)
    while await arena.ladder.round():
        pass
    counts = [sum(name != "hog" for name in met(arena, hog)) for hog in ("hog-0", "hog-1", "hog-2")]
    assert max(counts) <= 2, "an eighth of sixteen"
    assert sum(counts) <= 4, "a quarter of sixteen"
    assert len(hogs) == len(counts)


def met(arena: Arena, name: str) -> list[str]:
    """The current opponents of a bot; those of its owner all as "hog"."""
    pairs = [[side.bot for side in seen.players] for seen in rows(arena)]
    found = [other for pair in pairs if name in pair for other in pair if other != name]
    return ["hog" if other.startswith("hog") else other for other in found]


def rows(arena: Arena) -> list[MatchRow]:
    """The matches that go on."""
    referees = [arena.conductor.referee(number) for number in arena.live]
    return [referee.row for referee in referees if referee is not None]


async def test_the_ladder_keeps_to_shares_of_built_in_bots(open_arena: OpenArena) -> None:
    arena = await open_arena(time_controls="tictactoe=900+0", bot_share=0.1, owner_share=0.1)
    await built_in(arena, "builtin", capacity=10)
    bots = [await owned(arena, f"bot-{number}", "Ann", capacity=256) for number in range(2)]
    while await arena.ladder.round():
        pass
    assert [len(bots), sum("builtin" in [side.bot for side in row.players] for row in rows(arena))] == [2, 1]


async def test_a_bot_that_never_moves_does_not_use_up_the_boards_of_the_ladder(open_arena: OpenArena) -> None:
    arena = await open_arena(
        ladder=True, ladder_busy=0.75, ladder_patience=1e6, built_in_matches=0, time_controls="tictactoe=900+0",
        bot_share=1.0, owner_share=1.0,
    )  # fmt: skip
    await built_in(arena, "builtin-1", "builtin-2", "builtin-3")
    hog = await seat(arena, "hog", [GAME], capacity=256)
    await until(lambda: all(held(hog, f"builtin-{number}") for number in (1, 2, 3)))
    honest = [await seat(arena, f"honest-{number}", [GAME], ladder=False) for number in range(2)]
    for peer in honest:
        peer.send(type="availability", ladder=True, challenges=True)
    await honest[0].next("match")
    await honest[1].next("match")


def held(peer: Peer, opponent: str) -> int:
    """How many matches against an opponent a bot was informed of."""
    matches = [message for message in peer.log if message["type"] == "match"]
    return sum(message["players"][1 - message["seat"]]["name"] == opponent for message in matches)


async def test_matches_that_a_restart_resumes_count(open_arena: OpenArena) -> None:
    arena = await open_arena()
    token = await register(arena, "builtin", "built-in")
    peer = Peer(arena)
    await peer.hello(token, [GAME], capacity=16)
    hog = await owned(arena, "hog", "Ann", capacity=256)
    assert [await challenge(hog, "builtin", peer) for _ in range(2)] == ["accepted"] * 2
    await arena.stop()
    await arena.store.close()
    arena = await open_arena()
    peer = Peer(arena)
    await peer.hello(token, [GAME], capacity=16)
    friends = [await owned(arena, f"friend-{number}", " ann", capacity=256) for number in range(2)]
    assert [await challenge(friend, "builtin", peer) for friend in friends for _ in range(2)][:2] == ["accepted"] * 2
    assert "with all bots of one owner" in await challenge(friends[1], "builtin", peer)


SIDES = [
    BotAndOwner(0, "ann", False),
    BotAndOwner(1, "ann", False),
    BotAndOwner(2, 2, False),
    BotAndOwner(3, 3, True),
    BotAndOwner(4, 4, True),
]


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(lambda pair: pair[0] != pair[1]), max_size=30))
def test_released_matches_leave_no_counts(pairs: list[tuple[int, int]]) -> None:
    shares = Shares(Settings())
    for one, other in pairs:
        shares.engage(SIDES[one], SIDES[other])
    assert [shares.matches(bot) for bot in range(5)] == [sum(bot in pair for pair in pairs) for bot in range(5)]
    for one, other in reversed(pairs):
        shares.release(one, other)
    kept = [value for value in vars(shares).values() if not isinstance(value, Settings) and not callable(value)]
    assert not any(kept)


@pytest.mark.parametrize("name", ["bot_share", "owner_share"])
def test_a_share_is_no_more_than_all(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} must be 0 to 1"):
        Settings(**{name: 1.5})  # type: ignore[arg-type]  # both are floats


def own_side(bot: int, owner: str) -> BotAndOwner:
    """A bot of an owner, or of none."""
    return BotAndOwner(bot, owner or bot, built_in=False)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)).filter(lambda pair: pair[0] != pair[1])))
def test_own_pairings_stay_below_their_share(wanted: list[tuple[int, int]]) -> None:
    """Of bots 0 to 2 of Ann and bot 3 of nobody, in two games."""
    sides = [own_side(0, "ann"), own_side(1, "ann"), own_side(2, "ann"), own_side(3, "")]
    pairings = OwnPairings(0.25)
    for _ in range(5):
        pairings.begun("nim", sides[1], sides[3])
    begun, own = 5, 0
    for one, other in wanted:
        barred = {frozenset(pair) for pair in pairings.barred(GAME, sides)}
        assert all(3 not in pair for pair in barred)
        if frozenset((one, other)) not in barred:
            pairings.begun(GAME, sides[one], sides[other])
            begun, own = begun + 1, own + (3 not in (one, other))
        assert own <= max(1, 0.25 * (begun - 5))


def test_bots_of_one_owner_play_each_other_where_nobody_else_is() -> None:
    sides = [own_side(0, "ann"), own_side(1, "ann")]
    pairings = OwnPairings(0.0)
    pairings.begun(GAME, *sides)
    assert list(pairings.barred(GAME, sides)) == []
    assert list(pairings.barred(GAME, [*sides, own_side(2, "")])) == [(0, 1)]
    assert list(pairings.barred("nim", [*sides, own_side(2, "")])) == []


@pytest.mark.parametrize(("share", "mutual"), [(0.0, 1), (1.0, 2)])
async def test_the_ladder_pairs_bots_of_one_owner_rarely(open_arena: OpenArena, share: float, mutual: int) -> None:
    """Six bots fill three boards, of which one at most has the bot of another owner."""
    arena = await open_arena(
        time_controls="tictactoe=900+0", own_share=share, bot_share=1.0, owner_share=1.0, ladder_busy=1.0
    )
    bots = [await owned(arena, f"ann-{number}", "Ann") for number in range(5)]
    bots.append(await seat(arena, "other", [GAME]))
    while await arena.ladder.round():
        pass
    pairs = {row.pair or row.id: row for row in rows(arena)}.values()
    assert sum(all(side.bot.startswith("ann") for side in row.players) for row in pairs) == mutual
    assert len(bots) == 6
