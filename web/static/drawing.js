// SPDX-License-Identifier: GPL-3.0-or-later
// Parts that drawings share: arrow keys and legends.

import { html } from "./view.js";

/**
 * Where a key leads in a drawing, by its name; undefined for a key that leads nowhere, which stays the page's.
 * @template Place
 * @param {KeyboardEvent} event
 * @param {Record<string, Place>} targets
 */
export function targetOf(event, targets) {
  if (!Object.hasOwn(targets, event.key)) return undefined;
  event.preventDefault();
  event.stopPropagation();
  return targets[event.key];
}

/**
 * The keys to the lines of a plot: a colour and its meaning.
 * @param {{ lines: [string, string | number][] }} props tokens of the style sheet, with texts
 */
export const Legend = ({ lines }) => lines.map(([token, text]) => html`<span key=${token} class="key"><i style=${{ background: `var(${token})` }}></i>${text}</span>`);
