// SPDX-License-Identifier: GPL-3.0-or-later
// Small parts that several pages have: times, tabs, links to a game's page, keys of a drawing.

import { ago, moment } from "./format.js";
import { html } from "./view.js";

/**
 * How long ago something was, with the exact time on hover. ``time``: Unix time.
 * @param {{ time: number }} props
 */
export const Ago = ({ time }) => html`<span title=${moment(time)}>${ago(time)}</span>`;

/**
 * Links to the same page of each game, and of all games where ``all`` is its address.
 * @param {{ games: Api.GameAnswer[], current: string | null, address: (game: string) => string, all?: string }} props
 */
export function GameTabs({ games, current, address, all }) {
  const links = games.map(({ name, title }) => ({ name, title, href: address(name) }));
  return html`
    <div class="tabs aside" aria-label="Game">
      ${all && html`<a href=${all} aria-current=${current == null ? "page" : null}>All games</a>`}
      ${links.map(({ name, title, href }) => html`<a key=${name} href=${href} aria-current=${name === current ? "page" : null}>${title}</a>`)}
    </div>
  `;
}

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
 * The keys to the lines of a plot: a colour and what it stands for.
 * @param {{ lines: [string, string | number][] }} props tokens of the style sheet, with texts
 */
export const Legend = ({ lines }) => lines.map(([token, text]) => html`<span key=${token} class="key"><i style=${{ background: `var(${token})` }}></i>${text}</span>`);
