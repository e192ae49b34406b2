# SPDX-License-Identifier: GPL-3.0-or-later
"""The standings of Axelrod's first tournament beside ours and the Axelrod library's, as a table for the documentation.

python -m tests.axelrod_field
"""

import subprocess
from datetime import UTC, datetime

import numpy as np

from bots.strategies.bulk import round_robin
from bots.strategies.catalogue import FIRST_TOURNAMENT
from tests.axelrod_library import tournament

PUBLISHED = {
    "tit-for-tat": 504.5,
    "tideman-chieruzzi": 500.4,
    "nydegger": 485.5,
    "grofman": 481.9,
    "shubik": 480.7,
    "stein-rapoport": 477.8,
    "grudger": 473.4,
    "davis": 471.8,
    "graaskamp": 400.7,
    "downing": 390.6,
    "feld": 327.6,
    "joss": 304.4,
    "tullock": 300.5,
    "unnamed": 282.2,
    "coin": 276.3,
}
"""Mean scores of R. Axelrod, "Effective Choice in the Prisoner's Dilemma", Journal of Conflict Resolution 24, 1980."""

REPETITIONS, OURS = 5, 100


def main() -> None:
    """Print the table."""
    names = [strategy.name for strategy in FIRST_TOURNAMENT]
    library = tournament(names, repetitions=REPETITIONS, seed=1).mean(axis=(1, 2))
    scores = round_robin(FIRST_TOURNAMENT, repetitions=OURS, seed=1).scores()
    mean, error = scores.mean(axis=0), 1.96 * scores.std(axis=0, ddof=1) / np.sqrt(REPETITIONS)
    commit = subprocess.run(["git", "rev-parse", "--short=9", "HEAD"], capture_output=True, text=True, check=True)
    print(f"`python -m tests.axelrod_field`, {datetime.now(UTC):%Y-%m-%d}, commit {commit.stdout.strip()}:\n")
    print(f"| strategy | 1980 | axelrod 4.13.1, {REPETITIONS} repetitions | ours ± 95 % of {REPETITIONS} |")
    print("|---|---|---|---|")
    for place in np.argsort(-mean):
        name = names[place]
        print(f"| `{name}` | {PUBLISHED[name]:.1f} | {library[place]:.1f} | {mean[place]:.1f} ± {error[place]:.1f} |")


if __name__ == "__main__":
    main()
