# SPDX-License-Identifier: GPL-3.0-or-later
"""How a command fails."""


class CommandError(Exception):
    """A failure to tell the person at the terminal in one line; ends the command with exit code 2."""
