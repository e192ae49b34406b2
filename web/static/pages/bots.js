// SPDX-License-Identifier: GPL-3.0-or-later
// The list of all bots.

import { Command } from "../command.js";
import { moment } from "../format.js";
import { More, useList } from "../lists.js";
import "../shell.js";
import { t } from "../texts.js";
import { ask, firstData, html, show } from "../view.js";

/** @type {Api.BotsAnswer} */
const first = firstData();

/** @type {Record<string, string>} */
const KINDS = { "built-in": t`Built-in bot`, person: t`Person`, own: t`Bot` };

/** @param {Api.BotsAnswer["items"][number]} bot */
const statusOf = (bot) => (bot.removed ? t`removed` : bot.connected ? html`<span class="win">${t`● connected`}</span>` : t`○ not connected`);

function Bots() {
  const list = useList(first, (after) => ask(`/api/v1/bots?after=${encodeURIComponent(after)}`));
  return html`
    <div class="head">
      <h1>Bots</h1>
    </div>
    ${list.items.length
      ? html`<div class="scroll surface"><table>
          <thead><tr><th>Name</th><th>Status</th><th class="wide">Kind</th><th class="wide">Description</th><th class="wide number">Added</th></tr></thead>
          <tbody>${list.items.map(
            (bot) => html`<tr key=${bot.id}>
              <td class="name"><a href=${`/bots/${bot.id}`} title=${bot.name}>${bot.name}</a></td>
              <td class="muted">${statusOf(bot)}</td>
              <td class="wide muted">${KINDS[bot.kind]}</td>
              <td class="wide muted foreign"><bdi>${bot.description ?? ""}</bdi></td>
              <td class="wide number muted">${moment(bot.created)}</td>
            </tr>`,
          )}</tbody>
        </table></div>`
      : html`<div class="empty">
          <h2>No bots yet</h2>
          <p class="muted">Add a bot and get its token:</p>
          <${Command} text=${"arena bots add my-bot"} />
        </div>`}
    <${More} list=${list} />
  `;
}

show(html`<${Bots} />`);
