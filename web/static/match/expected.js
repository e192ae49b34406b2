// SPDX-License-Identifier: GPL-3.0-or-later
// The replies that a bot predicts; only matches of such bots load it.

import { percent } from "../format.js";
import { t } from "../texts.js";
import { html } from "../view.js";

/**
 * Predicted replies of a side; ``answer``: the actual next move, if it was made.
 * @param {{ expected: Api.Expected[], answer?: Api.SeenMove }} props
 */
export function Expected({ expected, answer }) {
  return html`
    <table class="expected">
      <caption>Predicted reply</caption>
      <tbody>${expected.map(
        ({ move, probability }) => html`<tr key=${move} class=${answer?.move === move ? "hit" : ""}>
          <td>${move}</td>
          <td class="filled"><span style=${{ width: `${100 * probability}%` }}></span></td>
          <td class="number">${percent(probability)}</td>
        </tr>`,
      )}</tbody>
    </table>
    ${answer && html`<p class="small muted">${expected[0].move === answer.move ? t`Hit` : t`Miss`}: ${answer.text || answer.move}</p>`}
  `;
}
