// SPDX-License-Identifier: GPL-3.0-or-later
// A bot: its ratings and how they went, its matches, its versions.

import { count, moment, rating } from "../format.js";
import { Plot } from "../plot.js";
import { MatchTable } from "../results.js";
import "../shell.js";
import { ask, firstData, html, show, useEffect, useState } from "../view.js";

const { bot, games: { items: games }, matches } = firstData();
const titles = Object.fromEntries(games.map(({ name, title }) => [name, title]));
const SERIES = [{ label: "rating", token: "--accent", steps: true }];

function History({ standing }) {
  const [items, setItems] = useState(null);
  const [problem, setProblem] = useState(null);
  useEffect(() => {
    const query = new URLSearchParams({ game: standing.game, time_class: standing.time_class });
    ask(`/api/v1/bots/${bot.id}/history?${query}`).then(
      (page) => setItems(page.items),
      (error) => setProblem(error.message),
    );
  }, [standing]);
  const data = items && [items.map(({ finished }) => finished), items.map(({ rating }) => rating)];
  return html`
    <div class="plot history surface">
      ${problem && html`<p role="alert" class="loss">${problem}</p>`}
      ${data?.[0].length > 0 && html`<${Plot} data=${data} series=${SERIES} time height=${208} label=${`Rating of ${bot.name} over time`} />`}
    </div>
  `;
}

function Bot() {
  const standings = bot.ratings ?? [];
  const [chosen, setChosen] = useState(0);
  return html`
    <div class="head">
      <h1 class="ellipsis" title=${bot.name}>${bot.name}</h1>
      <p class="muted">${bot.kind === "house" ? "House bot" : "Bot"}${bot.removed ? ", removed" : ""} · since ${moment(bot.created)}</p>
    </div>
    <div class="stack">
      ${bot.description && html`<p>${bot.description}</p>`}
      ${standings.length
        ? html`
            <section>
              <div class="scroll surface">
                <table>
                  <thead><tr><th>Game</th><th class="wide">Class</th><th class="wide">Version</th><th class="number">Rating</th><th class="number">Games</th><th class="wide number">W / D / L</th></tr></thead>
                  <tbody>${standings.map(
                    (row, index) => html`<tr key=${index} aria-selected=${index === chosen} onClick=${() => setChosen(index)}>
                      <td><button class="plain" aria-pressed=${index === chosen} onClick=${() => setChosen(index)}>${titles[row.game] ?? row.game}</button></td>
                      <td class="wide muted">${row.time_class}</td>
                      <td class="wide muted">${row.version}</td>
                      <td class="number"><strong>${rating(row.rating, row.provisional)}</strong></td>
                      <td class="number">${count(row.games)}</td>
                      <td class="wide number muted">${count(row.wins)} / ${count(row.draws)} / ${count(row.losses)}</td>
                    </tr>`,
                  )}</tbody>
                </table>
              </div>
            </section>
            <section>
              <h2>Rating in ${titles[standings[chosen].game] ?? standings[chosen].game}</h2>
              <${History} standing=${standings[chosen]} />
            </section>
          `
        : html`<div class="empty"><h2>No rated match yet</h2><p class="muted">Ratings appear after the first one.</p></div>`}
      <section>
        <h2>Matches</h2>
        ${matches.items.length
          ? html`<${MatchTable} matches=${matches.items} titles=${titles} bot=${bot.id} />`
          : html`<p class="muted">Matches appear here as they end.</p>`}
      </section>
    </div>
  `;
}

show(html`<${Bot} />`);
