# SPDX-License-Identifier: GPL-3.0-or-later
"""Long proofs that the arena keeps its promises when things fail; `make prove` runs them in full."""
