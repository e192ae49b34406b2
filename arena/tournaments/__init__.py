# SPDX-License-Identifier: GPL-3.0-or-later
"""Running tournaments: they start matches between connected bots, and store their events."""
