# SPDX-License-Identifier: GPL-3.0-or-later
"""Uploaded versions of bots: files, records, API, command, and bots that are hosted."""
