# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes sure that the chess engines are there that the tests play against: the machine's own, or unpacked here.

python -m tools.engines
"""

from tools.debian import Unavailable, installed, obtain

ENGINES = ("stockfish", "gnuchess", "phalanx", "fairymax")
"""Packages and the programs in them: two that speak UCI, and two that speak xboard's protocol, one without setboard."""


def main() -> None:
    """Unpack what is missing; where that cannot be done, say so: the tests that need an engine are then left out."""
    for name in ENGINES:
        if installed(name) is None:
            try:
                obtain(name)
            except Unavailable as reason:
                print(f"The tests that play against {name} are left out: {reason}")


if __name__ == "__main__":
    main()
