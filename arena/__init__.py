# SPDX-License-Identifier: MIT
"""The arena server: matches, pairing, ratings, tournaments, accounts, and their records."""
