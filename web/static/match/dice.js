// SPDX-License-Identifier: GPL-3.0-or-later
// The commitment to the secret of the dice, and the secret once the match is over; only matches with dice load it.

import { t } from "../texts.js";
import { html } from "../view.js";

/** @param {{ seen: Protocol.Seen }} props */
export function Dice({ seen }) {
  const secret = seen.ending?.dice_secret;
  const mirrored = seen.ending && !secret;
  return html`
    <details class="dice small muted">
      <summary>Dice</summary>
      <p>Commitment, published at the start of the match (a hash of the secret that determines the rolls): <code>${seen.dice_commitment}</code></p>
      <p>${secret ? html`Secret: <code>${secret}</code>` : mirrored ? t`Mirrored dice: in another match of the tournament each seat gets the same rolls. Exports contain the secret when the tournament is over.` : t`The server publishes the secret of the dice after the match.`}</p>
    </details>
  `;
}
