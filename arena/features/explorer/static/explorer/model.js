// SPDX-License-Identifier: GPL-3.0-or-later
// The recorded tree as the page needs it: children, ends of visits, the best line, and the nodes that are shown.

import { fixed } from "../format.js";
import { t } from "../texts.js";

const SHOWN = 60; // nodes that are open at first

/** @type {Record<Api.ExplainedNode["kind"], string>} */
export const KINDS = { max: t`max`, min: t`min`, chance: t`chance` };

/**
 * Why the search visits a position to which no move leads.
 * @type {Record<string, string>}
 */
export const REASONS = { root: t`the start`, verification: t`null-move verification`, singular: t`singular test`, razoring: t`razoring`, again: t`re-search` };

/**
 * A recorded tree with the links between its nodes. ``children``: numbers of each node's children; ``last``: number of
 * the last visit below each node; ``best``: nodes of the best line.
 * @typedef {{ nodes: Api.ExplainedNode[], children: number[][], last: number[], best: Set<number> }} Walk
 */

/**
 * @param {Api.Explanation} explanation
 * @returns {Walk}
 */
export function walkOf(explanation) {
  const nodes = explanation.tree;
  /** @type {number[][]} */
  const children = nodes.map(() => []);
  const last = nodes.map((_, number) => number);
  nodes.forEach(({ parent }, number) => parent != null && children[parent].push(number));
  for (let number = nodes.length - 1; number > 0; number--) {
    const parent = nodes[number].parent;
    if (parent != null) last[parent] = Math.max(last[parent], last[number]);
  }
  return { nodes, children, last, best: bestOf(nodes, children) };
}

/**
 * The nodes of the best line of each iteration: from each root on the first child with the same value.
 * @param {Api.ExplainedNode[]} nodes
 * @param {number[][]} children
 */
function bestOf(nodes, children) {
  /** @type {Set<number>} */
  const best = new Set();
  nodes.forEach(({ parent }, root) => {
    if (parent != null) return;
    /** @type {number | undefined} */
    let here = root;
    while (here != null) {
      best.add(here);
      /** @type {Api.ExplainedNode} */
      const { value, kind } = nodes[here];
      if (kind === "chance" || value == null) break;
      here = children[here].find((child) => nodes[child].move && nodes[child].value === value);
    }
  });
  return best;
}

/**
 * The first and the last node of an iteration.
 * @param {Walk} walk
 * @param {number} iteration
 * @returns {[number, number]}
 */
export function rangeOf({ nodes }, iteration) {
  const first = nodes.findIndex((node) => node.iteration === iteration);
  return [Math.max(first, 0), nodes.findLastIndex((node) => node.iteration === iteration)];
}

/**
 * The deepest ply that is open at first: as many as fit.
 * @param {Walk} walk
 * @param {[number, number]} range
 */
export function openDepth({ nodes }, [first, last]) {
  /** @type {number[]} */
  const counts = [];
  for (let number = first; number <= last; number++) counts[nodes[number].ply] = (counts[nodes[number].ply] ?? 0) + 1;
  let shown = 0;
  let ply = 0;
  while (ply < counts.length && (shown += counts[ply] ?? 0) <= SHOWN) ply++;
  return Math.max(ply - 1, 1);
}

/**
 * The nodes whose children are shown: those above the open depth, except the toggled ones, and all above the step.
 * @param {Walk} walk
 * @param {[number, number]} range
 * @param {Set<number>} toggled
 * @param {number} step
 */
export function openNodes(walk, range, toggled, step) {
  const depth = openDepth(walk, range);
  /** @type {Set<number>} */
  const open = new Set();
  for (let number = range[0]; number <= range[1]; number++) {
    if (walk.nodes[number].ply < depth !== toggled.has(number)) open.add(number);
  }
  for (let here = walk.nodes[step]?.parent; here != null; here = walk.nodes[here].parent) open.add(here);
  return open;
}

/**
 * Places of the shown nodes: a tidy tree, leaves side by side, parents above the middle of their children.
 * @param {Walk} walk
 * @param {[number, number]} range
 * @param {Set<number>} open
 * @returns {{ places: Map<number, { x: number, y: number }>, width: number, height: number }} in units of nodes
 */
export function layout(walk, range, open) {
  /** @type {Map<number, { x: number, y: number }>} */
  const places = new Map();
  let width = 0;
  let height = 0;
  /**
   * @param {number} number
   * @param {number} y
   * @returns {number}
   */
  const place = (number, y) => {
    const below = open.has(number) ? walk.children[number] : [];
    const xs = below.map((child) => place(child, y + 1));
    const x = xs.length ? (xs[0] + xs[xs.length - 1]) / 2 : width++;
    places.set(number, { x, y });
    height = Math.max(height, y + 1);
    return x;
  };
  for (let number = range[0]; number <= range[1]; number++) {
    if (walk.nodes[number].parent == null) place(number, 0);
  }
  return { places, width: Math.max(width, 1), height };
}

/**
 * A score for the small space of a node.
 * @param {number | null} score
 * @param {number} win scores from this one on are those of won games
 */
export function short(score, win) {
  if (score == null) return "";
  if (Math.abs(score) >= win) return score > 0 ? t`win` : t`loss`;
  return Math.abs(score) >= 10_000 ? `${fixed(score / 1000, Math.abs(score) >= 100_000 ? 0 : 1)}k` : String(score).replace("-", "\u2212");
}
