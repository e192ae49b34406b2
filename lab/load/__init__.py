# SPDX-License-Identifier: GPL-3.0-or-later
"""Load clients of ``arena lab load``: many cheap clients in few processes.

``python -m lab.load`` reads a job as one line of JSON, says when all its sockets are open, measures between two more
lines, and prints its measurements.
"""
