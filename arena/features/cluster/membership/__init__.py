# SPDX-License-Identifier: GPL-3.0-or-later
"""How a server becomes a node and stays one: its checks at the start, its lease, and the leases of the others."""
