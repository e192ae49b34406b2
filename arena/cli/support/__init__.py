# SPDX-License-Identifier: GPL-3.0-or-later
"""Modules that several commands share: output, errors, records, progress, and the composition of a server."""
