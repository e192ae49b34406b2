// SPDX-License-Identifier: GPL-3.0-or-later
// The section "Runners" on the page of a match whose bots runners hosted. Its table loads when a visitor opens it.

import { withTexts } from "../texts.js";
import { html, useState } from "../view.js";

const loaded = () => withTexts("runners/match_table.js", () => import("./match_table.js"));

/** @param {import("../pages/match.js").SectionProps} props */
export function Section({ record, seen }) {
  const [table, setTable] = useState(/** @type {import("preact").VNode | string} */ (""));
  const open = () => loaded().then(({ load }) => load(record.id, seen.players)).then(setTable);
  return html`<details class="small" id="runners" onToggle=${open}><summary>Runners</summary>${table}</details>`;
}
