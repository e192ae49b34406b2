# SPDX-License-Identifier: GPL-3.0-or-later
"""What spectators see: the live view of a match, its diagrams, withheld information, and the broadcast to all."""
