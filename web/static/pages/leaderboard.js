// SPDX-License-Identifier: GPL-3.0-or-later
// The leaderboard of a game: ratings with their uncertainty. The server describes the rating systems and their columns.

import { useAnswer } from "../asking.js";
import { Certainty } from "../certainty.js";
import { AddBot } from "../command.js";
import { count, rating, signed, tone } from "../format.js";
import { More, useList } from "../lists.js";
import { Ago, Results } from "../parts.js";
import "../shell.js";
import { Preparing, useStatus } from "../status.js";
import { GameTabs, LinkTabs } from "../tabs.js";
import { ask, firstData, html, Problem, show } from "../view.js";

/** @type {{ games: Api.GamesAnswer, game: string, time_class: string, time_classes: string[], system: string, systems: Api.SystemAnswer[], leaderboard: Api.LeaderboardAnswer | null }} */
const { games: { items: games }, game, time_class, time_classes, system, systems, leaderboard } = firstData();

const { columns, description, complete, certainty } = /** @type {Api.SystemAnswer} */ (systems.find(({ name }) => name === system));
/** The system that lists every version. */
const whole = systems.find((each) => each.complete);
const FAILED = "Wins because the opponent crashed, disconnected, or sent an invalid message or an illegal move";
/** The class of the column of games: narrow screens have no room for it beside the columns of most systems. */
const ofGames = complete ? "number" : "wide number";
/** Columns that narrow screens show, too. */
const NARROW = ["interval", "ranks"];

/** @param {Record<string, string>} query */
const address = (query) => `/leaderboard?${new URLSearchParams({ game, time_class, system, ...query })}`;

/**
 * The address of the leaderboard of another game, by the same rating system.
 * @param {string} name
 */
const gameAddress = (name) => `/leaderboard?${new URLSearchParams({ game: name, system })}`;

/**
 * A bar that shows the shares of wins, draws and losses.
 * @param {{ item: Api.LeaderAnswer }} props
 */
function Share({ item }) {
  const games = Math.max(1, item.games);
  const [won, drawn] = [(96 * item.wins) / games, (96 * item.draws) / games];
  return html`
    <svg class="share" viewBox="0 0 96 8" role="img" aria-label=${`${item.wins} won, ${item.draws} drawn, ${item.losses} lost`}>
      <rect class="win" width=${won} height="8" />
      <rect class="draw" x=${won} width=${drawn} height="8" />
      <rect class="loss" x=${won + drawn} width=${item.games ? Math.max(0, 96 - won - drawn) : 0} height="8" />
    </svg>
  `;
}

/** @param {string} name */
const classOf = (name) => (NARROW.includes(name) ? "number" : "wide number");

/**
 * The cell of a column of the rating system: a field of the row, or one of its `values`.
 * @param {{ item: Api.LeaderAnswer, name: string }} props
 */
function Cell({ item, name }) {
  if (name === "interval") {
    if (!item.interval) return html`<td></td>`;
    const [low, high] = item.interval;
    return html`<td class="number muted" title=${`95 % interval: ${rating(low)} to ${rating(high)}`}>± ${count((high - low) / 2)}</td>`;
  }
  if (name === "ranks") {
    const ranks = item.ranks && (item.ranks[0] === item.ranks[1] ? item.ranks[0] : item.ranks.join("–"));
    return html`<td class="number muted" title="Rank, 95 % interval">${ranks}</td>`;
  }
  if (name === "elo") return html`<td class="wide number muted" title=${item.elo_provisional ? "Fewer than 30 games" : null}>${rating(item.elo, item.elo_provisional)}</td>`;
  if (name === "last_change") return html`<td class="wide number"><span class=${tone(item.last_change)}>${signed(item.last_change)}</span></td>`;
  return html`<td class="wide number muted">${item.values?.[name]?.toPrecision(4)}</td>`;
}

