# SPDX-License-Identifier: GPL-3.0-or-later
"""Bots' connections: addresses, admission, tokens, the gateway, sessions, network lag, and challenges."""
