// SPDX-License-Identifier: GPL-3.0-or-later
// A section of the page "Connect a bot": how to install the SDK from this arena.

import { Command } from "../command.js";
import { ARENA } from "../root.js";
import { html } from "../view.js";

/** @param {import("../pages/connect.js").SectionProps & { data: { file: string | null } }} props */
export function Section({ data: { file } }) {
  if (file === null) return null;
  return html`
    <p>Install the SDK from this arena, in an environment with Python 3.11 or newer:</p>
    <${Command} text=${`pip install ${ARENA}/sdk/${file}`} />
    <p class="muted">The package is small: it needs msgspec and websockets only. <a href="/sdk/">/sdk/</a> lists it with its hash, for <code>pip install --find-links</code>.</p>
  `;
}
