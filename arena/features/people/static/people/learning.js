// SPDX-License-Identifier: GPL-3.0-or-later
// The page of an account on which a person allows bots to learn from its games, and reads what they learned.

import { ConfirmedButton } from "../accounts/forms.js";
import { post } from "../accounts/requests.js";
import { OpponentModel } from "../opponent_models/section.js";
import "../shell.js";
import { t, translated } from "../texts.js";
import { firstData, html, messageOf, Problem, show, useState } from "../view.js";

/** @typedef {Api.AnswerTo<"/api/v1/account/learning">} Learning */
/** @type {{ games: Api.GamesAnswer, learning: Learning }} */
const first = firstData();

function Page() {
  const [learning, setLearning] = useState(first.learning);
  const [problem, setProblem] = useState("");
  /** @param {boolean} allowed */
  const set = async (allowed) => setLearning(/** @type {Learning} */ (await post("/api/v1/account/learning", { allowed })));
  const stop = () => set(false);
  const allow = () => set(true).then(() => setProblem(""), (error) => setProblem(messageOf(error)));
  return html`
    <div class="head"><h1>Learning from your games</h1></div>
    <div class="stack">
      <section class="prose">
        <p>Bots such as <code>adaptive</code> learn how an opponent plays: openings, patterns of pieces, and moves that the opponent often makes. They use this to predict the opponent's next move.</p>
        <p>The bots of this arena learn from your games only if you allow it. Then they learn from all your recorded games, and everybody can read the models. The arena stores no model of you without your permission. Recorded matches are public, so bots that run elsewhere can read yours in any case.</p>
        <p>Models exist for chess and checkers.</p>
        <p role="status"><strong>${learning.allowed ? t`You allow bots to learn from your games.` : t`Bots do not learn from your games.`}</strong></p>
        <p>${learning.allowed
          ? html`<${ConfirmedButton} label="Stop and forget" title="Stop and forget?" text="The arena deletes all models that bots learned from your games. Its own bots stop using them with your next match. Your games stay." act=${stop} />`
          : html`<button class="primary" onClick=${allow}>Allow bots to learn from my games</button>`}</p>
        <${Problem} text=${problem} />
      </section>
      ${learning.allowed && learning.models.length === 0 && html`<div class="empty"><h2>Nothing is learned yet</h2><p class="muted">Play at least two games of chess or checkers against <code>adaptive</code>. It learns when a match with you begins.</p><a class="button" href="/play">Play</a></div>`}
      ${first.games.items.map((game) => learning.models.filter(({ model }) => model.game === game.name).map((item) => html`
        <section key=${`${game.name} ${item.author_id}`} class="opponent-models"><h2>${translated(game.title)}</h2><${OpponentModel} item=${item} game=${game} /></section>`))}
    </div>
  `;
}

show(html`<${Page} />`);
