// SPDX-License-Identifier: GPL-3.0-or-later
// The address of a view of a match: the shown move, whose view it is, the side at the bottom, the tab, and unplayed moves.

/**
 * What an address says of a view. ``ply``: null for the newest position; ``line``: unplayed moves after that position.
 * @typedef {{ ply: number | null, flipped: boolean, tab: string, line: string[] }} Place
 * ``seat``: the seat whose view the page shows; null: everything that is public. The server reads it from the address.
 * @typedef {Place & { seat: number | null }} View
 */

const WHOLE = /^\d{1,6}$/;
const MOST = 60; // moves of a line

/**
 * Read a view from an address; ``#12`` stands for ``?ply=12``.
 * @param {{ search: string, hash: string }} address
 * @returns {Place}
 */
export function readView({ search, hash }) {
  const query = new URLSearchParams(search);
  const asked = WHOLE.test(hash.slice(1)) ? hash.slice(1) : (query.get("ply") ?? "");
  return {
    ply: WHOLE.test(asked) ? Number(asked) : null,
    flipped: query.get("flip") === "1",
    tab: query.get("tab") ?? "",
    line: (query.get("line") ?? "").split(",").filter(Boolean).slice(0, MOST),
  };
}

/**
 * The address of a view of match ``id``.
 * @param {number} id
 * @param {View} view
 */
export function addressOf(id, { ply, seat, flipped, tab, line }) {
  /** @type {[string, string | null][]} */
  const values = [
    ["ply", ply == null ? null : String(ply)],
    ["seat", seat == null ? null : String(seat)],
    ["flip", flipped ? "1" : null],
    ["tab", tab || null],
    ["line", line.join(",") || null],
  ];
  const query = values.flatMap(([name, value]) => (value == null ? [] : `${name}=${encodeURIComponent(value).replaceAll("%2C", ",")}`));
  return `/matches/${id}${query.length ? "?" : ""}${query.join("&")}`;
}
