// SPDX-License-Identifier: GPL-3.0-or-later
// Shares of strategies over generations as stacked areas, and a table with the shares, fixation, extinctions and
// invasions.

import { count, percent } from "./format.js";
import { t } from "./texts.js";
import { html } from "./view.js";

/**
 * ``numbers``: of the generations of the rows of ``shares``.
 * @typedef {{ numbers: number[], names: string[], shares: number[][], fixed: Api.FixedView | null, extinct: (number | null)[], invasions: Api.InvasionView[] }} Course
 */

const BANDS = 8; // strategies with a colour of their own; the others share one
const COLUMNS = 200; // most generations that are drawn
const NAMED = 0.07; // share from which on there is room for a name in a band

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
 * @param {{ course: Course, label: string, own: number[], others: number[] }} props
 */
function Areas({ course: { numbers, names, shares }, label, own, others }) {
  const last = shares.length - 1;
  const every = Math.max(1, Math.ceil(last / COLUMNS));
  const rows = shares.map((_, row) => row).filter((row) => row % every === 0 || row === last);
  const [from, to] = [numbers[0], numbers[last]];
  /** @type {number[][]} */
  const groups = [...own.map((place) => [place]), ...(others.length ? [others] : [])];
  let below = rows.map(() => 0);
  const bands = groups.map((group) => {
    const floor = below;
    below = rows.map((row, at) => floor[at] + group.reduce((sum, place) => sum + shares[row][place], 0));
    /** @param {number} at @param {number} height */
    const point = (at, height) => `${(1000 * (numbers[rows[at]] - from)) / (to - from)},${1000 * (1 - height)}`;
    const [along, back] = [below.map((height, at) => point(at, height)), floor.map((height, at) => point(at, height)).toReversed()];
    return { points: [...along, ...back].join(" "), low: floor[floor.length - 1], high: below[below.length - 1] };
  });
  /** @param {number} band */
  const name = (band) => (band < own.length ? names[own[band]] : t`others`);
  return html`
    <figure class="shares">
      <div class="area" role="img" aria-label=${label}>
        <svg viewBox="0 0 1000 1000" preserveAspectRatio="none" aria-hidden="true">
          ${bands.map(({ points }, band) => html`<polygon key=${band} class=${`band-${band < own.length ? band : "others"}`} points=${points}><title>${name(band)}</title></polygon>`)}
        </svg>
        ${bands.map(({ low, high }, band) => high - low >= NAMED && html`<span key=${band} class="small ellipsis" style=${{ bottom: `${50 * (low + high)}%` }}><bdi>${name(band)}</bdi></span>`)}
      </div>
      <figcaption class="muted small"><span>${t`gen. ${count(from)}`}</span><span>${count(to)}</span></figcaption>
    </figure>
  `;
}

/**
 * What became of a strategy, in words.
 * @param {Course} course
 * @param {number} place
 */
function fate({ names, fixed, extinct }, place) {
  if (fixed?.name === names[place]) return t`takes over after ${count(fixed.generations)} generations`;
  const since = extinct[place];
  return since == null ? "" : t`extinct after ${count(since)} generations`;
}

/**
 * What can invade a strategy; nothing if that is unknown.
 * @param {Api.InvasionView} invasion
 */
function invaders({ invaders: found }) {
  if (!found) return "";
  if (!found.length) return html`<span class="muted">none: it is stable</span>`;
  return found.map((other, at) => html`${at > 0 && ", "}<bdi>${other}</bdi>`);
}

/**
 * The shares in numbers, with what became of each strategy and what can invade it.
 * @param {{ course: Course, who: string, own: number[], others: number[] }} props
 */
function Numbers({ course, who, own, others }) {
  const { numbers, names, shares, invasions } = course;
  const shown = [...new Set([0, 0.25, 0.5, 0.75, 1].map((part) => Math.round(part * (shares.length - 1))))];
  return html`
    <div class="scroll surface">
      <table class="share-table">
        <caption class="visually-hidden">Shares over the generations</caption>
        <thead><tr><th>${who}</th>${shown.map((row) => html`<th key=${row} class="number">${t`gen. ${count(numbers[row])}`}</th>`)}<th>Share over time</th><th>Can be invaded by</th></tr></thead>
        <tbody>${[...own, ...others].map((place, band) => html`<tr key=${place}>
          <th scope="row"><i class=${`swatch band-${band < own.length ? band : "others"}`}></i><bdi class="ellipsis" title=${names[place]}>${names[place]}</bdi></th>
          ${shown.map((row) => html`<td key=${row} class="number">${percent(shares[row][place], 1)}</td>`)}
          <td>${fate(course, place)}</td>
          <td>${invaders(invasions[place])}</td>
        </tr>`)}</tbody>
      </table>
    </div>
  `;
}

/**
 * The shares of a course with two generations or more. ``who``: heading of the names; ``label``: of the drawing, for
 * screen readers.
 * @param {{ course: Course, who: string, label: string }} props
 */
export function SharesOverTime({ course, who, label }) {
  const { own, others } = stacked(course.shares);
  return html`
    <p>${course.fixed ? t`${course.fixed.name} takes over after ${count(course.fixed.generations)} generations.` : t`No strategy takes over.`}</p>
    <${Areas} course=${course} label=${label} own=${own} others=${others} />
    <${Numbers} course=${course} who=${who} own=${own} others=${others} />
  `;
}
