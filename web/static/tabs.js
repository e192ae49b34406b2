// SPDX-License-Identifier: GPL-3.0-or-later
// Tabs: links to other pages, or buttons that show parts of a page.

import { html } from "./view.js";

/**
 * Tabs that lead to other pages: ``[name, title, address]`` of each.
 * @template {string | null} Name
 * @param {{ label: string, links: [Name, string, string][], current: Name, kind?: string }} props
 */
export const LinkTabs = ({ label, links, current, kind = "tabs" }) => html`
  <div class=${kind} aria-label=${label}>
    ${links.map(([name, title, href]) => html`<a key=${name} href=${href} aria-current=${name === current ? "page" : null}>${title}</a>`)}
  </div>
`;

/**
 * Links to the same page of each game, and of all games where ``all`` is its address.
 * @param {{ games: Api.GameAnswer[], current: string | null, address: (game: string) => string, all?: string }} props
 */
export function GameTabs({ games, current, address, all }) {
  /** @type {[string | null, string, string][]} */
  const links = games.map(({ name, title }) => [name, title, address(name)]);
  if (all) links.unshift([null, "All games", all]);
  return html`<${LinkTabs} label="Game" links=${links} current=${current} kind="tabs aside" />`;
}

/**
 * Tabs that show parts of the page: ``[name, title]`` of each.
 * @template {string | number} Name
 * @param {{ label?: string, tabs: [Name, string][], current: Name, choose: (name: Name) => void, kind?: string }} props
 */
export const Tabs = ({ label, tabs, current, choose, kind = "tabs" }) => html`
  <div class=${kind} role="tablist" aria-label=${label}>
    ${tabs.map(([name, title]) => html`<button key=${name} role="tab" aria-selected=${name === current} onClick=${() => choose(name)}>${title}</button>`)}
  </div>
`;
