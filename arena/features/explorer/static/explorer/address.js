// SPDX-License-Identifier: GPL-3.0-or-later
// The state of the explorer in the address of the page, so that a link shows the same tree at the same step.

import { language } from "../texts.js";

/**
 * ``algorithm``: "" while no search was requested; ``step``: number of the shown visit, null for the last one;
 * ``iteration``: null for the last one; ``toggled``: nodes that were opened or closed by hand.
 * @typedef {{ game: string, position: string, algorithm: string, depth: number, evaluation: string, iteration: number | null,
 *   step: number | null, toggled: number[], compare: boolean }} Wanted
 */

/**
 * @param {string} search
 * @param {string} game of a page without parameters
 * @returns {Wanted}
 */
export function readAddress(search, game) {
  const query = new URLSearchParams(search);
  /** @param {string} name */
  const number = (name) => {
    const text = query.get(name);
    return text && /^\d{1,6}$/.test(text) ? Number(text) : null;
  };
  return {
    game: query.get("game") ?? game,
    position: query.get("position") ?? "",
    algorithm: query.get("algorithm") ?? "",
    depth: number("depth") ?? 2,
    evaluation: query.get("evaluation") ?? "",
    iteration: number("iteration"),
    step: number("step"),
    toggled: (query.get("toggled") ?? "").split(",").filter((text) => /^\d{1,6}$/.test(text)).map(Number),
    compare: query.get("compare") === "1",
  };
}

/**
 * @param {Wanted} wanted
 * @returns {string}
 */
export function writeAddress(wanted) {
  const query = new URLSearchParams({ game: wanted.game });
  if (wanted.position) query.set("position", wanted.position);
  if (wanted.algorithm) query.set("algorithm", wanted.algorithm);
  query.set("depth", String(wanted.depth));
  if (wanted.evaluation) query.set("evaluation", wanted.evaluation);
  if (wanted.iteration != null) query.set("iteration", String(wanted.iteration));
  if (wanted.step != null) query.set("step", String(wanted.step));
  if (wanted.toggled.length) query.set("toggled", wanted.toggled.join(","));
  if (wanted.compare) query.set("compare", "1");
  return `?${query}`;
}

/**
 * The address of the recorded tree in the API; null while no search was requested.
 * @param {Wanted} wanted
 * @returns {`/api/v1/explain?${string}` | null}
 */
export function treeAddress({ game, position, algorithm, depth, evaluation }) {
  if (!algorithm) return null;
  const query = new URLSearchParams({ game, algorithm, depth: String(depth), language });
  if (position) query.set("position", position);
  if (evaluation) query.set("evaluation", evaluation);
  return `/api/v1/explain?${query}`;
}
