# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of all benchmarks: targets, medians, missing peers."""

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import chess
import pytest

from lab.bench import catalogue, processes
from lab.bench.catalogue import BENCHMARKS
from lab.bench.games import perft
from lab.bench.measurements import Measurement, Skipped, beside, median
from lab.bench.search import nodes
from lab.bench.server import messages
from tools import debian
from tools.debian import installed


@pytest.mark.parametrize(
    ("ours", "peer", "of", "bound", "target", "reached"),
    [
        (6.0, 2.0, "ratio", "at least", 3.0, True),
        (5.9, 2.0, "ratio", "at least", 3.0, False),
        (6.0, 2.0, "ratio", "at most", 3.0, True),
        (6.1, 2.0, "ratio", "at most", 3.0, False),
        (6.0, None, "ratio", "at most", 3.0, False),
        (6.0, None, "figure", "at most", 6.0, True),
        (6.0, 100.0, "figure", "at least", 7.0, False),
    ],
)
def test_a_target_bounds_the_figure_or_the_ratio(
    ours: float, peer: float | None, of: str, bound: str, target: float, reached: bool
) -> None:
    line = Measurement(what="x", unit="s", ours=ours, peer=peer, of=of, bound=bound, target=target)  # type: ignore[arg-type]  # a Literal each
    assert line.reached is reached


def test_a_median_leaves_the_first_measurement_out() -> None:
    measured = iter([1000.0, 3.0, 1.0, 2.0])
    assert median(lambda: next(measured), 3) == 2.0


def test_a_line_without_a_target_is_there_to_look_at() -> None:
    assert Measurement(what="x", unit="s", ours=1.0, peer=2.0).reached


def test_a_peer_that_is_missing_leaves_our_figure() -> None:
    def missing() -> float:
        raise Skipped("nothing is there")

    assert beside(lambda: 1.0, missing) == (1.0, None, "nothing is there")
    assert beside(lambda: 1.0, lambda: 2.0) == (1.0, 2.0, "")


def reached() -> Iterator[Measurement]:
    """one that is reached"""
    yield Measurement(what="a thing", unit="s", ours=1.0, peer=2.0, of="ratio", bound="at most", target=0.5)


def missed() -> Iterator[Measurement]:
    """one that is missed"""
    yield Measurement(what="another", unit="s", ours=2.0, of="figure", bound="at most", target=1.0)


def impossible() -> Iterator[Measurement]:
    """one that cannot run"""
    raise Skipped("nothing is there")


def test_benchmarks_are_chosen_by_name(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert all(run.__doc__ for run in BENCHMARKS.values())
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(catalogue, "BENCHMARKS", {"reached": reached, "missed": missed, "impossible": impossible})
    assert catalogue.main(["reached", "impossible", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["lines"][0]["ratio"] == 0.5
    assert told["skipped"] == {"impossible": "nothing is there"}
    assert catalogue.main([]) == 1
    table = capsys.readouterr().out
    assert "another" in table
    assert "impossible was not run: nothing is there" in table
    with pytest.raises(SystemExit):
        catalogue.main(["chess"])


def test_the_program_in_c_counts_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "FOLDER", tmp_path)  # another run of the tests may use the checkout's
    try:
        program = processes.compiled(perft.SOURCE)
    except Skipped as reason:
        pytest.skip(str(reason))
    known = [1, 7, 49, 302, 1469, 7361, 36768, 179740]
    for depth, leaves in list(enumerate(known))[1:]:
        assert json.loads(processes.output([str(program), str(depth)]))["leaves"] == leaves


def test_counts_of_leaves_of_chess_are_right() -> None:
    tree = perft.Tree("chess", 4, 197_281, perft.START.fen)
    assert tree.rate() > 0
    assert perft.in_python_chess(tree) > 0
    if installed("stockfish"):
        assert perft.in_stockfish(perft.START) > 0


def test_positions_to_search_are_middle_games() -> None:
    for fen in nodes.POSITIONS:
        board = chess.Board(fen)
        assert board.is_valid()
        assert len(board.piece_map()) >= 22
        assert not board.castling_rights


def test_a_missing_program_is_a_reason_to_skip(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(debian, "SYSTEM", tmp_path)
    monkeypatch.setattr(debian, "BIN", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Skipped, match="no gnuchess: it is not installed"):
        processes.debian("gnuchess")
    (tmp_path / "gnuchess").touch(0o755)
    assert processes.debian("gnuchess") == tmp_path / "gnuchess"


def test_a_peer_that_fails_is_a_reason_to_skip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "FOLDER", tmp_path)
    source = tmp_path / "wrong.c"
    source.write_text("this is no C")
    with pytest.raises(Skipped, match=r"C compiler|cannot be compiled"):
        processes.compiled(source)
    with pytest.raises(Skipped, match="failed"):
        processes.output([sys.executable, "-c", "raise SystemExit(3)"])


def test_the_bare_server_echoes() -> None:
    messages.MOVE_SECONDS, seconds = 0.3, messages.MOVE_SECONDS
    try:
        # a tick of the system's clock is long beside an echo, and connecting counts
        assert 0 <= messages.echo_cpu(2, None) < 10_000_000
    finally:
        messages.MOVE_SECONDS = seconds


@pytest.mark.parametrize(("name", "module"), [(name, module) for name, (module, _) in catalogue.MODULES.items()])
def test_every_benchmark_is_in_the_module_that_the_catalogue_names(name: str, module: str) -> None:
    assert name in importlib.import_module(f"lab.bench.{module}").BENCHMARKS
