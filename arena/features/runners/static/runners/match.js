// SPDX-License-Identifier: GPL-3.0-or-later
// The section "Runners" on the page of a match: the machines on which its bots computed, with their measured speed. It is
// there for bots that runners host.

import { large, moment } from "../format.js";
import { t } from "../texts.js";
import { ask, html, useEffect, useState } from "../view.js";

/** @typedef {Api.AnswerTo<"/api/v1/matches/{id}/runners">["items"][number]} MatchRunner */

/** @param {import("../pages/match.js").SectionProps} props */
export function Section({ record, seen }) {
  const [items, setItems] = useState(/** @type {MatchRunner[]} */ ([]));
  const over = seen.ending != null;
  useEffect(() => {
    ask(`/api/v1/matches/${record.id}/runners`).then((answer) => setItems(answer.items), () => {});
  }, [over]);
  if (items.length === 0) return null;
  /** @param {MatchRunner} item */
  const named = ({ bot }) => seen.players.find((player) => player.bot === bot)?.name ?? "";
  return html`
    <details class="small" id="runners">
      <summary>Runners</summary>
      <div class="scroll"><table class="rows">
        <thead><tr><th>Bot</th><th>Runner</th><th class="number">Cores</th><th class="number" title=${t`Nodes per second of a fixed search on one core`}>Nodes/s</th></tr></thead>
        <tbody>${items.map((item) => html`<tr key=${`${item.bot} ${item.began}`}>
          <td class="name"><span class="ellipsis" title=${named(item)}>${named(item)}</span></td>
          <td class="name"><span class="ellipsis" title=${`${item.runner}, ${item.platform}, bot-arena ${item.version}, ${moment(item.began)}`}>${item.runner}</span></td>
          <td class="number">${item.cores}</td>
          <td class="number">${large(item.speed)}</td>
        </tr>`)}</tbody>
      </table></div>
    </details>
  `;
}
