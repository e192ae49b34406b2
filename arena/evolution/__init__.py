# SPDX-License-Identifier: GPL-3.0-or-later
"""Populations that are bred here or elsewhere, as the arena keeps and shows them."""
