// SPDX-License-Identifier: GPL-3.0-or-later
// The machines on which the bots of a match computed, with their measured speed.

import { large, moment } from "../format.js";
import { t } from "../texts.js";
import { ask, html, messageOf } from "../view.js";

/**
 * Load the table, or the reason why it cannot be shown.
 * @param {number} match
 * @param {Protocol.Seen["players"]} players
 */
export const load = (match, players) => ask(`/api/v1/matches/${match}/runners`).then(({ items }) => rows(items, players), messageOf);

/**
 * @param {Api.AnswerTo<`/api/v1/matches/${number}/runners`>["items"]} items
 * @param {Protocol.Seen["players"]} players
 */
function rows(items, players) {
  /** @param {number} number */
  const named = (number) => players.find(({ bot }) => bot === number)?.name ?? "";
  return html`
    <div class="scroll"><table class="rows">
      <thead><tr><th>Bot</th><th>Runner</th><th class="number">Cores</th><th class="number" title=${t`Nodes per second of a fixed search on one core`}>Nodes/s</th></tr></thead>
      <tbody>${items.map(({ bot, runner, platform, version, cores, speed, began }) => html`<tr key=${`${bot} ${began}`}>
        <td class="name"><span class="ellipsis" title=${named(bot)}>${named(bot)}</span></td>
        <td class="name"><span class="ellipsis" title=${[runner, platform, version, moment(began)].join(", ")}>${runner}</span></td>
        <td class="number">${cores}</td>
        <td class="number">${large(speed)}</td>
      </tr>`)}</tbody>
    </table></div>
  `;
}
