// SPDX-License-Identifier: GPL-3.0-or-later
// Rating intervals as bars on one scale for all rows.

import { count, rating } from "../format.js";
import { t } from "../texts.js";
import { html } from "../view.js";

const STEP = 50; // points: the scale ends at multiples, so that it seldom changes

/** @typedef {[number, number]} Scale the ratings at both ends */

/**
 * The scale that holds the intervals of all ranked rows, or of all rows if none is ranked; null without intervals.
 * @param {Api.LeaderAnswer[]} items
 * @returns {Scale | null}
 */
export function scaleOf(items) {
  const ranked = items.filter(({ rank }) => rank !== null);
  const ends = (ranked.length ? ranked : items).flatMap(({ interval }) => interval ?? []);
  if (!ends.length) return null;
  return [STEP * Math.floor(Math.min(...ends) / STEP), STEP * Math.ceil(Math.max(...ends) / STEP)];
}

/**
 * The bar of a rating: its 95 % interval, with a line at the rating. Parts beyond the scale are cut off.
 * @param {{ value: number, interval: [number, number], scale: Scale }} props
 */
function Bar({ value, interval, scale: [low, high] }) {
  /** @param {number} points */
  const at = (points) => Math.min(100, Math.max(0, (100 * (points - low)) / Math.max(1, high - low)));
  const [from, to, middle] = [at(interval[0]), at(interval[1]), at(value)];
  return html`
    <svg class="reach" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect class="rail" y="3.5" width="100" height="1" />
      <rect class="span" x=${from} y="1" width=${Math.max(1, to - from)} height="6" />
      <rect class="value" x=${Math.min(99, Math.max(0, middle - 0.5))} width="1" height="8" />
    </svg>
  `;
}

/**
 * The cell of a rating interval.
 * @param {{ item: Api.LeaderAnswer, scale: Scale | null }} props
 */
export function IntervalCell({ item, scale }) {
  if (!item.interval) return html`<td class="number"><span class="interval"></span></td>`;
  const [low, high] = item.interval;
  return html`<td class="number muted" title=${t`95 % interval: ${rating(low)} to ${rating(high)}`}>
    <span class="interval"><span>± ${count((high - low) / 2)}</span>${scale && html`<${Bar} value=${item.rating} interval=${item.interval} scale=${scale} />`}</span>
  </td>`;
}

/**
 * The ends of the scale, in the head of the column.
 * @param {{ scale: Scale | null }} props
 */
export const ScaleEnds = ({ scale }) => html`<span class="interval"><span>±</span><span class="reach ends wide">${scale?.map((end) => html`<span>${rating(end)}</span>`)}</span></span>`;
