// SPDX-License-Identifier: GPL-3.0-or-later
// The search tree as a nested list: the same nodes as in the drawing, for screen readers and for reading.

import { t } from "../texts.js";
import { html } from "../view.js";
import { KINDS, REASONS } from "./model.js";

/**
 * @param {{ walk: import("./model.js").Walk, range: [number, number], open: Set<number>, step: number,
 *   choose: (number: number) => void, toggle: (number: number) => void }} props
 */
export function Outline({ walk, range, open, step, choose, toggle }) {
  const roots = [];
  for (let number = range[0]; number <= range[1]; number++) if (walk.nodes[number].parent == null) roots.push(number);
  return html`<div class="tree-outline"><${Branches} numbers=${roots} walk=${walk} open=${open} step=${step} choose=${choose} toggle=${toggle} /></div>`;
}

/**
 * @param {{ numbers: number[], walk: import("./model.js").Walk, open: Set<number>, step: number,
 *   choose: (number: number) => void, toggle: (number: number) => void }} props
 * @returns {import("preact").VNode}
 */
function Branches({ numbers, walk, open, step, choose, toggle }) {
  return html`<ul>${numbers.map((number) => {
    const node = walk.nodes[number];
    const below = walk.children[number];
    const name = [...node.via, node.said].filter(Boolean).join(", ") || REASONS[node.reason] || node.reason;
    return html`<li key=${number}>
      ${below.length > 0 && html`<button class="tree-toggle" aria-expanded=${open.has(number)} aria-label=${t`Moves after ${name}`} onClick=${() => toggle(number)}>${open.has(number) ? "−" : "+"}</button>`}
      <button class="tree-item" aria-current=${number === step ? "step" : null} onClick=${() => choose(number)}>
        <b>${name}</b> <span class="muted">${KINDS[node.kind]}</span> ${node.words}
      </button>
      ${open.has(number) && below.length > 0 && html`<${Branches} numbers=${below} walk=${walk} open=${open} step=${step} choose=${choose} toggle=${toggle} />`}
    </li>`;
  })}</ul>`;
}
