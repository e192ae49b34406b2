# SPDX-License-Identifier: GPL-3.0-or-later
import wasmtime

from bots.wasm.binary import section
from bots.wasm.machine import Trapped, binary
from bots.wasm.stack_limit import UNITS, limit_stack
from tests.bots.wasm.modules import DEEP, FIRST, module
from tests.bots.wasm.test_machine import failure, played, turn

EVERY_OPERAND = """(module
  (type $t (func (param i32) (result i32)))
  (memory 1)
  (table $t0 4 funcref)
  (global $g (mut i64) (i64.const -5))
  (elem declare func $callee)
  (elem $e func $callee)
  (data $d "abc")
  (func $callee (param i32) (result i32) (local.get 0))
  (func (export "f") (param $n i32) (result i32) (local $v v128) (local $f f64)
    (block $out (block $a (block $b (br_table $a $b $out (local.get $n)))))
    (drop (select (result i32) (i32.const 1000000) (i32.const -1000000) (local.get $n)))
    (drop (f32.const 1.5)) (local.set $f (f64.const -2.5)) (drop (i64.const 0x7fffffffffffffff))
    (drop (i32.trunc_sat_f64_s (local.get $f)))
    (memory.init $d (i32.const 0) (i32.const 0) (i32.const 3)) (data.drop $d)
    (memory.copy (i32.const 8) (i32.const 0) (i32.const 3)) (memory.fill (i32.const 0) (i32.const 16) (i32.const 4))
    (table.init $t0 $e (i32.const 0) (i32.const 0) (i32.const 1)) (elem.drop $e)
    (table.copy (i32.const 1) (i32.const 0) (i32.const 1)) (table.set (i32.const 2) (table.get (i32.const 1)))
    (drop (table.grow (ref.null func) (i32.const 1))) (table.fill (i32.const 3) (ref.func $callee) (i32.const 1))
    (drop (table.size)) (drop (ref.is_null (table.get (i32.const 0)))) (drop (memory.grow (memory.size)))
    (local.set $v (v128.const i32x4 16 17 0x10101010 0x11111111))
    (local.set $v (v128.load8_lane offset=300 7 (i32.const 16) (local.get $v)))
    (v128.store32_lane offset=17 align=1 3 (i32.const 16) (local.get $v))
    (local.set $v (v128.load64_zero (i32.const 16))) (local.set $v (v128.load32_splat (i32.const 16)))
    (local.set $v (i8x16.swizzle (local.get $v) (i16x8.replace_lane 2 (local.get $v) (i32.const 16))))
    (local.set $v (i8x16.shuffle 16 17 16 17 16 17 16 17 16 17 16 17 16 17 16 17 (local.get $v) (local.get $v)))
    (global.set $g (i64.extend32_s (global.get $g)))
    (i32.add (call $callee (i32.const 16)) (call_indirect (type $t) (local.get $n) (i32.const 3)))))
"""
"""Has each shape of operands, many of which look like calls (0x10 and 0x11)."""


def called(content: bytes) -> int:
    """Return what the export ``f`` returns."""
    store = wasmtime.Store()
    instance = wasmtime.Instance(store, wasmtime.Module(store.engine, content), [])
    function = instance.exports(store)["f"]
    assert isinstance(function, wasmtime.Func)
    return int(function(store, 5))


def test_a_limited_module_computes_the_same() -> None:
    content = binary(EVERY_OPERAND.encode())
    limited = limit_stack(content)
    assert called(limited) == called(content) == 21
    # two calls
    assert len(limited) > len(content) + 2 * 25


def test_modules_without_globals_exports_or_code() -> None:
    for text in ("(module)", "(module (memory 1))", "(module (func) (global i32 (i32.const 1)))"):
        limited = limit_stack(binary(text.encode()))
        wasmtime.Module(wasmtime.Engine(), limited)


def test_deep_calls_end_at_the_same_depth_with_a_reason() -> None:
    def deep(depth: int) -> str:
        return module(f"(drop (call $deep (i32.const {depth}))) {FIRST}", more=DEEP)

    # its frame: 2 units, and 1 for its 16 to 31 bytes of code; arena_move takes some too
    played(deep(UNITS // 3 - 2))
    assert failure(deep(UNITS // 3), Trapped) == "the module trapped: its calls are too deep"


def test_the_machine_s_own_stack_outlasts_frames_of_many_values() -> None:
    count = 2_000
    values = " ".join(f"(local.set $v{index} (i64.load (i32.const {8 * index})))" for index in range(count))
    kept = " ".join(f"(i64.store (i32.const {8 * index}) (local.get $v{index}))" for index in range(count))
    greedy = f"""(func $greedy {" ".join(f"(local $v{index} i64)" for index in range(count))}
        {values} (call $greedy) {kept})"""
    assert (
        failure(module(f"(call $greedy) {FIRST}", more=greedy), Trapped) == "the module trapped: its calls are too deep"
    )


def test_endless_calls_through_a_table() -> None:
    more = "(table 1 1 funcref) (elem (i32.const 0) func $f) (func $f (call_indirect (i32.const 0)))"
    assert "too deep" in failure(module(f"(call $f) {FIRST}", more=more), Trapped)


def test_the_stack_is_whole_again_after_each_call() -> None:
    text = module(f"(drop (call $deep (i32.const 300000))) {FIRST}", more=DEEP)
    assert len(played(text, *[turn()] * 5)) == 5


def test_a_module_cannot_reach_the_counter() -> None:
    content = b"".join(
        (
            b"\0asm\1\0\0\0",
            section(1, b"\1\x60\0\0"),
            section(3, b"\1\0"),
            # global.set 0, the number that the counter is going to have
            section(10, b"\1\6\0\x41\7\x24\0\x0b"),
        )
    )
    assert "unknown global" in failure(content)
