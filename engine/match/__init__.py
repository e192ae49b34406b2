# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches: their rules, their events and their records.

``machine`` is the state machine, the only referee of the engine. Its input and output are ``events``; ``ending`` has
the results and terminations. It rolls ``dice`` from a seed and forbids repetitions by ``superko``. ``record`` is a
finished match, which ``engine.formats`` reads and writes.

The package is pure: no clock, no I/O; elapsed time is an argument.
"""
