// SPDX-License-Identifier: GPL-3.0-or-later
// The section "Embed and pictures" on the page of a match. The page loads its content when a viewer opens it.

import { withTexts } from "../texts.js";
import { html, useState } from "../view.js";

/** @param {import("../pages/match.js").SectionProps} props */
export function Section({ record, ply, view }) {
  const [module, setModule] = useState(/** @type {typeof import("./embedding.js") | null} */ (null));
  const load = () => void (module ?? withTexts("pictures/embedding.js", () => import("./embedding.js")).then(setModule));
  return html`
    <details class="small" onToggle=${load}>
      <summary>Embed and pictures</summary>
      ${module && html`<${module.Embedding} record=${record} ply=${ply} view=${view} />`}
    </details>
  `;
}
