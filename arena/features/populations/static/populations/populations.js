// SPDX-License-Identifier: GPL-3.0-or-later
// All populations, the newest first.

import { Command } from "../command.js";
import { titlesOf } from "../format.js";
import { More, useList } from "../lists.js";
import { Ago } from "../parts.js";
import "../shell.js";
import { Preparing, useStatus } from "../status.js";
import { ask, firstData, html, show, useEffect, useState } from "../view.js";

/** @type {{ games: Api.GamesAnswer, populations: Api.PopulationsAnswer }} */
const { games: { items: games }, populations: first } = firstData();
const titles = titlesOf(games);

/**
 * The reason why the server has no population yet.
 * @param {{ own: string, status: Api.StatusAnswer | null }} props
 */
function Waiting({ own, status }) {
  if (!status) return null;
  if (!own) return html`<p class="muted">This server evolves no population of its own. Start it with built-in bots and <code>--breeding GAME</code> to evolve one.</p>`;
  const game = titles[own] ?? own;
  if (status.reasons.length)
    return html`<p class="muted">The server starts to evolve a population that plays ${game} when its games and built-in bots are ready. This takes minutes, or longer on a busy machine.</p><${Preparing} status=${status} />`;
  return html`<p class="muted" role="status">The breeder starts; it is the process that evolves the population. It compiles code for its games; then its population for ${game} appears here.</p>`;
}

function Populations() {
  const list = useList(first, (after) => ask(`/api/v1/populations?after=${encodeURIComponent(after)}`));
  const { items, setItems } = list;
  const [own, setOwn] = useState(first.own);
  const status = useStatus(!items.length);
  useEffect(() => {
    if (items.length || !status) return;
    ask("/api/v1/populations").then(({ items, own }) => {
      setItems(items);
      setOwn(own);
    }, () => {}); // the next answer tells as well
  }, [status]);
  return html`
    <div class="head"><h1>Populations</h1></div>
    ${items.length
      ? html`<div class="scroll surface"><table>
          <thead><tr>
            <th>Name</th><th class="wide">Game</th><th class="wide" title="Algorithm of the evolution">Dynamics</th><th class="number">Generations</th>
            <th class="wide number">Started</th>
          </tr></thead>
          <tbody>${items.map(
            (row) => html`<tr key=${row.id}>
              <td class="name"><a href=${`/populations/${row.id}`} title=${row.name}><bdi>${row.name}</bdi></a></td>
              <td class="wide muted">${titles[row.game] ?? row.game}</td>
              <td class="wide muted">${row.dynamics}</td>
              <td class="number">${row.generations}</td>
              <td class="wide number muted"><${Ago} time=${row.created} /></td>
            </tr>`,
          )}</tbody>
        </table></div>`
      : html`<div class="empty">
          <h2>No populations yet</h2>
          <${Waiting} own=${own} status=${status} />
          <p class="muted">To evolve without a server:</p>
          <${Command} text=${"arena evolve --game checkers --generations 100 --out run"} />
        </div>`}
    <${More} list=${list} />
  `;
}

show(html`<${Populations} />`);
