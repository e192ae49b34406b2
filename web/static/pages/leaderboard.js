// SPDX-License-Identifier: GPL-3.0-or-later
// The leaderboard of a game: ratings with their uncertainty, live. The server describes the rating systems and their
// columns.

import { useAnswer } from "../asking.js";
import { Certainty } from "../certainty.js";
import { AddBot } from "../command.js";
import { count } from "../format.js";
import { FilterForm, parametersOf } from "../leaders/filters.js";
import { useNewRatings } from "../leaders/live.js";
import { Table } from "../leaders/table.js";
import { keyOf, useTrends } from "../leaders/trend.js";
import { More, useList } from "../lists.js";
import { visit } from "../root.js";
import "../shell.js";
import { Preparing, useStatus } from "../status.js";
import { GameTabs, LinkTabs } from "../tabs.js";
import { plural, t, translated } from "../texts.js";
import { ask, firstData, html, Problem, show, useRef, useState } from "../view.js";

/** @type {{ games: Api.GamesAnswer, game: string, time_class: Protocol.FollowLeaderboard["time_class"], time_classes: string[], system: string, systems: Api.SystemAnswer[], filters: { kind: string, active: number, name: string }, top: number, leaderboard: Api.LeaderboardAnswer | null }} */
const { games: { items: games }, game, time_class, time_classes, system, systems, filters, top, leaderboard } = firstData();

const { columns, description, complete, certainty } = /** @type {Api.SystemAnswer} */ (systems.find(({ name }) => name === system));
/** The system that lists every version. */
const whole = systems.find((each) => each.complete);
const board = { game, time_class };
const chosen = parametersOf(filters);
const LEAST = 100; // rows on the first page
const MOST = 500; // rows in one answer

/** @param {Record<string, string>} query */
const address = (query) => `/leaderboard?${new URLSearchParams({ ...board, system, ...chosen, ...query })}`;

/**
 * The address of the leaderboard of another game, by the same rating system and with the same filters.
 * @param {string} name
 */
const gameAddress = (name) => `/leaderboard?${new URLSearchParams({ game: name, system, ...chosen })}`;

/** @param {import("../leaders/filters.js").Filters} filters */
const filterBy = (filters) => visit(`/leaderboard?${new URLSearchParams({ ...board, system, ...parametersOf(filters) })}`);

/** @param {Record<string, string>} query */
const read = (query) => ask(/** @type {"/api/v1/leaderboard"} */ (`/api/v1/leaderboard?${new URLSearchParams({ ...board, system, ...chosen, ...query })}`));

function Empty() {
  const status = useStatus();
  if (Object.keys(chosen).length) {
    return html`<div class="empty"><h2>No bot passes the filters</h2><p><a class="button" href=${`/leaderboard?${new URLSearchParams({ ...board, system })}`}>Remove all filters</a></p></div>`;
  }
  return html`
    <div class="empty">
      <h2>No rated bots yet</h2>
      <p class="muted">Bots appear here after their first rated match, without a reload.</p>
      <${Preparing} status=${status} />
      <p class="muted">Add your bot:</p>
      <${AddBot} />
    </div>
  `;
}

/**
 * A leaderboard as the API has it; a button shows more of it. New ratings replace the shown ones.
 * @param {{ first: Api.LeaderboardAnswer }} props
 */
function Board({ first }) {
  const list = useList(first, (after) => read({ after }));
  const [matches, setMatches] = useState(first.matches);
  const shown = useRef(list.items);
  const [changed, setChanged] = useState(/** @type {Set<string>} */ (new Set()));
  const trends = useTrends(board, list.items, matches);
  shown.current = list.items;
  useNewRatings(board, matches, async () => {
    const found = await read({ limit: String(Math.min(MOST, Math.max(LEAST, shown.current.length))) });
    const before = new Map(shown.current.map((item) => [keyOf(item.bot.id, item.version), Math.round(item.rating)]));
    const keys = found.items.map((item) => ({ key: keyOf(item.bot.id, item.version), value: Math.round(item.rating) }));
    setChanged(new Set(keys.filter(({ key, value }) => before.get(key) !== value).map(({ key }) => key)));
    list.replace(found);
    setMatches(found.matches);
  });
  if (!list.items.length) return html`<${Empty} />`;
  return html`
    <${Table} items=${list.items} columns=${columns} complete=${complete} trends=${trends} changed=${changed} />
    <p class="muted small">
      ${translated(description)} ${plural(matches, "Computed from {0} rated match.", "Computed from {0} rated matches.")}
      ${first.most !== null && whole && html` This list has the ${count(first.most)} versions with the most games; the <a href=${address({ system: whole.name })}>${translated(whole.title)}</a> list has all.`}
    </p>
    <${More} list=${list} />
    ${certainty && html`<${Certainty} query=${{ ...board, ...chosen, players: String(top) }} matches=${matches} top=${top} links=${[12, 24, 50].map((number) => [number, t`Top ${number}`, address({ top: String(number) })])} />`}
  `;
}

function Leaderboard() {
  const [computed, problem] = useAnswer(leaderboard ? null : `/api/v1/leaderboard?${new URLSearchParams({ ...board, system, ...chosen })}`);
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
    <${FilterForm} filters=${filters} hidden=${{ ...board, system }} go=${filterBy} />
    <${Problem} text=${problem} />
    ${!first && !problem && html`<p class="muted" aria-live="polite">Computing ratings from all results…</p>`}
    ${first && html`<${Board} first=${first} />`}
  `;
}

show(html`<${Leaderboard} />`);
