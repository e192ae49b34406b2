# SPDX-License-Identifier: GPL-3.0-or-later
import struct
from collections.abc import Sequence

import pytest

from bots.wasm.abi import OFFER_DRAW, Answer, TurnInput, read_answer
from bots.wasm.machine import (
    HOST_CALL,
    MEMORY,
    MOST_CODE,
    MOST_LOGGED,
    InstructionsUsedUp,
    Machine,
    Trapped,
    WasmFailed,
    in_deep_thread,
)
from tests.bots.wasm.modules import DEEP, FIRST, GROW, GROWN, LOG, LOOP, USED, module

LIMIT = 50_000_000


def turn(moves: Sequence[str] = ("a1", "b2", "c3"), *, budget: int = LIMIT, ply: int = 4) -> TurnInput:
    return TurnInput(
        game="tictactoe", position="x../.o./...", last_move="b2", moves=moves, seat=0, ply=ply, budget=budget
    )


def played(text: str, *turns: TurnInput, limit: int = LIMIT) -> list[tuple[Answer, int]]:
    """Return what a new instance of a module answers to turns, and the instructions of each answer."""

    def play() -> list[tuple[Answer, int]]:
        machine = Machine(text.encode())
        return [machine.move(each, limit) for each in turns or (turn(),)]

    return in_deep_thread(play)


def failure(text: str | bytes, kind: type[WasmFailed] = WasmFailed, limit: int = LIMIT) -> str:
    """Return why a module cannot play."""
    content = text.encode() if isinstance(text, str) else text
    with pytest.raises(kind) as caught:
        in_deep_thread(lambda: Machine(content).move(turn(), limit))
    assert type(caught.value) is kind
    return str(caught.value)


class TestAbi:
    def test_a_turn_lies_in_memory_as_the_header_declares_it(self) -> None:
        given = TurnInput(
            game="chess",
            position="fen",
            last_move=None,
            moves=["e2e4", "é"],
            seat=1,
            ply=7,
            draw_offered=True,
            clock=1000,
            opponent_clock=2000,
            increment=10,
            moves_to_go=40,
            budget=1 << 40,
        )
        address = 4096
        memory = bytes(address) + given.packed(address)

        def text(place: int) -> str:
            return memory[place : memory.index(b"\0", place)].decode()

        fields = struct.unpack_from("<4II3i4iQ", memory, address)
        game, position, last_move, moves, count, seat, ply, offered, *times, budget = fields
        assert (text(game), text(position), last_move, count) == ("chess", "fen", 0, 2)
        assert [text(place) for place in struct.unpack_from("<2I", memory, moves)] == ["e2e4", "é"]
        assert (seat, ply, offered, times, budget) == (1, 7, 1, [1000, 2000, 10, 40], 1 << 40)

    def test_answers(self) -> None:
        assert read_answer(2, 3) == Answer(2)
        assert read_answer(-1, 3) == Answer(None)
        assert read_answer(OFFER_DRAW + 1, 3) == Answer(1, offers_draw=True)
        for wrong in (3, -2, OFFER_DRAW + 3):
            with pytest.raises(ValueError, match="numbered from 0"):
                read_answer(wrong, 3)


class TestPlay:
    def test_a_bot_reads_its_turn_and_answers_by_a_number(self) -> None:
        # the second letter of the third move, "c3"
        move = """(i32.sub (i32.load8_u offset=1 (i32.load offset=8 (i32.load offset=12 (local.get $turn))))
            (i32.const 50))"""
        (answer, used), *_ = played(module(move))
        assert answer == Answer(1)
        assert 0 < used < 100

    def test_the_memory_lasts_through_a_match(self) -> None:
        move = """(i32.store (i32.const 8) (i32.add (i32.load (i32.const 8)) (i32.const 1)))
            (i32.sub (i32.load (i32.const 8)) (i32.const 1))"""
        assert [answer.move for answer, _ in played(module(move), turn(), turn(), turn())] == [0, 1, 2]

    def test_a_larger_turn_asks_for_a_larger_buffer(self) -> None:
        grown = """(if (i32.gt_u (local.get $size) (i32.const 8192)) (then (drop (memory.grow (i32.const 30)))))
            (i32.const 1024)"""
        many = turn([f"move-{number}" for number in range(5_000)])
        assert [answer.move for answer, _ in played(module(buffer=grown), turn(), many, turn())] == [0, 0, 0]

    def test_the_text_of_an_export_is_optional(self) -> None:
        version = '(func (export "arena_version") (result i32) (i32.const 16))'
        machine = in_deep_thread(lambda: Machine(module(more=version).encode()))
        assert in_deep_thread(lambda: (machine.text("arena_version"), machine.text("arena_description"))) == (
            "tictactoe,chess",
            None,
        )

    def test_a_module_may_refuse_or_accept_draws(self) -> None:
        accepts = '(func (export "arena_accept_draw") (result i32) (i32.const 1))'
        refusing = in_deep_thread(lambda: Machine(module().encode()))
        accepting = in_deep_thread(lambda: Machine(module(more=accepts).encode()))
        assert in_deep_thread(lambda: (refusing.accepts_draw(), accepting.accepts_draw())) == (False, True)


