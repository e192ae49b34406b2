# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that decide how deep to look: typed expressions, bred, and run as compact byte code."""
