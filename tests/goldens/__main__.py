# SPDX-License-Identifier: GPL-3.0-or-later
"""Write golden files, or compare them with what the searches find now.

python -m tests.goldens                 compare all
python -m tests.goldens play champion   compare those of these searches
python -m tests.goldens --write play    write those of this search
python -m tests.goldens --draw          draw the positions again; then all files must be written
"""

import argparse
import itertools
import sys
import time

from tests.goldens import files, positions
from tests.goldens.searches import golden, names


def main() -> int:
    """Return 1 if a file differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.goldens", description=__doc__.partition("\n")[0])
    parser.add_argument("searches", metavar="SEARCH", nargs="*", help="a search, such as play (default: all)")
    parser.add_argument("--game", choices=positions.GAMES, help="only searches of this game")
    parser.add_argument("--write", action="store_true", help="write the files")
    parser.add_argument("--draw", action="store_true", help="draw and write the positions first")
    arguments = parser.parse_args()
    if unknown := set(arguments.searches) - set(names()):
        parser.error(f"no search is called {unknown.pop()!r}; there are {', '.join(names())}")
    if arguments.draw:
        for name in positions.GAMES:
            positions.write(name)
    differ = 0
    for game, name in itertools.product([arguments.game] if arguments.game else positions.GAMES, names()):
        if arguments.searches and name not in arguments.searches:
            continue
        search = golden(game, name)
        search.search(positions.read(game)[0])  # compiles
        began = time.process_time()
        if arguments.write:
            files.write(search)
        else:
            for text in files.differences(search):
                differ += 1
                print(text)
        print(f"{game} {name}: {time.process_time() - began:.1f} s", file=sys.stderr)
    return int(differ > 0)


if __name__ == "__main__":
    sys.exit(main())
