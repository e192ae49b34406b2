// SPDX-License-Identifier: GPL-3.0-or-later
// The commitment to the secret of the dice, and the secret once the match is over; only matches with dice load it.

import { t } from "../texts.js";
import { html } from "../view.js";

/** @param {{ seen: Protocol.Seen }} props */
export function Dice({ seen }) {
  const secret = seen.ending?.dice_secret;
  const sealed = seen.ending?.sealed_until;
  return html`
    ${sealed && html`<p class="muted">Another match of the tournament has the same rolls or cards. What this match hides is shown when game ${sealed} is over; until then this page shows what spectators could see.</p>`}
    <details class="dice small muted">
      <summary>Dice</summary>
      <p>Commitment, published at the start of the match (a hash of the secret that determines the rolls): <code>${seen.dice_commitment}</code></p>
      <p>${secret ? html`Secret: <code>${secret}</code>` : sealed ? t`The server publishes the secret after game ${sealed} of the tournament.` : t`The server publishes the secret of the dice after the match.`}</p>
    </details>
  `;
}
