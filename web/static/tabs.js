// SPDX-License-Identifier: GPL-3.0-or-later
// Tabs: links to other pages, or buttons that show parts of a page.

import { targetOf } from "./drawing.js";
import { t, translated } from "./texts.js";
import { html } from "./view.js";

/**
 * Tabs that lead to other pages: ``[name, title, address]`` of each.
 * @template {string | number | null} Name
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
  const links = games.map(({ name, title }) => [name, translated(title), address(name)]);
  if (all) links.unshift([null, t`All games`, all]);
  return html`<${LinkTabs} label="Game" links=${links} current=${current} kind="tabs aside" />`;
}

/**
 * Tabs that show parts of the page: ``[name, title]`` of each. The chosen tab is the only tab stop; arrow keys, Home and
 * End choose another.
 * @template {string | number} Name
 * @param {{ label?: string, tabs: [Name, string][], current: Name, choose: (name: Name) => void, kind?: string }} props
 */
export function Tabs({ label, tabs, current, choose, kind = "tabs" }) {
  /** @param {KeyboardEvent & { currentTarget: HTMLElement }} event */
  const press = (event) => {
    const at = tabs.findIndex(([name]) => name === current);
    const to = targetOf(event, { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tabs.length - 1 });
    if (to === undefined) return;
    const index = (to + tabs.length) % tabs.length;
    choose(tabs[index][0]);
    /** @type {NodeListOf<HTMLElement>} */ (event.currentTarget.querySelectorAll('[role="tab"]'))[index].focus();
  };
  return html`
    <div class=${kind} role="tablist" aria-label=${label} onKeyDown=${press}>
      ${tabs.map(([name, title]) => html`<button key=${name} role="tab" aria-selected=${name === current} tabindex=${name === current ? 0 : -1} onClick=${() => choose(name)}>${title}</button>`)}
    </div>
  `;
}

/**
 * The part of a page that the tab ``name`` shows on narrow screens; wide screens show all parts. ``near(whether)``: the
 * pointer has entered or left.
 * @param {{ name: string, label?: string, current: string, near?: (whether: boolean) => void, children?: any }} props
 */
export const Panel = ({ name, label, current, near, children }) =>
  html`<div class=${name === current ? "" : "wide"} role="tabpanel" aria-label=${label ?? name} onPointerEnter=${() => near?.(true)} onPointerLeave=${() => near?.(false)}>${children}</div>`;
