# SPDX-License-Identifier: GPL-3.0-or-later
"""Who plays whom next: pure functions, one form of event each."""
