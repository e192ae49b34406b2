# SPDX-License-Identifier: GPL-3.0-or-later
"""Many cheap clients in few processes: what ``arena lab load`` puts an arena under load with.

``python -m lab.load`` reads a job as one line of JSON, says when all its sockets are open, measures between two more
lines, and prints its measurements.
"""
