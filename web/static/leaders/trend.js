// SPDX-License-Identifier: GPL-3.0-or-later
// Trends: the Elo rating of each shown version over its newest rated matches, as a small curve.

import { moment, signed, tone } from "../format.js";
import { plural, t } from "../texts.js";
import { ask, html, useEffect, useState } from "../view.js";

const AT_ONCE = 100; // bots of one request
const [WIDTH, HEIGHT] = [64, 20];

/** The key of a version's row. ``bot``: its number. */
export const keyOf = (/** @type {number} */ bot, /** @type {string} */ version) => `${bot} ${version}`;

/**
 * The trends of the rows by their keys; null before the first answer. ``occasion``: the trends are read again when it
 * changes.
 * @param {{ game: string, time_class: string }} board
 * @param {Api.LeaderAnswer[]} items
 * @param {unknown} occasion
 */
export function useTrends(board, items, occasion) {
  const [trends, setTrends] = useState(/** @type {Map<string, Api.TrendAnswer> | null} */ (null));
  const bots = [...new Set(items.map(({ bot }) => bot.id))];
  useEffect(() => {
    let stale = false;
    const parts = [];
    for (let from = 0; from < bots.length; from += AT_ONCE) {
      const query = new URLSearchParams({ ...board, bots: bots.slice(from, from + AT_ONCE).join(",") });
      parts.push(ask(/** @type {"/api/v1/leaderboard/trends"} */ (`/api/v1/leaderboard/trends?${query}`)));
    }
    Promise.all(parts).then(
      (answers) => stale || setTrends(new Map(answers.flatMap(({ items }) => items.map((item) => [keyOf(item.bot, item.version), item])))),
      () => {}, // the table stays without trends
    );
    return () => void (stale = true);
  }, [bots.join(), occasion]);
  return trends;
}

/**
 * The curve of the ratings.
 * @param {{ ratings: number[] }} props
 */
function Curve({ ratings }) {
  const [low, high] = [Math.min(...ratings), Math.max(...ratings)];
  const range = Math.max(10, high - low); // changes of a point or two are no mountains
  const middle = (low + high) / 2;
  const points = ratings.map((value, index) => {
    const x = 1 + ((WIDTH - 2) * index) / (ratings.length - 1);
    const y = HEIGHT / 2 - ((HEIGHT - 4) * (value - middle)) / range;
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return html`<svg class="spark" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true"><polyline points=${points.join(" ")} /></svg>`;
}

/**
 * The cell of a trend; a dash if there is no recent match.
 * @param {{ trend?: Api.TrendAnswer, known: boolean }} props
 */
export function TrendCell({ trend, known }) {
  if (!trend) return html`<td class="wide trend muted" title=${known ? t`No rated match among the last 200 matches of the bot` : null}>${known && "–"}</td>`;
  const matches = trend.ratings.length - 1;
  const told = plural(matches, "Elo rating {1} over the last {0} rated match, since {2}", "Elo rating {1} over the last {0} rated matches, since {2}", signed(trend.change), moment(trend.since));
  return html`<td class="wide trend" title=${told}><span><${Curve} ratings=${trend.ratings} /><span class=${tone(trend.change)}>${signed(trend.change)}</span></span></td>`;
}
