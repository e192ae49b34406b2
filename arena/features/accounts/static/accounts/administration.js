// SPDX-License-Identifier: GPL-3.0-or-later
// The frame of the pages of administration: heading and tabs.

import { here } from "../root.js";
import "../shell.js";
import { translated } from "../texts.js";
import { html } from "../view.js";
import { LinkTabs } from "../tabs.js";

/**
 * ``menu``: address and title of each page.
 * @param {{ menu: [string, string][], children?: import("preact").ComponentChildren }} props
 */
export function Administration({ menu, children }) {
  /** @type {[string, string, string][]} */
  const links = menu.map(([path, title]) => [path, translated(title), path]);
  return html`
    <div class="head">
      <h1>Administration</h1>
      <${LinkTabs} label="Pages of administration" links=${links} current=${here()} />
    </div>
    <div class="stack">${children}</div>
  `;
}
