# SPDX-License-Identifier: GPL-3.0-or-later
"""The door: routes, the bots' socket, the spectators' stream and the pages."""
