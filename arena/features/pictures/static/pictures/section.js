// SPDX-License-Identifier: GPL-3.0-or-later
// The section of a match's page with the code that embeds the match in another site, and with its pictures; what it holds
// is loaded when it is opened.

import { withTexts } from "../texts.js";
import { html, useState } from "../view.js";

/** @param {import("../pages/match.js").SectionProps} props */
export function Section({ record, ply }) {
  const [module, setModule] = useState(/** @type {typeof import("./embedding.js") | null} */ (null));
  const load = () => void (module ?? withTexts("pictures/embedding.js", () => import("./embedding.js")).then(setModule));
  return html`
    <details class="small" onToggle=${load}>
      <summary>Embed and pictures</summary>
      ${module && html`<${module.Embedding} record=${record} ply=${ply} />`}
    </details>
  `;
}
