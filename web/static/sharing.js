// SPDX-License-Identifier: GPL-3.0-or-later
// Structural sharing: a new answer keeps the parts of the old one that are equal, so that their drawings stay.

/**
 * ``after`` with the parts of ``before`` that are equal; ``before`` itself if both are equal.
 * @template Value
 * @param {unknown} before
 * @param {Value} after
 * @returns {Value}
 */
export function shared(before, after) {
  if (Object.is(before, after)) return after;
  if (typeof before !== "object" || typeof after !== "object" || !before || !after || Array.isArray(before) !== Array.isArray(after)) return after;
  const [old, now] = [/** @type {Record<string, unknown>} */ (before), /** @type {Record<string, unknown>} */ (after)];
  const names = Object.keys(now);
  const merged = names.map((name) => shared(old[name], now[name]));
  if (names.length === Object.keys(old).length && names.every((name, place) => name in old && Object.is(old[name], merged[place]))) return /** @type {Value} */ (before);
  return /** @type {Value} */ (Array.isArray(after) ? merged : Object.fromEntries(names.map((name, place) => [name, merged[place]])));
}
