// SPDX-License-Identifier: GPL-3.0-or-later
// The table of a leaderboard: rows with ratings, intervals, trends and results.

import { count, precise, rating, signed, tone } from "../format.js";
import { Ago, Results } from "../parts.js";
import { betweenLinks, useSliding } from "../rows.js";
import { t, translated } from "../texts.js";
import { html } from "../view.js";
import { IntervalCell, ScaleEnds, scaleOf } from "./interval.js";
import { Payoff, POINTS } from "./payoffs.js";
import { keyOf, TrendCell } from "./trend.js";

const FAILED = t`Wins because the opponent crashed, disconnected, or sent an invalid message or an illegal move`;
const TREND = t`Elo rating over the newest rated matches, at most 30`;
/** Columns that narrow screens show, too. */
const NARROW = ["interval", "ranks"];
const walk = betweenLinks("td.name a");

/** @param {string} name */
const classOf = (name) => (NARROW.includes(name) ? "number" : "wide number");

/**
 * A bar that shows the shares of wins, draws and losses.
 * @param {{ item: Api.LeaderAnswer }} props
 */
function Share({ item }) {
  const games = Math.max(1, item.games);
  const [won, drawn] = [(96 * item.wins) / games, (96 * item.draws) / games];
  return html`
    <svg class="share" viewBox="0 0 96 8" role="img" aria-label=${t`${item.wins} won, ${item.draws} drawn, ${item.losses} lost`}>
      <rect class="win" width=${won} height="8" />
      <rect class="draw" x=${won} width=${drawn} height="8" />
      <rect class="loss" x=${won + drawn} width=${item.games ? Math.max(0, 96 - won - drawn) : 0} height="8" />
    </svg>
  `;
}

/**
 * The cell of a column of the rating system: a field of the row, or one of its `values`.
 * @param {{ item: Api.LeaderAnswer, name: string, scale: import("./interval.js").Scale | null }} props
 */
function Cell({ item, name, scale }) {
  if (name === "interval") return html`<${IntervalCell} item=${item} scale=${scale} />`;
  if (name === "ranks") {
    const ranks = item.ranks && (item.ranks[0] === item.ranks[1] ? item.ranks[0] : item.ranks.join("–"));
    return html`<td class="number muted" title="Rank, 95 % interval">${ranks}</td>`;
  }
  if (name === "elo") return html`<td class="wide number muted" title=${item.elo_provisional ? t`Fewer than 30 games` : null}>${rating(item.elo, item.elo_provisional)}</td>`;
  if (name === "last_change") return html`<td class="wide number"><span class=${tone(item.last_change)}>${signed(item.last_change)}</span></td>`;
  return html`<td class="wide number muted">${item.values?.[name] != null && precise(item.values[name], 4)}</td>`;
}

/** @typedef {{ columns: Api.ColumnAnswer[], complete: boolean, counted: boolean, scale: import("./interval.js").Scale | null, trends: Map<string, Api.TrendAnswer> | null, changed: Set<string> }} Shown */

/** @param {{ item: Api.LeaderAnswer, shown: Shown }} props */
function Row({ item, shown: { columns, complete, counted, scale, trends, changed } }) {
  const key = keyOf(item.bot.id, item.version);
  const number = rating(item.rating, item.provisional);
  return html`
    <tr data-row=${key}>
      <td class="number muted">${item.rank}</td>
      <td class="name">
        <a href=${`/bots/${item.bot.id}`} title=${item.bot.name}>
          ${item.bot.name}${item.version !== "1" && html` <bdi class="muted small">${item.version}</bdi>`}
        </a>${item.off_ladder && html` <span class="loss small">${translated(item.off_ladder)}</span>`}${item.own && html` <span class="muted small">${item.own} against bots of the same owner</span>`}
      </td>
      <td class="number" title=${item.provisional ? t`Provisional rating` : null}><strong key=${number} class=${changed.has(key) ? "news" : null}>${number}</strong></td>
      ${columns.map(({ name }) => html`<${Cell} key=${name} item=${item} name=${name} scale=${scale} />`)}
      <${TrendCell} trend=${trends?.get(key)} known=${trends !== null} />
      ${counted && html`<${Payoff} item=${item} />`}
      <td class=${complete ? "number" : "wide number"}>${count(item.games)}</td>
      <td class="wide"><${Share} item=${item} /></td>
      <td class="wide number muted"><${Results} of=${item} /></td>
      <td class="wide number muted" title=${FAILED}>${item.wins_by_failure > 0 && count(item.wins_by_failure)}</td>
      <td class="wide number muted">${item.last_played && html`<${Ago} time=${item.last_played} />`}</td>
    </tr>
  `;
}

/** @param {{ items: Api.LeaderAnswer[], shown: Shown }} props */
const Rows = ({ items, shown }) => items.map((item) => html`<${Row} key=${keyOf(item.bot.id, item.version)} item=${item} shown=${shown} />`);

/**
 * The table: ranked versions first, then those with provisional ratings below a rule. Rows slide to their new places.
 * ``complete``: the rating system lists all versions; ``changed``: the keys of rows whose ratings have just changed.
 * @param {{ items: Api.LeaderAnswer[], columns: Api.ColumnAnswer[], complete: boolean, trends: Map<string, Api.TrendAnswer> | null, changed: Set<string> }} props
 */
export function Table({ items, columns, complete, trends, changed }) {
  const table = useSliding(items);
  const settled = items.filter((item) => item.rank !== null);
  const provisional = items.filter((item) => item.rank === null);
  const counted = items.some((item) => item.payoff != null);
  const shown = { columns, complete, counted, trends, changed, scale: scaleOf(items) };
  return html`
    <div class="scroll surface">
      <table class="leaders" ref=${table} onKeyDown=${walk}>
        <thead>
          <tr>
            <th class="number">#</th><th>Bot</th><th class="number">Rating</th>
            ${columns.map(({ name, title, description }) => html`<th key=${name} class=${classOf(name)} title=${translated(description)}>${name === "interval" ? html`<${ScaleEnds} scale=${shown.scale} />` : translated(title)}</th>`)}
            <th class="wide trend" title=${TREND}>Trend</th>${counted && html`<th class="wide number" title=${POINTS}>Points a game</th>`}
            <th class=${complete ? "number" : "wide number"}>Games</th><th class="wide">Score</th><th class="wide number">W / D / L</th>
            <th class="wide number" title=${FAILED}>Failure wins</th><th class="wide number">Played</th>
          </tr>
        </thead>
        <tbody><${Rows} items=${settled} shown=${shown} /></tbody>
        ${provisional.length > 0 && html`
        <tbody class="provisional">
          <tr><td></td><th colspan=${columns.length + (counted ? 9 : 8)} scope="rowgroup">Provisional (not ranked)</th></tr>
          <${Rows} items=${provisional} shown=${shown} />
        </tbody>`}
      </table>
    </div>
  `;
}
