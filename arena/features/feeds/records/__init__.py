# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of webhooks, and queries of results and events."""
