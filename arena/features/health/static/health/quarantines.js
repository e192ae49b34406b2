// SPDX-License-Identifier: GPL-3.0-or-later
// Administration of quarantines: the bots that failed too often in their rated matches.

import { Administration } from "../accounts/administration.js";
import { moment } from "../format.js";
import { More, useList } from "../lists.js";
import { translatedSentence } from "../sentences.js";
import { ask, firstData, html, show } from "../view.js";
import { Lift, Matches } from "./quarantine.js";

/** @typedef {Api.AnswerTo<"/api/v1/quarantines">} Answer */
/** @type {{ menu: [string, string][], quarantines: Answer }} */
const { menu, quarantines: first } = firstData();

function Quarantines() {
  const list = useList(first, (after) => ask(`/api/v1/quarantines?after=${encodeURIComponent(after)}`));
  /** @param {Answer["items"][number]} lifted */
  const drop = async (lifted) => list.setItems(list.items.filter((each) => each !== lifted));
  return html`
    <${Administration} menu=${menu}>
      ${list.items.length === 0
        ? html`<div class="empty"><h2>No bot is in quarantine</h2><p class="muted">A bot that crashes, makes illegal moves or loses on time too often is taken off the ladder and listed here.</p></div>`
        : html`<div class="scroll surface"><table class="rows" id="quarantines">
            <thead><tr><th>Bot</th><th class="wide">Owner</th><th>Reason</th><th class="wide">Matches</th><th class="wide">Since</th><th class="act"><span class="visually-hidden">Actions</span></th></tr></thead>
            <tbody>${list.items.map((one) => html`<tr key=${one.bot}>
              <td class="name"><a href=${`/bots/${one.bot}`} title=${one.name}>${one.name} <bdi class="muted small">${one.version}</bdi></a></td>
              <td class="wide muted">${one.owner}</td>
              <td>${translatedSentence(one.reason)}</td>
              <td class="wide"><${Matches} quarantine=${one} /></td>
              <td class="wide muted">${moment(one.began)}</td>
              <td class="act"><${Lift} bot=${{ id: one.bot, name: one.name }} lifted=${() => drop(one)} /></td>
            </tr>`)}</tbody>
          </table></div>`}
      <${More} list=${list} />
    <//>
  `;
}

show(html`<${Quarantines} />`);
