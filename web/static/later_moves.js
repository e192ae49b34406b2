// SPDX-License-Identifier: GPL-3.0-or-later
// Paged loading of the moves of a long match that are not in the first response.

import { ask } from "./view.js";

const PAGE = 500;

/**
 * Yield the moves of match ``id`` after ply ``next`` (the record's ``next``; null: no more moves).
 * @param {number} id
 * @param {number | null} next
 */
export async function* laterMoves(id, next) {
  while (next != null) {
    /** @type {Api.MovesAnswer} */
    const page = await ask(`/api/v1/matches/${id}/moves?after=${next}&limit=${PAGE}`);
    yield page.items;
    next = page.next;
  }
}

/**
 * Return the record of a match with all its moves.
 * @param {number} id
 * @returns {Promise<Api.MatchDetailAnswer>}
 */
export async function wholeRecord(id) {
  /** @type {Api.MatchDetailAnswer} */
  const record = await ask(`/api/v1/matches/${id}?limit=${PAGE}`);
  for await (const items of laterMoves(id, record.next)) record.moves.push(...items);
  return { ...record, next: null };
}
