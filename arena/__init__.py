# SPDX-License-Identifier: MIT
"""The arena server: matches, pairing, ratings, tournaments, and their records."""
