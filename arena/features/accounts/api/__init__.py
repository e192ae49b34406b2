# SPDX-License-Identifier: GPL-3.0-or-later
"""REST API of accounts: signing in, one's own account and bots, and the administration of accounts."""

from arena.features.accounts.api import administration, audit, bots, estimates, mailing, own, second_factor, signing

ENDPOINTS = (
    *signing.ENDPOINTS,
    *own.ENDPOINTS,
    *mailing.ENDPOINTS,
    *estimates.ENDPOINTS,
    *second_factor.ENDPOINTS,
    *bots.ENDPOINTS,
    *administration.ENDPOINTS,
    *audit.ENDPOINTS,
)
