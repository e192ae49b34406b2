// SPDX-License-Identifier: GPL-3.0-or-later
// A finished tournament as evolution: the shares of the bots' strategies over time as stacked areas, and a table with
// the shares, fixation, extinctions and invasions.

import { count, percent } from "../format.js";
import { translatedSentence } from "../sentences.js";
import { Tabs } from "../tabs.js";
import { t } from "../texts.js";
import { ask, html, messageOf, useEffect, useState } from "../view.js";

const BANDS = 8; // strategies with a colour of their own; the others share one
const COLUMNS = 200; // most generations that are drawn
const NAMED = 0.07; // share from which on there is room for a name in a band
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

/**
 * The strategies from the bottom of the drawing to its top: the largest final shares first. The last of them, null, is the
 * sum of those without a colour of their own.
 * @param {number[][]} shares
 */
function stacked(shares) {
  const last = shares[shares.length - 1];
  const most = last.map((_, place) => Math.max(...shares.map((row) => row[place])));
  const places = [...last.keys()].toSorted((one, other) => most[other] - most[one]);
  const own = places.slice(0, BANDS).toSorted((one, other) => last[other] - last[one] || most[other] - most[one]);
  return { own, others: places.slice(BANDS) };
}

/**
 * The areas of the shares, with the names of the wide ones.
 * @param {{ answer: Api.SharesView, until: number, own: number[], others: number[] }} props
 */
function Areas({ answer: { names, shares, dynamics }, until, own, others }) {
  const every = Math.max(1, Math.ceil(until / COLUMNS));
  const generations = shares.map((_, one) => one).filter((one) => one <= until && (one % every === 0 || one === until));
  /** @type {number[][]} */
  const groups = [...own.map((place) => [place]), ...(others.length ? [others] : [])];
  let below = generations.map(() => 0);
  const bands = groups.map((group) => {
    const floor = below;
    below = generations.map((one, at) => floor[at] + group.reduce((sum, place) => sum + shares[one][place], 0));
    /** @param {number} at @param {number} height */
    const point = (at, height) => `${(1000 * generations[at]) / until},${1000 * (1 - height)}`;
    const [along, back] = [below.map((height, at) => point(at, height)), floor.map((height, at) => point(at, height)).toReversed()];
    return { points: [...along, ...back].join(" "), low: floor[floor.length - 1], high: below[below.length - 1] };
  });
  /** @param {number} band */
  const name = (band) => (band < own.length ? names[own[band]] : t`others`);
  const label = t`Shares of the strategies over ${count(until)} generations, ${dynamics}; the table has the numbers`;
  return html`
    <figure class="shares">
      <div class="area" role="img" aria-label=${label}>
        <svg viewBox="0 0 1000 1000" preserveAspectRatio="none" aria-hidden="true">
          ${bands.map(({ points }, band) => html`<polygon key=${band} class=${`band-${band < own.length ? band : "others"}`} points=${points}><title>${name(band)}</title></polygon>`)}
        </svg>
        ${bands.map(({ low, high }, band) => high - low >= NAMED && html`<span key=${band} class="small ellipsis" style=${{ bottom: `${50 * (low + high)}%` }}><bdi>${name(band)}</bdi></span>`)}
      </div>
      <figcaption class="muted small"><span>0 generations</span><span>${count(until)}</span></figcaption>
    </figure>
  `;
}

/**
 * What became of a strategy, in words.
 * @param {Api.SharesView} answer
 * @param {number} place
 */
function fate({ names, fixed, extinct }, place) {
  if (fixed?.name === names[place]) return t`takes over after ${count(fixed.generations)} generations`;
  const since = extinct[place];
  return since == null ? "" : t`extinct after ${count(since)} generations`;
}

/**
 * The shares in numbers, with what became of each strategy and what can invade it.
 * @param {{ answer: Api.SharesView, until: number, own: number[], others: number[] }} props
 */
function Numbers({ answer, until, own, others }) {
  const { names, shares, invasions } = answer;
  const shown = [...new Set([0, 0.25, 0.5, 0.75, 1].map((part) => Math.round(part * until)))];
  return html`
    <div class="scroll surface">
      <table class="share-table">
        <caption class="visually-hidden">Shares over the generations</caption>
        <thead><tr><th>Bot</th>${shown.map((one) => html`<th key=${one} class="number">${t`gen. ${count(one)}`}</th>`)}<th>Course</th><th>Can be invaded by</th></tr></thead>
        <tbody>${[...own, ...others].map((place, band) => html`<tr key=${place}>
          <th scope="row"><i class=${`swatch band-${band < own.length ? band : "others"}`}></i><bdi class="ellipsis" title=${names[place]}>${names[place]}</bdi></th>
          ${shown.map((one) => html`<td key=${one} class="number">${percent(shares[one][place], 1)}</td>`)}
          <td>${fate(answer, place)}</td>
          <td>${invasions[place].invaders.length ? invasions[place].invaders.map((other, at) => html`${at > 0 && ", "}<bdi>${other}</bdi>`) : html`<span class="muted">none: it is stable</span>`}</td>
        </tr>`)}</tbody>
      </table>
    </div>
  `;
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
  const { own, others } = stacked(answer.shares);
  return html`
    <p class="muted">Each bot's strategy begins with the same share; what it gets against the others decides how its share grows.</p>
    <div class="dynamics"><${Tabs} label="Dynamics" tabs=${[["ecological", t`Ecological`], ["replicator", t`Replicator equation`], ["moran", t`Moran process`]]} current=${dynamics} choose=${setDynamics} /></div>
    <p>${answer.fixed ? t`${answer.fixed.name} takes over after ${count(answer.fixed.generations)} generations.` : t`No strategy takes over.`}</p>
    <${Areas} answer=${answer} until=${until} own=${own} others=${others} />
    <${Numbers} answer=${answer} until=${until} own=${own} others=${others} />
  `;
}
