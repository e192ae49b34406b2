# SPDX-License-Identifier: GPL-3.0-or-later
"""The contract test that a bot's author runs."""
