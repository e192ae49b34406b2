# SPDX-License-Identifier: GPL-3.0-or-later
"""The process that validates and hosts uploaded bots."""
