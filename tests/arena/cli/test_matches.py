# SPDX-License-Identifier: GPL-3.0-or-later
import asyncio
import json
import time
from pathlib import Path
from typing import Any

import pytest

from arena.cli import main
from arena.store import Store
from arena.store.rows import NewMatch
from engine.games import find
from engine.match.events import encode_event
from engine.match.machine import Match
from tests.arena.conftest import OpenArena
from tests.arena.peers import duel
from tests.arena.store.company import versions
from tests.databases import found
from web.api.exports import OneExport, export_match


async def command(capsys: pytest.CaptureFixture[str], data: Path, *words: str) -> tuple[int, Any]:
    """Run ``arena matches`` as another process would, and return its exit code and its answer."""
    capsys.readouterr()
    code = await asyncio.to_thread(main, ["matches", *words, "--data", str(data), "--json"])
    printed = capsys.readouterr().out.splitlines()
    return code, json.loads(printed[-1]) if printed and printed[-1].startswith("{") else None


async def test_an_aborted_match_ends_on_the_running_server_too(
    tmp_path: Path, open_arena: OpenArena, capsys: pytest.CaptureFixture[str]
) -> None:
    game = await duel(await open_arena(), rated=True)
    code, live = await command(capsys, tmp_path, "list", "--status", "live")
    assert (code, [item["id"] for item in live["items"]]) == (0, [game.match])
    assert (await command(capsys, tmp_path, "abort", str(game.match), "--reason", "by hand"))[0] == 0
    first, second = await game.over()
    assert (first["termination"], first["detail"], second["score"]) == ("void", "by hand", None)
    assert (await game.stored()).row.detail == "by hand"
    assert (await command(capsys, tmp_path, "abort", str(game.match)))[0] == 2
    assert (await command(capsys, tmp_path, "abort", "99"))[0] == 2


async def test_a_match_is_shown_with_its_moves(
    tmp_path: Path, open_arena: OpenArena, capsys: pytest.CaptureFixture[str]
) -> None:
    arena = await open_arena()
    game = await duel(arena)
    await asyncio.gather(game.first.play(), game.second.play())
    code, shown = await command(capsys, tmp_path, "show", str(game.match))
    assert (code, shown["match"]["result"], shown["events"][0]["type"]) == (0, "1-0", "moved")
    assert await asyncio.to_thread(main, ["matches", "show", str(game.match), "--data", str(tmp_path)]) == 0
    assert "first-0 (1500) - second-0 (1500): 1-0 decided" in capsys.readouterr().out
    assert await asyncio.to_thread(main, ["matches", "list", "--data", str(tmp_path)]) == 0
    assert "decided" in capsys.readouterr().out


