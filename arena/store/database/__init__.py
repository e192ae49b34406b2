# SPDX-License-Identifier: GPL-3.0-or-later
"""The database below the records: engines, the writer, migrations, the claim of one server, and copies."""
