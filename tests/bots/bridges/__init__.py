# SPDX-License-Identifier: GPL-3.0-or-later
"""The bridges to and from engines, against engines that are real, and engines that misbehave."""
