# SPDX-License-Identifier: GPL-3.0-or-later
"""Islands on volunteers' machines: records, exchange, API, pages, command and volunteers as processes."""
