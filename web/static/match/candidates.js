// SPDX-License-Identifier: GPL-3.0-or-later
// The best moves of a Monte Carlo tree search; only matches of bots that report them load it.

import { large, percent } from "../format.js";
import { t } from "../texts.js";
import { html } from "../view.js";

/**
 * Candidate moves of a side with their visits and win probabilities; bars show the shares of the visits. ``played``: the
 * move that the side made, if it is made.
 * @param {{ candidates: Protocol.Candidate[], played?: string }} props
 */
export function Candidates({ candidates, played }) {
  const all = candidates.reduce((sum, { visits }) => sum + visits, 0);
  return html`
    <table class="expected">
      <caption>${t`Candidate moves: visits and win probability`}</caption>
      <tbody>${candidates.map(
        ({ move, visits, win }) => html`<tr key=${move} class=${played === move ? "hit" : ""}>
          <td class="ellipsis">${move}</td>
          <td class="filled"><span style=${{ width: `${(100 * visits) / Math.max(1, all)}%` }}></span></td>
          <td class="number">${large(visits)}</td>
          <td class="number">${percent(win)}</td>
        </tr>`,
      )}</tbody>
    </table>
  `;
}
