# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of accounts, of what signs them in, and of their bots: the feature's access to the database."""

from arena.features.accounts.records.accounts import Accounts, AccountsState
from arena.features.accounts.records.credentials import Codes, SessionLifetimes, Sessions, Tokens
from arena.features.accounts.records.ownership import Ownership
from arena.features.accounts.records.second_factors import SecondFactors

__all__ = ["Accounts", "AccountsState", "Codes", "Ownership", "SecondFactors", "SessionLifetimes", "Sessions", "Tokens"]
