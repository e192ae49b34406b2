# SPDX-License-Identifier: GPL-3.0-or-later
"""The Bot protocol, the catalogue, built-in bots, the SDK and its contract test."""
