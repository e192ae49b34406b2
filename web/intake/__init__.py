# SPDX-License-Identifier: GPL-3.0-or-later
"""Rate limits on incoming bytes and fair scheduling of visitors, so that floods do not slow down matches."""