class TestDeterminism:
    def test_instances_use_the_same_instructions_for_the_same_turns(self) -> None:
        move = f"(drop (call $deep (i32.load offset=24 (local.get $turn)))) {FIRST}"
        turns = [turn(ply=ply) for ply in (1, 50, 3)]
        first = played(module(move, more=DEEP), *turns)
        assert first == played(module(move, more=DEEP), *turns)
        assert len({used for _, used in first}) == 3

    def test_a_not_a_number_has_one_representation(self) -> None:
        # 0/0 is negative on x86 and positive on ARM, unless it is made canonical
        move = """(f64.store (i32.const 0) (f64.div (f64.load (i32.const 8)) (f64.load (i32.const 8))))
            (i32.shr_u (i32.load (i32.const 4)) (i32.const 31))"""
        assert played(module(move))[0][0] == Answer(0)

    @pytest.mark.parametrize(
        ("what", "text"),
        [
            ("shared memory", module(pages="1 2 shared")),
            ("atomics", module("(i32.atomic.load (i32.const 8))")),
            (
                "relaxed SIMD",
                module("""(i32x4.extract_lane 0 (i32x4.relaxed_trunc_f32x4_s (f32x4.splat (f32.const nan))))"""),
            ),
            ("tail calls", module("(return_call $f)", more="(func $f (result i32) (i32.const 0))")),
            ("two memories", module(more="(memory $other 1)")),
            ("64-bit memory", module(pages="i64 1")),
            ("exceptions", module(more="(tag $t)")),
            ("garbage collection", module(more="(type $s (struct))")),
        ],
    )
    def test_what_may_differ_between_machines_is_refused(self, what: str, text: str) -> None:
        assert "not valid" in failure(text) or "type that is not a function type" in failure(text), what

    def test_simd_computes(self) -> None:
        move = """(i8x16.extract_lane_s 3 (i8x16.shuffle 0 1 2 17 4 5 6 7 8 9 10 11 12 13 14 15
            (v128.load (i32.const 512)) (i8x16.splat (call $one))))"""
        assert played(module(move, more="(func $one (result i32) (i32.const 1))"))[0][0] == Answer(1)


class TestLimits:
    def test_an_endless_loop_uses_up_its_instructions(self) -> None:
        assert (
            failure(module(LOOP), InstructionsUsedUp, 1_000_000) == "the module used all of its 1,000,000 instructions"
        )

    def test_filling_memory_counts_as_its_bytes(self) -> None:
        fill = "(loop $again (memory.fill (i32.const 4096) (i32.const 1) (i32.const 100000)) (br $again)) (i32.const 0)"
        failure(module(fill), InstructionsUsedUp)
        (_, used), *_ = played(module(f"(memory.fill (i32.const 4096) (i32.const 1) (i32.const 100000)) {FIRST}"))
        assert used > 100_000

    def test_a_start_function_that_never_ends(self) -> None:
        endless = "(func $s (loop $again (br $again))) (start $s)"
        assert "instructions" in failure(module(more=endless), InstructionsUsedUp)

    def test_memory_grows_to_its_maximum_only(self) -> None:
        turns = turn([str(number) for number in range(100)])
        assert played(module(GROW), turns)[0][0] == Answer(GROWN)
        assert GROWN == MEMORY // (256 << 16) - 1

    def test_too_much_memory_at_the_start(self) -> None:
        assert "memory" in failure(module(pages="5000"))

    def test_a_module_that_is_too_large(self) -> None:
        assert failure(b"\0asm\1\0\0\0" + bytes(MOST_CODE)) == "the module has 4,194,312 bytes; the limit is 4,194,304"

    def test_a_flood_of_calls_of_imports(self) -> None:
        flood = "(loop $again (call $log (i32.const 16) (i32.const 4)) (br $again)) (i32.const 0)"
        logged: list[str] = []
        with pytest.raises(InstructionsUsedUp):
            in_deep_thread(lambda: Machine(module(flood, before=LOG).encode(), logged.append).move(turn(), LIMIT))
        # each costs as much as it takes
        assert 0 < len(logged) <= LIMIT // HOST_CALL

    def test_a_log_ends_at_its_limit(self) -> None:
        loud = f"(call $log (i32.const 0) (i32.const 60000)) (call $log (i32.const 0) (i32.const 60000)) {FIRST}"
        logged: list[str] = []
        machine = in_deep_thread(lambda: Machine(module(loud, before=LOG).encode(), logged.append))
        in_deep_thread(lambda: [machine.move(turn(), LIMIT) for _ in range(3)])
        assert len("".join(logged[:2])) == MOST_LOGGED
        assert logged[2].startswith("\n(The bot has logged")
        assert len(logged) == 3

    def test_a_bot_can_ask_what_it_used(self) -> None:
        move = """(i32.store (i32.const 0) (i32.wrap_i64 (call $used)))
            (loop $again (br_if $again (i32.lt_u (i32.wrap_i64 (call $used)) (i32.const 200000)))) (i32.const 0)"""
        (answer, used), *_ = played(module(move, before=USED), limit=1_000_000)
        assert answer == Answer(0)
        assert 200_000 <= used < 200_000 + 2 * HOST_CALL


