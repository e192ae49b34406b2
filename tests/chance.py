# SPDX-License-Identifier: GPL-3.0-or-later
"""Profiles of Hypothesis: the suite draws the same examples in every run, `make prove` draws new ones."""

from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

# how long an example takes says nothing where the machine has other things to do
COMMON = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def register() -> None:
    """Register the profiles, and load that of the suite; the option --hypothesis-profile loads another one later.

    Which examples they draw does not depend on the environment variable CI, as Hypothesis's own profiles do.
    """
    settings.register_profile("suite", COMMON, derandomize=True, print_blob=False)
    # for `make prove`; a failure prints how to repeat it
    settings.register_profile("prove", COMMON, derandomize=False, print_blob=True, max_examples=1_000)
    settings.load_profile("suite")


def repeat() -> None:
    """Let examples depend on the test alone, if the profile that is loaded wants the same ones in every run.

    Hypothesis also draws constants of the modules that the process has imported by then. Those differ with the tests
    that ran before, so with the number of processes and their speeds.
    """
    if settings().derandomize:
        providers._get_local_constants = Constants
