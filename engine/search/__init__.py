# SPDX-License-Identifier: GPL-3.0-or-later
"""The searchers, and the driver that owns their limits and the clock."""
