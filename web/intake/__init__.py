# SPDX-License-Identifier: GPL-3.0-or-later
"""What comes in on connections, counted and held back where the bytes arrive, so that no flood starves play."""