class TestTraps:
    @pytest.mark.parametrize(
        ("move", "reason"),
        [
            ("(unreachable)", "unreachable instruction"),
            ("(i32.load (i32.const -4))", "outside its memory"),
            ("(i32.div_u (i32.const 1) (local.get $i))", "divided by zero"),
            ("(i32.div_s (i32.const 0x80000000) (i32.const -1))", "an integer overflowed"),
            ("(i32.trunc_f32_s (f32.const nan))", "converted a number"),
            ("(call_indirect (result i32) (i32.const 7))", "outside its table"),
            ("(call_indirect (result i32) (i32.const 0))", "null function pointer"),
            ("(call_indirect (result i32) (i32.const 1))", "of another type"),
        ],
    )
    def test_the_reason_is_given(self, move: str, reason: str) -> None:
        table = "(func $f (param i64)) (table 2 2 funcref) (elem (i32.const 1) func $f)"
        assert reason in failure(module(move, more=table), Trapped)

    def test_a_number_that_is_no_move(self) -> None:
        assert failure(module("(i32.const 3)")) == "arena_move returned 3, and the turn had 3 moves, numbered from 0"

    @pytest.mark.parametrize("buffer", ["(i32.const 0)", "(i32.const 1028)", "(i32.const 131064)", "(i32.const -8)"])
    def test_a_buffer_that_cannot_hold_the_turn(self, buffer: str) -> None:
        assert "arena_buffer returned" in failure(module(buffer=buffer))


class TestInvalid:
    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("", "not a WebAssembly module"),
            ("#!/bin/sh\necho hello\n", "not a WebAssembly module"),
            ("(module (func", "the module's text has an error"),
            ("(module)", "exports no memory"),
            ('(module (memory (export "memory") 1))', "exports no function 'arena_games'"),
            (module().replace("arena_move", "move"), "exports no function 'arena_move'"),
            (module().replace("$turn i32", "$turn i64"), "of type (i64) -> (i32); it must be (i32) -> (i32)"),
            (module(before='(import "env" "system" (func (param i32) (result i32)))'), "imports env.system of type"),
            (module(before='(import "arena" "log" (func (param i32)))'), "imports arena.log of type (i32) -> ()"),
            (module(before='(import "env" "g" (global i32))'), "imports env.g, which is not a function"),
            (module(games="x").replace("(i32.const 16))", "(i32.const -1))"), ""),
        ],
    )  # fmt: skip
    def test_the_reason_is_given(self, text: str, reason: str) -> None:
        if reason:
            assert reason in failure(text)
        else:
            with pytest.raises(WasmFailed, match="where no text"):
                in_deep_thread(lambda: Machine(text.encode()).text("arena_games"))

    def test_bytes_that_are_cut_off(self) -> None:
        assert "not valid" in failure(b"\0asm\1\0\0\0\1\5")


class TestWasi:
    def test_output_is_logged_and_the_rest_has_no_effect(self) -> None:
        before = """
            (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
            (import "wasi_snapshot_preview1" "clock_time_get" (func $clock (param i32 i64 i32) (result i32)))
            (import "wasi_snapshot_preview1" "random_get" (func $random (param i32 i32) (result i32)))"""
        move = """(i32.store (i32.const 512) (i32.const 16)) (i32.store (i32.const 516) (i32.const 9))
            (drop (call $write (i32.const 2) (i32.const 512) (i32.const 1) (i32.const 600)))
            (if (i32.ne (call $clock (i32.const 0) (i64.const 0) (i32.const 640)) (i32.const 52)) (then (unreachable)))
            (if (i32.ne (call $random (i32.const 640) (i32.const 8)) (i32.const 52)) (then (unreachable)))
            (if (i64.ne (i64.load (i32.const 640)) (i64.const 0)) (then (unreachable)))
            (if (i32.ne (i32.load (i32.const 600)) (i32.const 9)) (then (unreachable)))
            (if (i32.ne (call $write (i32.const 3) (i32.const 512) (i32.const 1) (i32.const 600)) (i32.const 8))
                (then (unreachable)))
            (if (i32.ne (call $write (i32.const 1) (i32.const -8) (i32.const 1) (i32.const 600)) (i32.const 21))
                (then (unreachable)))
            (i32.const 0)"""
        logged: list[str] = []
        in_deep_thread(lambda: Machine(module(move, before=before).encode(), logged.append).move(turn(), LIMIT))
        assert logged == ["tictactoe"]

    def test_a_module_that_ends_itself(self) -> None:
        before = '(import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))'
        text = module(f"(call $exit (i32.const 7)) {FIRST}", before=before)
        assert failure(text, Trapped) == "the module ended itself with exit status 7"
