# SPDX-License-Identifier: GPL-3.0-or-later
"""GTP engines as bots, and bots as GTP engines."""
