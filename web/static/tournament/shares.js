// SPDX-License-Identifier: GPL-3.0-or-later
// A finished tournament as evolution: the shares of the bots' strategies over time, by one of three dynamics.

import { count } from "../format.js";
import { translatedSentence } from "../sentences.js";
import { SharesOverTime } from "../shares.js";
import { Tabs } from "../tabs.js";
import { t } from "../texts.js";
import { ask, html, messageOf, useEffect, useState } from "../view.js";

const SETTLED = 0.005; // differences of shares that no one sees
const FEWEST = 20; // generations

/**
 * The number of generations to draw: a quarter more than it takes until no share changes visibly.
 * @param {number[][]} shares
 */
function end(shares) {
  const last = shares[shares.length - 1];
  const moving = shares.findLastIndex((row) => row.some((share, place) => Math.abs(share - last[place]) > SETTLED));
  return Math.min(shares.length - 1, Math.max(FEWEST, Math.ceil(1.25 * (moving + 1))));
}

/** @param {{ tournament: Api.TournamentView }} props */
export function Shares({ tournament: { id } }) {
  const [dynamics, setDynamics] = useState("ecological");
  const [answer, setAnswer] = useState(/** @type {Api.SharesView | null} */ (null));
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  useEffect(() => {
    let stale = false;
    setProblem(null);
    ask(`/api/v1/tournaments/${id}/shares?dynamics=${dynamics}`).then(
      (found) => stale || setAnswer(found),
      (error) => stale || setProblem(messageOf(error)),
    );
    return () => void (stale = true);
  }, [dynamics]);
  if (problem) return html`<p class="muted">${translatedSentence(problem)}</p>`;
  if (!answer) return html`<p class="muted"></p>`;
  const until = end(answer.shares);
  const shares = answer.shares.slice(0, until + 1);
  const course = { ...answer, shares, numbers: shares.map((_, number) => number) };
  const label = t`Shares of the strategies over ${count(until)} generations, ${answer.dynamics}; the table has the numbers`;
  return html`
    <p class="muted">Each bot's strategy begins with the same share; its payoff against the others determines the growth of its share.</p>
    <div class="dynamics"><${Tabs} label="Dynamics" tabs=${[["ecological", t`Ecological`], ["replicator", t`Replicator equation`], ["moran", t`Moran process`]]} current=${dynamics} choose=${setDynamics} /></div>
    <${SharesOverTime} course=${course} who=${t`Bot`} label=${label} />
  `;
}
