// SPDX-License-Identifier: GPL-3.0-or-later
// A population's family tree: time goes to the right, those who live stand at its end.

import { originName } from "./origins.js";
import { plural, t } from "../texts.js";
import { html } from "../view.js";

const ROW = 18; // px from one line of descent to the next
const [LEFT, RIGHT] = [1, 86]; // percent of the width that generations take; names stand behind

/** @typedef {Api.Node & { children: Placed[], y: number }} Placed */

/**
 * The node that another descends from, where it is drawn.
 * @param {Map<number, Placed>} nodes
 * @param {Placed} node
 */
const parentOf = (nodes, { parent }) => (parent == null ? undefined : nodes.get(parent));

/**
 * Where everybody stands: those who live below each other, their ancestors in the middle of their children.
 * @param {Api.Node[]} family
 */
function placed(family) {
  /** @type {Map<number, Placed>} */
  const nodes = new Map(family.map((node) => [node.number, { ...node, children: [], y: 0 }]));
  /** @type {Placed[]} */
  const roots = [];
  for (const node of nodes.values()) (parentOf(nodes, node)?.children ?? roots).push(node);
  let rows = 0;
  /** @param {Placed} node */
  const place = (node) => {
    const own = node.lives || !node.children.length ? rows++ : null;
    node.children.forEach(place);
    const ends = node.children.map(({ y }) => y);
    node.y = own ?? (Math.min(...ends) + Math.max(...ends)) / 2;
  };
  roots.forEach(place);
  return { nodes, rows };
}

/**
 * The ancestors of a member, itself included.
 * @param {Map<number, Placed>} nodes
 * @param {number} number
 */
function line(nodes, number) {
  const found = new Set();
  for (let node = nodes.get(number); node; node = parentOf(nodes, node)) found.add(node.number);
  return found;
}

/** @param {{ family: Api.Node[], best: number, newest: number }} props */
export function Family({ family, best, newest }) {
  const { nodes, rows } = placed(family);
  const ours = line(nodes, best);
  const since = Math.min(...family.map(({ born }) => born));
  /** @param {number} born */
  const at = (born) => `${LEFT + ((RIGHT - LEFT) * (born - since)) / Math.max(1, newest - since)}%`;
  /** @param {Placed} node */
  const y = (node) => ROW * (node.y + 0.75);
  const all = [...nodes.values()];
  /** @param {Placed} node */
  const tone = (node) => (ours.has(node.number) ? "ours" : "");
  /** @param {Placed} node */
  const told = ({ number, name, origin, born, parent, steps }) =>
    [t`${number}${name && t`, foreign genome ${name}`}: ${originName(origin)}, born in generation ${born}`, parent == null ? "" : plural(steps, "{0} step from {1}", "{0} steps from {1}", parent)].filter(Boolean).join(", ");
  return html`
    <div class="scroll surface">
      <svg class="family" role="img" height=${ROW * (rows + 1.5)} aria-label=${t`Family tree of the ${family.filter(({ lives }) => lives).length} members`}>
        ${all.map((node) => {
          const parent = parentOf(nodes, node);
          return html`<g key=${node.number} class=${tone(node)}>
            ${parent && html`<line x1=${at(parent.born)} x2=${at(parent.born)} y1=${y(parent)} y2=${y(node)} /><line x1=${at(parent.born)} x2=${at(node.born)} y1=${y(node)} y2=${y(node)} />`}
            ${node.lives && html`<line x1=${at(node.born)} x2=${at(newest)} y1=${y(node)} y2=${y(node)} />`}
          </g>`;
        })}
        ${all.map(
          (node) => html`<g key=${node.number} class=${`${tone(node)} ${node.lives ? "lives" : ""}`}>
            <title>${told(node)}</title>
            <circle cx=${at(node.born)} cy=${y(node)} r=${node.name ? 5 : 2.5} class=${node.name ? "stranger" : ""} />
            ${node.name && !node.lives && html`<text x=${at(node.born)} dx="8" y=${y(node) - 4}>${node.name}</text>`}
            ${node.lives && html`<text x=${at(newest)} dx="8" y=${y(node) + 4}>${node.number}${node.number === best ? t` best` : ""}${node.name && ` ${node.name}`}</text>`}
          </g>`,
        )}
        <text class="axis" x=${at(since)} y=${ROW * (rows + 1.1)}>generation ${since}</text>
        <text class="axis end" x=${at(newest)} y=${ROW * (rows + 1.1)}>${newest}</text>
      </svg>
    </div>
  `;
}
