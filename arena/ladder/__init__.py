# SPDX-License-Identifier: GPL-3.0-or-later
"""The ladder: rounds of pairing, ratings with uncertainty, and limits on concurrent matches."""
