// SPDX-License-Identifier: GPL-3.0-or-later
// Comparison of two versions of a bot: ratings with intervals, results, endings, side by side.

import { useAnswer } from "../asking.js";
import { count, percent, rating, signed } from "../format.js";
import { Results } from "../parts.js";
import { t } from "../texts.js";
import { html, Problem, useState } from "../view.js";
import { endingsOf, OUTCOMES } from "./endings.js";
import { tallyOf } from "./results.js";
import { Percent, reach, total } from "./tally.js";

const ENDINGS = 3; // of each version

/**
 * ``labels``: the versions that have ratings in the game and time class, newest first.
 * @param {{ bot: number, game: string, timeClass: string, labels: string[] }} props
 */
export function Versions({ bot, game, timeClass, labels }) {
  const [chosen, setChosen] = useState(/** @type {[number, number]} */ ([0, 1]));
  const pair = chosen.map((place) => labels[place] ?? labels[0]);
  const [one, other] = pair;
  const [compared, problem] = useAnswer(`/api/v1/bots/${bot}/compare?${new URLSearchParams({ game, time_class: timeClass, one, other })}`);
  const results = pair.map((version) => useAnswer(`/api/v1/bots/${bot}/results?${new URLSearchParams({ game, version })}`)[0]);
  const items = results.map((answer) => answer?.items.filter((item) => item.outcome !== "void" && item.time_class === timeClass) ?? []);
  const tallies = items.map(tallyOf);
  const difference = compared?.difference;
  /** @param {number} place */
  const pick = (place) => html`<select aria-label=${place === 0 ? t`First version` : t`Second version`} value=${String(chosen[place])}
    onChange=${(/** @type {Event & { currentTarget: HTMLSelectElement }} */ { currentTarget }) => setChosen(place === 0 ? [Number(currentTarget.value), chosen[1]] : [chosen[0], Number(currentTarget.value)])}>
    ${labels.map((label, number) => html`<option key=${label} value=${String(number)}>${label}</option>`)}
  </select>`;
  return html`
    <${Problem} text=${problem} />
    <div class="scroll surface">
      <table class="versions">
        <thead><tr><th>Version</th>${[0, 1].map((place) => html`<th class="number">${pick(place)}</th>`)}</tr></thead>
        <tbody>
          <tr><td>Rating (Bradley-Terry)</td>${compared?.versions.map((each) => html`<td class="number">${each.interval ? html`<strong>${rating(each.rating)}</strong> <span class="muted">± ${count((each.interval[1] - each.interval[0]) / 2)}</span>` : "–"}</td>`)}</tr>
          <tr><td>Matches</td>${tallies.map((tally) => html`<td class="number">${count(total(tally))}</td>`)}</tr>
          <tr><td>Score</td>${tallies.map((tally) => html`<td class="number"><${Percent} of=${tally} /></td>`)}</tr>
          <tr><td>Won / drawn / lost</td>${tallies.map((tally) => html`<td class="number"><${Results} of=${tally} /></td>`)}</tr>
          ${OUTCOMES.map(([outcome, title]) => html`<tr key=${outcome}><td>${title}</td>${items.map((of) => html`<td class="number endings-of">
            ${endingsOf(of, outcome).slice(0, ENDINGS).map(([words, matches]) => html`<div key=${words}>${words}: ${count(matches)}</div>`)}
          </td>`)}</tr>`)}
        </tbody>
      </table>
    </div>
    ${difference && html`<p class="muted small foreign">Rating of version <bdi>${one}</bdi> minus rating of version <bdi>${other}</bdi>: ${signed(difference.elo)} points (95 % interval ${reach(difference.interval)}). Likelihood that the first is stronger: ${percent(difference.superiority)}.</p>`}
  `;
}
