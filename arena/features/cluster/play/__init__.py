# SPDX-License-Identifier: GPL-3.0-or-later
"""Play over several nodes: bots, referees and spectators of one match may be at different ones."""
