// SPDX-License-Identifier: GPL-3.0-or-later
// The quarantines of a bot, for its owner and for administrators.

import { moment } from "../format.js";
import { translatedSentence } from "../sentences.js";
import { ask, html, messageOf, Problem, useEffect, useState } from "../view.js";
import { Lift, Matches } from "./quarantine.js";

/** @typedef {Api.AnswerTo<`/api/v1/bots/${number}/quarantine`>["items"][number]} Quarantine */

/**
 * The time of a quarantine in words.
 * @param {Quarantine} quarantine
 */
const span = ({ began, lifted, how }) => (lifted == null ? moment(began) : `${moment(began)} – ${moment(lifted)}: ${translatedSentence(how)}`);

/** @param {{ quarantine: Quarantine }} props */
const Item = ({ quarantine }) => html`<li>
  <strong class=${quarantine.lifted == null ? "loss" : ""}>Version <bdi>${quarantine.version}</bdi></strong>: ${translatedSentence(quarantine.reason)}. <${Matches} quarantine=${quarantine} />
  <span class="muted small"> ${span(quarantine)}</span>
</li>`;

/** @param {{ bot: Api.BotDetailAnswer }} props */
export function Quarantines({ bot }) {
  const [items, setItems] = useState(/** @type {Quarantine[]} */ ([]));
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  const look = async () => setItems((await ask(`/api/v1/bots/${bot.id}/quarantine`)).items);
  useEffect(() => void look().catch((error) => setProblem(messageOf(error))), []);
  if (!items.length) return html`<${Problem} text=${problem} />`;
  const lasts = items.some(({ lifted }) => lifted == null);
  return html`
    <section class="private" id="quarantine">
      <div class="head"><h2>Quarantine</h2><p class="muted small">Only the owner and administrators see this section.</p></div>
      ${lasts && html`<p>The bot plays no rated matches. If the server hosts it, a new version that passes its validation ends the quarantine. Otherwise, put it back here.</p>`}
      <ul class="notices surface">${items.map((quarantine) => html`<${Item} key=${quarantine.began} quarantine=${quarantine} />`)}</ul>
      ${lasts && html`<p class="files"><${Lift} bot=${bot} lifted=${look} /></p>`}
    </section>
  `;
}
