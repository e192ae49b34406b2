// SPDX-License-Identifier: GPL-3.0-or-later
// The list of tournaments, newest first.

import { Command } from "../command.js";
import { titlesOf } from "../format.js";
import { More, useList } from "../lists.js";
import { Ago } from "../parts.js";
import "../shell.js";
import { translated } from "../texts.js";
import { ask, firstData, html, show } from "../view.js";

/** @type {{ games: Api.GamesAnswer, tournaments: Api.TournamentsAnswer, menu: [string, string][] }} */
const { games: { items: games }, tournaments: first, menu } = firstData();
const titles = titlesOf(games);

const CREATE = "arena tournament create 'Spring cup' --game checkers --player minimax-3 --player random --start";

function Tournaments() {
  const list = useList(first, (after) => ask(`/api/v1/tournaments?after=${encodeURIComponent(after)}`));
  const { items } = list;
  return html`
    <div class="head"><h1>Tournaments</h1>${menu.length > 0 && html`<p class="aside">${menu.map(([path, label]) => html`<a key=${path} class="button" href=${path}>${translated(label)}</a>`)}</p>`}</div>
    ${items.length
      ? html`<div class="scroll surface"><table>
          <thead><tr><th>Name</th><th class="wide">Game</th><th>Status</th><th class="wide number">Created</th></tr></thead>
          <tbody>${items.map(
            (row) => html`<tr key=${row.id}>
              <td class="name"><a href=${`/tournaments/${row.id}`} title=${row.name}><bdi>${row.name}</bdi></a></td>
              <td class="wide muted">${titles[row.game] ?? row.game}</td>
              <td class=${row.status === "running" ? "" : "muted"}>${translated(row.status)}</td>
              <td class="wide number muted"><${Ago} time=${row.created} /></td>
            </tr>`,
          )}</tbody>
        </table></div>`
      : html`<div class="empty">
          <h2>No tournaments yet</h2>
          <p class="muted">An operator creates a tournament:</p>
          <${Command} text=${CREATE} />
        </div>`}
    <${More} list=${list} />
    ${items.length > 0 && html`
      <section class="create">
        <h2>Create a tournament</h2>
        <p class="muted">Run this command on the machine where the arena runs; name the strongest player first. The <a href="/api">REST API</a> needs an operator token.</p>
        <${Command} text=${CREATE} />
      </section>`}
  `;
}

show(html`<${Tournaments} />`);
