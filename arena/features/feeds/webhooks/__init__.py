# SPDX-License-Identifier: GPL-3.0-or-later
"""Webhooks: which events they hear of, their queue in the database, and the requests that they send."""
