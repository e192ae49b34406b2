# SPDX-License-Identifier: GPL-3.0-or-later
"""What fields of the REST API mean where their types do not say it."""

from arena.protocol import schema

COMMON = schema.COMMON | {
    "created": "Time of its creation, as Unix time in seconds.",
    "draws": "Number of drawn matches; void matches are in none of `wins`, `draws` and `losses`.",
    "id": "The number that identifies it in the paths of requests and in other answers.",
    "items": "The entries of this page; of the whole list where the answer has no `next`.",
    "losses": "Number of lost matches, those lost on time or by a failure included.",
    "next": "Value of the parameter `after` for the next page; null: this page is the last one.",
    "version": "Label of the bot's version. Ratings belong to versions.",
    "wins": "Number of won matches, those won on time or by a failure of the opponent included.",
}
"""The meaning of fields that mean the same in all types of the API, and of messages, if they have no docstring."""
