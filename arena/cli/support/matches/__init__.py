# SPDX-License-Identifier: GPL-3.0-or-later
"""``arena match``: files of games, progress, reports, round robins, and shares over time."""