/** @param {{ item: Api.LeaderAnswer }} props */
function Row({ item }) {
  return html`
    <tr>
      <td class="number muted">${item.rank}</td>
      <td class="name">
        <a href=${`/bots/${item.bot.id}`} title=${item.bot.name}>
          ${item.bot.name}${item.version !== "1" && html` <bdi class="muted small">${item.version}</bdi>`}
        </a>${item.off_ladder && html` <span class="loss small">${item.off_ladder}</span>`}${item.own && html` <span class="muted small">${item.own} against bots of the same owner</span>`}
      </td>
      <td class="number" title=${item.provisional ? "Provisional rating" : null}><strong>${rating(item.rating, item.provisional)}</strong></td>
      ${columns.map(({ name }) => html`<${Cell} key=${name} item=${item} name=${name} />`)}
      <td class=${ofGames}>${count(item.games)}</td>
      <td class="wide"><${Share} item=${item} /></td>
      <td class="wide number muted"><${Results} of=${item} /></td>
      <td class="wide number muted" title=${FAILED}>${item.wins_by_failure > 0 && count(item.wins_by_failure)}</td>
      <td class="wide number muted">${item.last_played && html`<${Ago} time=${item.last_played} />`}</td>
    </tr>
  `;
}

/** @param {{ items: Api.LeaderAnswer[] }} props */
function Rows({ items }) {
  return items.map((item) => html`<${Row} key=${`${item.bot.id} ${item.version}`} item=${item} />`);
}

/**
 * The leaderboard table: ranked bots first, then bots with provisional ratings below a rule.
 * @param {{ items: Api.LeaderAnswer[] }} props
 */
function Table({ items }) {
  const settled = items.filter((item) => item.rank !== null);
  const provisional = items.filter((item) => item.rank === null);
  return html`
    <div class="scroll surface">
      <table class="leaders">
        <thead>
          <tr>
            <th class="number">#</th><th>Bot</th><th class="number">Rating</th>
            ${columns.map(({ name, title, description: told }) => html`<th key=${name} class=${classOf(name)} title=${told}>${title}</th>`)}
            <th class=${ofGames}>Games</th><th class="wide">Score</th><th class="wide number">W / D / L</th>
            <th class="wide number" title=${FAILED}>Failure wins</th><th class="wide number">Played</th>
          </tr>
        </thead>
        <tbody><${Rows} items=${settled} /></tbody>
        ${provisional.length > 0 && html`
        <tbody class="provisional">
          <tr><td></td><th colspan=${columns.length + 7} scope="rowgroup">Provisional (not ranked)</th></tr>
          <${Rows} items=${provisional} />
        </tbody>`}
      </table>
    </div>
  `;
}

function Empty() {
  const status = useStatus();
  return html`
    <div class="empty">
      <h2>No rated bots yet</h2>
      <p class="muted">Bots appear here after their first rated match. Reload the page to see new ratings.</p>
      <${Preparing} status=${status} />
      <p class="muted">Add your bot:</p>
      <${AddBot} />
    </div>
  `;
}

/**
 * A leaderboard as the API has it; a button shows more of it.
 * @param {{ first: Api.LeaderboardAnswer }} props
 */
function Board({ first }) {
  const list = useList(first, (after) => ask(`/api/v1/leaderboard?${new URLSearchParams({ game, time_class, system, after })}`));
  if (!list.items.length) return html`<${Empty} />`;
  return html`
    <${Table} items=${list.items} />
    <p class="muted small">
      ${description}
      ${first.most !== null && whole && html` This list has the ${count(first.most)} versions with the most games; the <a href=${address({ system: whole.name })}>${whole.title}</a> list has all.`}
    </p>
    <${More} list=${list} />
    ${certainty && html`<${Certainty} game=${game} timeClass=${time_class} />`}
  `;
}

function Leaderboard() {
  const [computed, problem] = useAnswer(leaderboard ? null : `/api/v1/leaderboard?${new URLSearchParams({ game, time_class, system })}`);
  const first = leaderboard ?? computed;
  return html`
    <div class="head">
      <h1>Leaderboard</h1>
      <${GameTabs} games=${games} current=${game} address=${gameAddress} />
    </div>
    <div class="filters">
      <${LinkTabs} label="Rating system" current=${system} links=${systems.map(({ name, title }) => [name, title, address({ system: name })])} />
      ${time_classes.length > 1 &&
      html`<${LinkTabs} label="Time class" current=${time_class} links=${time_classes.map((name) => [name, name, address({ time_class: name })])} />`}
    </div>
    <${Problem} text=${problem} />
    ${!first && !problem && html`<p class="muted" aria-live="polite">Computing ratings from all results…</p>`}
    ${first && html`<${Board} first=${first} />`}
  `;
}

show(html`<${Leaderboard} />`);
