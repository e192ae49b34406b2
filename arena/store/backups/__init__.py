# SPDX-License-Identifier: GPL-3.0-or-later
"""Backups: archives of the database and of the files that its records name, and their restoration."""
