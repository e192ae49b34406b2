// SPDX-License-Identifier: GPL-3.0-or-later
// The leaderboard of a game: who is how strong, and how sure that is.

import { Command } from "../command.js";
import { ago, count, moment, rating, signed, tone } from "../format.js";
import "../shell.js";
import { ask, firstData, html, show, useState } from "../view.js";

const { games: { items: games }, game, time_class, time_classes = [], leaderboard } = firstData();

/** Wins, draws and losses as shares of a bar. */
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

function Row({ item }) {
  const change = item.last_change;
  return html`
    <tr>
      <td class="number muted">${item.rank}</td>
      <td class="name">
        <a href=${`/bots/${item.bot.id}`} title=${item.bot.name}>
          ${item.bot.name}${item.version !== "1" && html` <span class="muted small">${item.version}</span>`}
        </a>
      </td>
      <td class="number" title=${item.provisional ? "Fewer than 30 games: still uncertain" : null}><strong>${rating(item.rating, item.provisional)}</strong></td>
      <td class="number">${change != null && html`<span class=${tone(change)}>${signed(change)}</span>`}</td>
      <td class="number">${count(item.games)}</td>
      <td class="wide"><${Share} item=${item} /></td>
      <td class="wide number muted">${count(item.wins)} / ${count(item.draws)} / ${count(item.losses)}</td>
      <td class="wide number muted" title=${item.last_played && moment(item.last_played)}>${item.last_played && ago(item.last_played)}</td>
    </tr>
  `;
}

function Leaderboard() {
  const [items, setItems] = useState(leaderboard.items);
  const [next, setNext] = useState(leaderboard.next);
  const [problem, setProblem] = useState(null);
  const more = async () => {
    try {
      const query = new URLSearchParams({ game, time_class, after: next });
      const page = await ask(`/api/v1/leaderboard?${query}`);
      setItems([...items, ...page.items]);
      setNext(page.next);
    } catch (error) {
      setProblem(error.message);
    }
  };
  return html`
    <div class="head">
      <h1>Leaderboard</h1>
      <div class="tabs aside" aria-label="Game">
        ${games.map(({ name, title }) => html`<a href=${`/leaderboard?game=${encodeURIComponent(name)}`} aria-current=${name === game ? "page" : null}>${title}</a>`)}
      </div>
    </div>
    ${time_classes.length > 1 &&
    html`<div class="tabs" aria-label="Time class">
      ${time_classes.map((name) => html`<a href=${`/leaderboard?${new URLSearchParams({ game, time_class: name })}`} aria-current=${name === time_class ? "page" : null}>${name}</a>`)}
    </div>`}
    ${items.length
      ? html`
          <div class="scroll surface">
            <table>
              <thead>
                <tr>
                  <th class="number">#</th><th>Bot</th><th class="number">Rating</th><th class="number">Last</th><th class="number">Games</th>
                  <th class="wide">Score</th><th class="wide number">W / D / L</th><th class="wide number">Played</th>
                </tr>
              </thead>
              <tbody>${items.map((item) => html`<${Row} key=${`${item.bot.id} ${item.version}`} item=${item} />`)}</tbody>
            </table>
          </div>
          <p class="muted small">“?”: fewer than 30 games, still uncertain.</p>
          ${next && html`<button onClick=${more}>More</button>`} ${problem && html`<p role="alert" class="loss">${problem}</p>`}
        `
      : html`
          <div class="empty">
            <h2>Nobody has a rating here yet</h2>
            <p class="muted">The first rated match between two bots puts both on this list. Enter yours:</p>
            <${Command} text="arena bots add my-bot" />
            <a class="button" href="/connect">How to connect a bot</a>
          </div>
        `}
  `;
}

show(html`<${Leaderboard} />`);
