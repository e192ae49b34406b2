# SPDX-License-Identifier: GPL-3.0-or-later
"""WebAssembly modules from C, where Debian's clang for it is installed or unpacked."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tools.debian import UNPACKED, installed

EXAMPLES = Path(__file__).parents[1] / "docs/examples"
BOT = EXAMPLES / "bot.c"
"""The example: a bot that never loses at tic-tac-toe."""

OPTIONS = ("--target=wasm32-wasi", "-mexec-model=reactor", "-O2")
"""Those of docs/how-to/wasm.md."""


def compile_c(source: Path, module: Path) -> Path:
    """Compile a C file to a module; the test is left out where there is no compiler for it."""
    compiler = installed("clang")
    root = next((root for root in (Path("/usr"), UNPACKED / "usr") if (root / "include/wasm32-wasi").is_dir()), None)
    linkers = (shutil.which("wasm-ld"), *(UNPACKED / "usr/bin").glob("wasm-ld*"))
    linker = next((linker for linker in linkers if linker), None)
    if compiler is None or root is None or linker is None:
        pytest.skip("clang for WebAssembly is not installed: python -m tools.programs")
    places = (f"--sysroot={root}", "-isystem", str(root / "include/wasm32-wasi"), f"-fuse-ld={linker}")
    command = [str(compiler), *OPTIONS, *places, "-Wall", "-Wextra", "-Werror", "-I", str(EXAMPLES)]
    subprocess.run([*command, "-o", str(module), str(source)], check=True, capture_output=True, text=True)
    return module
