// SPDX-License-Identifier: GPL-3.0-or-later
// All populations, the newest first.

import { Command } from "../command.js";
import { ago, moment } from "../format.js";
import "../shell.js";
import { ask, firstData, html, show, useState } from "../view.js";

const { games: { items: games }, populations: first } = firstData();
const titles = Object.fromEntries(games.map(({ name, title }) => [name, title]));

function Populations() {
  const [items, setItems] = useState(first.items);
  const [next, setNext] = useState(first.next);
  const [problem, setProblem] = useState(null);
  const more = async () => {
    try {
      const page = await ask(`/api/v1/populations?after=${encodeURIComponent(next)}`);
      setItems([...items, ...page.items]);
      setNext(page.next);
    } catch (error) {
      setProblem(error.message);
    }
  };
  return html`
    <div class="head"><h1>Populations</h1><p class="muted"><a href="/demes">demes on volunteers' machines</a></p></div>
    ${items.length
      ? html`<div class="scroll surface"><table>
          <thead><tr>
            <th>Name</th><th class="wide">Game</th><th class="wide">Dynamics</th><th class="number">Generations</th>
            <th class="wide number">Begun</th>
          </tr></thead>
          <tbody>${items.map(
            (row) => html`<tr key=${row.id}>
              <td class="name"><a href=${`/populations/${row.id}`} title=${row.name}>${row.name}</a></td>
              <td class="wide muted">${titles[row.game] ?? row.game}</td>
              <td class="wide muted">${row.dynamics}</td>
              <td class="number">${row.generations}</td>
              <td class="wide number muted" title=${moment(row.created)}>${ago(row.created)}</td>
            </tr>`,
          )}</tbody>
        </table></div>`
      : html`<div class="empty">
          <h2>Nothing is bred yet</h2>
          <p class="muted">The arena's own population begins a minute after it has started. To breed without an arena:</p>
          <${Command} text="arena evolve --game checkers --generations 100 --out run" />
        </div>`}
    ${next && html`<button onClick=${more}>More</button>`} ${problem && html`<p role="alert" class="loss">${problem}</p>`}
  `;
}

show(html`<${Populations} />`);
