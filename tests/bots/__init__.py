# SPDX-License-Identifier: GPL-3.0-or-later
"""The Bot protocol, the catalogue, the house, the SDK and its contract test."""
