// SPDX-License-Identifier: GPL-3.0-or-later
// The list of tournaments, newest first.

import { Command } from "../command.js";
import { ago, moment } from "../format.js";
import "../shell.js";
import { ask, firstData, html, show, useState } from "../view.js";

const { games: { items: games }, tournaments: first } = firstData();
const titles = Object.fromEntries(games.map(({ name, title }) => [name, title]));

const CREATE = "arena tournament create 'Spring cup' --game checkers --player minimax-3 --player random --start";

function Tournaments() {
  const [items, setItems] = useState(first.items);
  const [next, setNext] = useState(first.next);
  const [problem, setProblem] = useState(null);
  const more = async () => {
    try {
      const page = await ask(`/api/v1/tournaments?after=${encodeURIComponent(next)}`);
      setItems([...items, ...page.items]);
      setNext(page.next);
    } catch (error) {
      setProblem(error.message);
    }
  };
  return html`
    <div class="head"><h1>Tournaments</h1></div>
    ${items.length
      ? html`<div class="scroll surface"><table>
          <thead><tr><th>Name</th><th class="wide">Game</th><th>Status</th><th class="wide number">Created</th></tr></thead>
          <tbody>${items.map(
            (row) => html`<tr key=${row.id}>
              <td class="name"><a href=${`/tournaments/${row.id}`} title=${row.name}><bdi>${row.name}</bdi></a></td>
              <td class="wide muted">${titles[row.game] ?? row.game}</td>
              <td class=${row.status === "running" ? "" : "muted"}>${row.status}</td>
              <td class="wide number muted" title=${moment(row.created)}>${ago(row.created)}</td>
            </tr>`,
          )}</tbody>
        </table></div>`
      : html`<div class="empty">
          <h2>No tournaments yet</h2>
          <p class="muted">An operator creates a tournament:</p>
          <${Command} text=${CREATE} />
        </div>`}
    ${next && html`<button onClick=${more}>Show more</button>`} ${problem && html`<p role="alert" class="loss">${problem}</p>`}
    ${items.length > 0 && html`
      <section class="create">
        <h2>Create a tournament</h2>
        <p class="muted">Run this command on the machine where the arena runs; name the strongest player first. The <a href="/api">REST API</a> needs an operator token.</p>
        <${Command} text=${CREATE} />
      </section>`}
  `;
}

show(html`<${Tournaments} />`);
