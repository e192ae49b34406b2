# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps from one schema to the next, run by Alembic: numbered, one after the other."""
