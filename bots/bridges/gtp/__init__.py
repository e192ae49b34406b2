# SPDX-License-Identifier: GPL-3.0-or-later
"""GTP (Go Text Protocol, version 2): outside programs of Go and Othello as bots, and bots as GTP engines."""
