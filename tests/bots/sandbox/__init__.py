# SPDX-License-Identifier: GPL-3.0-or-later
"""The sandbox under attack, and its parts."""
