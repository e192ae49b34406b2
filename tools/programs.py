# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes sure that the programs are there that the tests use: the machine's own, or unpacked here.

python -m tools.programs
"""

from tools.debian import Unavailable, installed, obtain

PROGRAMS = {
    **{name: (name,) for name in ("stockfish", "gnuchess", "phalanx", "fairymax")},
    "gnugo": ("gnugo",),
    "bwrap": ("bubblewrap",),
    "nginx": ("nginx",),
    "logrotate": ("logrotate",),
    "clang": ("clang", "lld", "wasi-libc", "libclang-rt-dev-wasm32"),
}
"""Program → packages: two engines that speak UCI, two that speak xboard's protocol, one of them without setboard, one
that plays Go, the sandbox, what stands around a server (docs/deploy), and a compiler of C for WebAssembly, which must
know of the packages behind it."""


def main() -> None:
    """Unpack what is missing; where that cannot be done, say so: the tests that need a program are then left out."""
    for name, packages in PROGRAMS.items():
        if installed(name) is None:
            try:
                obtain(name, *packages)
            except Unavailable as reason:
                print(f"The tests that need {name} are left out: {reason}")


if __name__ == "__main__":
    main()
