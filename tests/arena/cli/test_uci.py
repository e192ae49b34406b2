# SPDX-License-Identifier: GPL-3.0-or-later
"""``arena uci`` in a process of its own, driven as a chess program does it, by python-chess's engine module."""

import asyncio
import contextlib
import resource
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator

import chess
import chess.engine
import pytest

from arena.cli import main
from bots.built_in.kinds.searching import STRONGEST

COMMAND = [sys.executable, "-m", "arena.cli", "uci"]
MATE_IN_TWO = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"
"""P. Morphy."""


@contextlib.asynccontextmanager
async def started(*arguments: str) -> AsyncIterator[chess.engine.UciProtocol]:
    """The engine, asked for its name and options only."""
    transport, engine = await chess.engine.popen_uci([*COMMAND, *arguments])
    try:
        yield engine
    finally:
        with contextlib.suppress(chess.engine.EngineTerminatedError, TimeoutError):
            await asyncio.wait_for(engine.quit(), 600)
        transport.close()


async def test_a_chess_program_plays_analyses_and_ponders() -> None:
    async with started() as engine:
        assert engine.id["name"] == f"Bot Arena {STRONGEST}"
        assert {"Hash", "MultiPV", "Clear Hash", "Threads", "Ponder", "Bot"} <= set(engine.options)
        await engine.configure({"Hash": 16})
        await engine.ping()
        await plays_by_depth_nodes_time_and_clock(engine)
        await analyses_until_it_is_stopped(engine)
        await ponders(engine)
        await analyses_several_lines(engine)
        await knows_what_has_stood_before(engine)
        await finds_mates_and_knows_the_end(engine)
        await searches_some_moves_only(engine)
        await plays_as_another(engine)


async def analyses_several_lines(engine: chess.engine.UciProtocol) -> None:
    """The best line is that of a search for one line alone."""
    board = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 2 3")
    limit = chess.engine.Limit(depth=4)
    alone = await engine.analyse(board, limit, game=object())
    lines = await engine.analyse(board, limit, game=object(), multipv=3)
    assert [each["multipv"] for each in lines] == [1, 2, 3]
    assert [each["depth"] for each in lines] == [4, 4, 4]
    assert lines[0]["pv"] == alone["pv"]
    assert lines[0]["score"] == alone["score"]
    assert lines[0]["nodes"] == alone["nodes"]
    assert board.san(lines[0]["pv"][0]) == "Qxf7#"
    assert len({each["pv"][0] for each in lines}) == 3
    scores = [each["score"].relative.score(mate_score=100_000) for each in lines]
    assert scores == sorted(scores, reverse=True)
    only = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h3")]
    confined = await engine.analyse(board, limit, game=object(), multipv=3, root_moves=only)
    assert {each["pv"][0] for each in confined} == set(only)
    with await engine.analysis(chess.Board(), multipv=2) as analysis:
        async for told in analysis:
            if told.get("multipv") == 2 and told["depth"] >= 2:
                break
    again = await engine.analyse(board, limit, game=object())
    assert "multipv" not in again


async def plays_by_depth_nodes_time_and_clock(engine: chess.engine.UciProtocol) -> None:
    board = chess.Board()
    played = await engine.play(board, chess.engine.Limit(depth=4), info=chess.engine.INFO_ALL)
    assert played.move is not None
    assert played.move in board.legal_moves
    assert played.info["depth"] == 4
    assert abs(played.info["score"].relative.score(mate_score=10_000)) < 300
    assert played.info["pv"][0] == played.move
    assert played.info["nodes"] > 100
    assert "nps" in played.info
    again = await engine.play(board, chess.engine.Limit(nodes=3000), info=chess.engine.INFO_ALL)
    assert again.info["nodes"] <= 3000
    for limit in (
        chess.engine.Limit(time=0.3),
        chess.engine.Limit(white_clock=3.0, black_clock=60, white_inc=0, black_inc=0),
    ):
        played = await engine.play(board, limit)  # without its limit it would search for ever
        assert played.move is not None
        assert played.move in board.legal_moves


