# SPDX-License-Identifier: GPL-3.0-or-later
"""The Atom feed and webhooks: addresses, signatures, the queue, the API, the page and the command."""
