# SPDX-License-Identifier: GPL-3.0-or-later
"""The search explorer: recorded searches, API, command and page."""
