# SPDX-License-Identifier: GPL-3.0-or-later
"""What ``arena serve`` and commands that open an arena's records put together: sockets, logs, and the arena itself."""