async def analyses_until_it_is_stopped(engine: chess.engine.UciProtocol) -> None:
    with await engine.analysis(chess.Board()) as analysis:
        async for told in analysis:
            if told.get("depth", 0) >= 3:
                break
        analysis.stop()
        best = await analysis.wait()
    assert best.move is not None


async def ponders(engine: chess.engine.UciProtocol) -> None:
    board, game = chess.Board(), object()
    limit = chess.engine.Limit(white_clock=2, black_clock=2, white_inc=0.1, black_inc=0.1)
    for _ in range(3):
        played = await engine.play(board, limit, game=game, ponder=True)
        assert played.move is not None
        board.push(played.move)
        board.push(played.ponder or next(iter(board.legal_moves)))
        await asyncio.sleep(0.1)
    await engine.ping()


async def knows_what_has_stood_before(engine: chess.engine.UciProtocol) -> None:
    """A queen ahead, it repeats no position for the third time."""
    board = chess.Board("7k/8/8/8/8/8/8/KQ6 w - - 0 1")
    for move in ["b1b2", "h8g8", "b2b1", "g8h8"] * 2:
        board.push_uci(move)
    played = await engine.play(board, chess.engine.Limit(depth=5))
    assert played.move is not None
    board.push(played.move)
    assert not board.is_repetition(3)


async def finds_mates_and_knows_the_end(engine: chess.engine.UciProtocol) -> None:
    board = chess.Board(MATE_IN_TWO)
    played = await engine.play(board, chess.engine.Limit(mate=2), info=chess.engine.INFO_ALL)
    assert played.move == chess.Move.from_uci("a1a6")
    assert played.info["score"].relative == chess.engine.Mate(2)
    mated = chess.Board("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
    assert (await engine.play(mated, chess.engine.Limit(depth=2))).move is None


async def searches_some_moves_only(engine: chess.engine.UciProtocol) -> None:
    board = chess.Board(MATE_IN_TWO)
    only = [chess.Move.from_uci("a1a2"), chess.Move.from_uci("a1b1")]
    limit = chess.engine.Limit(depth=4)
    played = await engine.play(board, limit, root_moves=only, info=chess.engine.INFO_ALL)
    assert played.move in only
    assert 0 <= played.info["hashfull"] <= 1000
    assert (await engine.play(board, limit)).move not in only


async def plays_as_another(engine: chess.engine.UciProtocol) -> None:
    await engine.configure({"Bot": "random"})
    board = chess.Board()
    limit = chess.engine.Limit(white_clock=5, black_clock=5)
    while len(board.move_stack) < 10:
        played = await engine.play(board, limit)
        assert played.move is not None
        assert played.move in board.legal_moves
        board.push(played.move)


async def test_it_answers_before_it_compiles_and_quits_at_once() -> None:
    process = await asyncio.create_subprocess_exec(*COMMAND, "minimax-2", stdin=PIPE, stdout=PIPE)
    began = spent()
    told, _ = await asyncio.wait_for(process.communicate(b"uci\n\xff\xfe nonsense\nposition fen 8\nquit\n"), 600)
    assert process.returncode == 0
    lines = told.decode().splitlines()
    assert lines[0] == "id name Bot Arena minimax-2"
    assert "uciok" in lines
    assert any(line.startswith("info string unknown command") for line in lines)
    assert spent() - began < 20


def spent() -> float:
    """Return how long the processors worked for the processes that have ended, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.mark.parametrize(
    ("arguments", "why"),
    [(["nobody"], "no bot is called 'nobody'"), (["uci:no-such"], "there is no program 'no-such'")],
)
def test_unknown_players_are_errors(arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["uci", *arguments]) == 2
    assert why in capsys.readouterr().err
