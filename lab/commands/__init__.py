# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands of ``arena lab``: one module for each, as in ``arena.cli``."""
