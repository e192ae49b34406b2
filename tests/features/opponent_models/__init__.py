# SPDX-License-Identifier: GPL-3.0-or-later
"""Opponent models: API, calibration, pages, and the bot that learns as a process."""
