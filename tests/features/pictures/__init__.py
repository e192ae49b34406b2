# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of positions and games, embedded matches, and link previews."""