async def test_matches_of_one_bot_are_listed(
    tmp_path: Path, open_arena: OpenArena, capsys: pytest.CaptureFixture[str]
) -> None:
    arena = await open_arena()
    games = [await duel(arena), await duel(arena)]
    for game in games:
        await asyncio.gather(game.first.play(), game.second.play())
    _, everything = await command(capsys, tmp_path, "list")
    mine = [item["id"] for item in everything["items"] if "first-2" in [side["bot"] for side in item["players"]]]
    assert 0 < len(mine) < len(everything["items"])
    _, listed = await command(capsys, tmp_path, "list", "--bot", "first-2")
    assert [item["id"] for item in listed["items"]] == mine
    assert (await command(capsys, tmp_path, "list", "--bot", "nobody"))[0] == 2
    assert await asyncio.to_thread(main, ["matches", "list", "--game", "chess", "--data", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "there are no such matches\n"


async def test_what_a_seat_saw_is_shown_after_the_end(
    tmp_path: Path, open_arena: OpenArena, capsys: pytest.CaptureFixture[str]
) -> None:
    arena = await open_arena(games="kuhn,tictactoe", time_controls="")
    game = await duel(arena, "kuhn")
    await game.move(game.first, "bet")
    show = "matches", "show", str(game.match), "--data", str(tmp_path), "--seat"
    assert await asyncio.to_thread(main, [*show, "1"]) == 2
    assert f"what a seat saw of match {game.match} is secret until its end" in capsys.readouterr().err
    game.first.send(type="resign", match=game.match)
    await game.over()
    code, shown = await command(capsys, tmp_path, "show", str(game.match), "--seat", "1")
    deal, bet = shown["moves"]
    assert (code, shown["view"], shown["observation"], shown["initial"]) == (0, 1, "1/100 0 -- - -", "...")
    assert (deal["move"][0], bet["move"], bet["seat"]) == ("?", "bet", 0)
    assert bet["observation"] == f"1/100 0 ?{deal['move'][1]} r -"
    assert await asyncio.to_thread(main, [*show, "1"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[1:] == [
        " ply  seat  move  what seat 1 saw",
        "   0              1/100 0 -- - -",
        f"   1        {deal['move']}    {deal['observation']}",
        f"   2  0     bet   {bet['observation']}",
    ]
    noughts = await duel(arena)
    await asyncio.gather(noughts.first.play(), noughts.second.play())
    assert await asyncio.to_thread(main, ["matches", "show", "2", "--data", str(tmp_path), "--seat", "0"]) == 2
    assert "both seats see everything in tictactoe; leave out the seat" in capsys.readouterr().err


async def test_the_cards_of_a_pair_stay_hidden_until_both_matches_are_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found(tmp_path)
    secret = "ab" * 16
    async with await Store.open(f"sqlite:///{tmp_path / 'arena.db'}") as store:
        one, other = await versions(store, "one", "other")
        # the other match of the pair is not over
        new = NewMatch(
            "kuhn", "bullet", None, False, 1, None, (), (one.id, other.id), dice_secret=secret, mirrored_dice=True
        )
        number = await store.matches.start(new)
        moved = Match(find("kuhn"), seed=int(secret, 16)).moves
        await store.matches.append(number, [(place, encode_event(event)) for place, event in enumerate(moved)])
        await store.matches.finish(number, result="1-0", termination="resignation", plies=len(moved))
        code, shown = await command(capsys, tmp_path, "show", str(number))
        assert (code, [event["move"] for event in shown["events"]]) == (0, ["?"])
        assert shown["match"]["dice_secret"] is None
        assert await asyncio.to_thread(main, ["matches", "export", str(number), "--data", str(tmp_path)]) == 2
        assert "it has hidden information" in capsys.readouterr().err
        assert (await command(capsys, tmp_path, "show", str(number), "--seat", "0"))[0] == 2
        await store.matches.unseal([number])
        code, shown = await command(capsys, tmp_path, "show", str(number))
        assert [event["move"] for event in shown["events"]] == [moved[0].move]
        assert shown["match"]["dice_secret"] == secret
        assert (await command(capsys, tmp_path, "show", str(number), "--seat", "0"))[0] == 0


def test_an_empty_list_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found(tmp_path)
    assert main(["matches", "show", "7", "--data", str(tmp_path)]) == 2
    assert capsys.readouterr().err.strip().endswith("there is no match 7")


async def test_matches_are_exported_as_the_api_exports_them(
    tmp_path: Path, open_arena: OpenArena, capsys: pytest.CaptureFixture[str]
) -> None:
    arena = await open_arena(games="checkers,tictactoe", time_controls="")
    noughts, draughts = await duel(arena), await duel(arena, "checkers")
    await asyncio.gather(noughts.first.play(), noughts.second.play())
    turn = await draughts.first.next("turn")
    draughts.first.send(type="resign", match=turn["match"])
    await draughts.over()

    async def written(*words: str) -> str:
        code = await asyncio.to_thread(main, ["matches", "export", *words, "--data", str(tmp_path)])
        assert code == 0
        return capsys.readouterr().out

    capsys.readouterr()
    draughts_text = (await export_match(arena, OneExport(id=draughts.match, format="pdn"))).body
    assert '[GameType "21"]' in draughts_text
    assert await written(str(draughts.match), "--format", "pdn") == draughts_text
    assert await written("--format", "pdn") == draughts_text
    lines = (await written("--limit", "2")).splitlines(keepends=True)
    assert [json.loads(line)["game"] for line in lines] == ["checkers", "tictactoe"]
    assert (await export_match(arena, OneExport(id=noughts.match, format="jsonl"))).body == lines[1]
    assert await written("--game", "tictactoe") == lines[1]

    out = tmp_path / "games.pdn"
    code, told = await command(capsys, tmp_path, "export", "--format", "pdn", "--out", str(out))
    assert (code, told["matches"], sum(told["left_out"].values())) == (0, 1, 1)
    assert out.read_text("utf-8") == draughts_text

    await arena.store.prune(time.time() + 1)
    assert await written() == ""
    for words, why in (
        (["--format", "pgn", str(noughts.match)], "pgn has no notation for tictactoe"),
        ([str(noughts.match)], "the moves were deleted because of their age"),
        (["99"], "there is no match 99"),
        (["--limit", "0"], "must be 1 or more"),
        (["--game", "tictactoe", "1"], "cannot be combined with numbers of matches"),
        (["--format", "pgn", "--game", "checkers"], "pgn has no notation for checkers"),
        (["--format", "pdn", "--json"], "--json needs --out"),
        (["--out", str(tmp_path)], "cannot write"),
    ):
        assert await asyncio.to_thread(main, ["matches", "export", *words, "--data", str(tmp_path)]) == 2
        told_why = capsys.readouterr().err.splitlines()[-1]
        assert told_why.startswith("arena matches: ")
        assert why in told_why
