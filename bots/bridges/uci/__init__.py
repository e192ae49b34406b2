# SPDX-License-Identifier: GPL-3.0-or-later
"""A bot of ours as an engine that speaks UCI, for any chess program that can start one."""
