# SPDX-License-Identifier: GPL-3.0-or-later
"""Run proofs one after the other and write their figures to docs/reports/stress; the exit code is 1 when one fails."""

import argparse
import asyncio
import os
import sys
import tempfile
import time
import traceback
from pathlib import Path

from lab.proofs import catalogue
from lab.proofs.catalogue import PROOFS
from lab.proofs.ledger import Ledger
from tests.postgres import running


def main() -> int:
    """Run the named proofs, or all."""
    parser = argparse.ArgumentParser(prog="python -m lab.proofs", description=__doc__)
    names = "; ".join(f"{name}: {catalogue.promise(name)[0]}" for name in PROOFS)
    parser.add_argument("names", nargs="*", metavar="NAME", choices=[[], *PROOFS], help=f"{names}. Default: all")
    parser.add_argument(
        "--scale", type=float, default=1.0, metavar="X", help="fraction of each proof to run (default: all)"
    )
    arguments = parser.parse_args()
    os.environ.setdefault("ARENA_BREEDING", "")
    os.environ.setdefault("ARENA_LEARNING", "no")
    failed = []
    with tempfile.TemporaryDirectory(prefix="bot-arena-proofs-") as folder, running(Path(folder) / "run") as postgres:
        postgres.hurry()
        for name in arguments.names or PROOFS:
            (place := Path(folder) / name).mkdir()
            ledger = Ledger(arguments.scale, place, postgres)
            print(f"{name} ...", flush=True)
            began = time.monotonic()
            try:
                asyncio.run(PROOFS[name](ledger))
            except Exception:
                traceback.print_exc()
                failed.append(name)
            else:
                catalogue.write(name, ledger)
            for what, figure in ledger.figures.items():
                print(f"  {what}: {figure}")
            for verdict in ledger.verdicts:
                print(f"  verify: {verdict}")
            print(f"  {'FAILED' if name in failed else 'passed'}, {time.monotonic() - began:.0f} s", flush=True)
    return 1 if failed else 0


sys.exit(main())
