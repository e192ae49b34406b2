# SPDX-License-Identifier: GPL-3.0-or-later
"""Text to record and back: PGN, PDN, JSON lines."""
