// SPDX-License-Identifier: GPL-3.0-or-later
// The moves of a long match that did not come with its record: asked for a page at a time.

import { ask } from "./view.js";

const PAGE = 500;

/** Yield the moves of match ``id`` after ``next`` plies, as the record's ``next`` has it (null: none are missing). */
export async function* laterMoves(id, next) {
  while (next != null) {
    const page = await ask(`/api/v1/matches/${id}/moves?after=${next}&limit=${PAGE}`);
    yield page.items;
    next = page.next;
  }
}

/** Return the record of a match with all its moves. */
export async function wholeRecord(id) {
  const record = await ask(`/api/v1/matches/${id}?limit=${PAGE}`);
  for await (const items of laterMoves(id, record.next)) record.moves.push(...items);
  return { ...record, next: null };
}
