# SPDX-License-Identifier: GPL-3.0-or-later
"""Pools of workers: they compute pieces of work, such as games, in threads, in processes, or on a Ray cluster."""
