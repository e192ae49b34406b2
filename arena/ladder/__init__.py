# SPDX-License-Identifier: GPL-3.0-or-later
"""The ladder: whom its rounds pair, strengths and how sure their order is, and shares of places."""
