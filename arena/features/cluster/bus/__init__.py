# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages between nodes: the bus, channels over it that lose nothing, and the links of a node to all others."""
