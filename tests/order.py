# SPDX-License-Identifier: GPL-3.0-or-later
"""The order of the tests in a parallel run: the longest modules first, dealt evenly to the processes.

pytest-xdist (``--dist worksteal``) gives each process an equal number of consecutive tests, and a process that is done
takes tests from the end of another's share. So a long module must stand at the beginning of a share.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")

LONGEST = {
    ("features/uploads/test_instructions.py",): 45,
    ("features/docs_site/test_browser.py",): 45,
    ("features/people/test_whole_games.py",): 40,
    ("deployment/test_nginx.py",): 40,
    ("arena/matches/test_chaos.py",): 40,
    ("arena/store/formats/test_formats.py",): 40,
    ("bots/hosted/test_validation.py",): 35,
    ("features/populations/test_end_to_end.py",): 30,
    ("end_to_end/test_tutorials.py",): 20,
    # these share a server and a browser; the last ones wait for matches that are played meanwhile
    (
        "browser/test_pages.py",
        "browser/test_watching_settings.py",
        "browser/test_boards.py",
        "browser/test_restarts.py",
        "browser/test_matches.py",
        "browser/test_first_paint.py",
        "browser/test_chess.py",
        "browser/test_reading.py",
        "browser/test_language.py",
        "browser/test_updates.py",
    ): 80,
    # they do not need that server, which works for as long as tests of its folder follow in the same process
    ("browser/test_accessibility.py", "browser/test_kills.py", "browser/test_dice.py"): 90,
    ("end_to_end/test_orphans.py",): 40,
    ("end_to_end/test_engines.py",): 45,
    ("features/uploads/test_end_to_end.py",): 45,
    ("features/opponent_models/test_end_to_end.py",): 30,
    ("features/populations/test_hosted_population.py",): 30,
    ("features/populations/test_orphans.py",): 20,
    ("bots/sandbox/test_battery.py",): 25,
    ("additions/test_additions.py",): 25,
    ("end_to_end/test_claim.py",): 25,
    ("engine/search/selective/test_opponent.py",): 25,
    ("engine/native/test_cached_code.py",): 60,
    ("features/volunteers/test_pages.py",): 22,
    ("features/uploads/test_pages.py",): 20,
    ("features/accounts/test_pages.py",): 20,
    ("features/accounts/test_recovery_pages.py",): 15,
    ("arena/cli/test_evolve.py",): 15,
    # the library of both takes seconds to load
    ("arena/rating/test_population_dynamics.py", "bots/strategies/test_axelrod_library.py"): 15,
    ("features/health/test_pages.py",): 15,
    ("end_to_end/test_restart.py",): 15,
}
"""Modules in ``tests`` that take long, and about how many seconds; those in one line stay together."""


def dealt(items: Sequence[Item], shares: int, module_of: Callable[[Item], str]) -> list[Item]:
    """Return the tests in an order in which each of so many consecutive shares begins with its part of the longest.

    ``module_of``: the path of a test's module in the folder ``tests``.
    """
    by_module: dict[str, list[Item]] = {}
    for item in items:
        by_module.setdefault(module_of(item), []).append(item)
    long: list[list[Item]] = [[] for _ in range(shares)]
    seconds = [0] * shares
    for modules, each in sorted(LONGEST.items(), key=lambda entry: -entry[1]):
        least = seconds.index(min(seconds))
        found = [item for module in modules for item in by_module.pop(module, ())]
        long[least] += found
        seconds[least] += each if found else 0
    others = [item for each in by_module.values() for item in each]
    order: list[Item] = []
    for number, share in enumerate(long):
        # as pytest-xdist divides what is left
        room = (len(items) - len(order)) // (shares - number) - len(share)
        order += share
        if room > 0:
            order += others[:room]
            del others[:room]
    return order + others
