# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast we are, beside others in the same run: ``python -m lab.bench [NAME...]``, or ``make bench``."""
