// SPDX-License-Identifier: GPL-3.0-or-later
// The end of a match in words.

import { how } from "../endings.js";
import { named, score } from "../format.js";
import { reveal } from "../spoilers.js";
import { t } from "../texts.js";
import { html } from "../view.js";

/** @param {{ seen: Protocol.Seen, ending: Protocol.Ending }} props */
export function Ending({ seen, ending }) {
  const winner = ["1-0", "0-1"].indexOf(ending.result);
  const text = ending.result === "*" ? t`Void` : winner < 0 ? t`Draw` : t`${named(seen.players[winner])} won`;
  const words = how(ending);
  return html`
    <div class="ending surface news">
      <strong>${score(ending.result)}</strong>
      <span class="foreign">${text} <span class="muted">${words}${ending.detail && html` – <bdi>${ending.detail}</bdi>`}</span></span>
    </div>
  `;
}

/** In place of the end, while the page hides the result. */
export const Covered = () => html`
  <div class="ending surface"><span class="muted">The result appears after the last move.</span> <button onClick=${reveal}>Show it now</button></div>
`;
