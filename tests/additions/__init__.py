# SPDX-License-Identifier: GPL-3.0-or-later
"""A rating system, a tournament format and a message, added to a copy of the sources with the files that
docs/how-to/contributing.md names.
"""
