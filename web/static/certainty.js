// SPDX-License-Identifier: GPL-3.0-or-later
// Certainty of the leaderboard's order: likelihood of superiority for each pair, α-Rank and Nash averaging.

import { useAnswer } from "./asking.js";
import { targetOf } from "./drawing.js";
import { percent, rating, signed } from "./format.js";
import { LinkTabs } from "./tabs.js";
import { t } from "./texts.js";
import { html, Problem } from "./view.js";

/**
 * A matrix cell: likelihood of superiority as a number and as a tint.
 * It leads to the matches of both bots.
 * @param {{ row: number, column: number, value: number, players: Api.CertaintyPlayer[], points: number[][], games: number[][], game: string }} props
 */
function Sure({ row, column, value, players, points, games, game }) {
  if (row === column) return html`<td class="own"></td>`;
  const [one, other] = [players[row].bot.name, players[column].bot.name];
  const played = games[row][column];
  const score = played ? t`scored ${points[row][column]} of ${played}` : t`no games`;
  const strength = Math.round(Math.abs(value - 0.5) * 200);
  return html`<td
    class=${`number sure ${value >= 0.5 ? "win" : "loss"}`}
    style=${{ "--sure": `${strength}%` }}
    title=${t`Likelihood that ${one} is stronger than ${other}: ${percent(value, 1)}; ${score}`}
  >${
    players[row].bot.id === players[column].bot.id
      ? Math.round(100 * value)
      : html`<a href=${`/bots/${players[row].bot.id}/versus/${players[column].bot.id}?${new URLSearchParams({ game })}`} tabindex=${row === 0 && column === 1 ? 0 : -1} aria-label=${t`${one} against ${other}: ${percent(value)}`}>${Math.round(100 * value)}</a>`
  }</td>`;
}

/**
 * Arrow keys move the focus between the cells of the matrix, which are one tab stop.
 * @param {KeyboardEvent & { currentTarget: HTMLElement, target: HTMLElement }} event
 */
function walk(event) {
  const cell = event.target.closest("td.sure");
  const row = cell?.parentElement;
  if (!cell || !row) return;
  const rows = [...(row.parentElement?.children ?? [])];
  const [y, x] = [rows.indexOf(row), [...row.children].indexOf(cell)];
  /** @param {number} down @param {number} right */
  const cellsTo = (down, right) => rows.map((_, steps) => rows[y + (steps + 1) * down]?.children[x + (steps + 1) * right]);
  // the diagonal has no links
  targetOf(event, { ArrowUp: cellsTo(-1, 0), ArrowDown: cellsTo(1, 0), ArrowLeft: cellsTo(0, -1), ArrowRight: cellsTo(0, 1) })
    ?.map((each) => /** @type {HTMLElement | null | undefined} */ (each?.querySelector(".sure > a")))
    .find((link) => link)
    ?.focus();
}

/** @param {{ found: Api.CertaintyAnswer }} props */
function Matrix({ found }) {
  const { players, superiority, points, games } = found;
  return html`
    <div class="scroll surface">
      <table class="matrix" onKeyDown=${walk}>
        <thead>
          <tr>
            <th class="number">#</th><th>Bot</th>
            <th class="number" title="α-Rank: share in the stationary distribution">α-Rank</th>
            <th class="number" title="Nash averaging: share in the maximum-entropy equilibrium">Nash</th>
            <th class="number" title="Nash averaging: expected score against the equilibrium, minus one half">Skill</th>
            ${players.map((player, column) => html`<th class="number" title=${player.bot.name}>${column + 1}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${players.map((player, row) => html`
            <tr>
              <td class="number muted">${row + 1}</td>
              <td class="name"><a href=${`/bots/${player.bot.id}`} title=${`${player.bot.name}, ${rating(player.rating)}`}>${player.bot.name}${player.version !== "1" && html` <span class="muted small">${player.version}</span>`}</a></td>
              <td class="number">${percent(player.mass)}</td>
              <td class="number">${percent(player.share)}</td>
              <td class="number muted">${signed(100 * player.skill, 1)}</td>
              ${superiority[row].map((value, column) => html`<${Sure} ...${{ row, column, value, players, points, games, game: found.game }} />`)}
            </tr>
          `)}
        </tbody>
      </table>
    </div>
  `;
}

/**
 * ``query``: the leaderboard, its filters and the number of players; ``matches``: the number of rated matches in the shown
 * ratings, with which the answer changes; ``links``: numbers of players with the addresses that show them.
 * @param {{ query: Record<string, string>, matches: number, top: number, links: [number, string, string][] }} props
 */
export function Certainty({ query, matches, top, links }) {
  const [found, problem] = useAnswer(`/api/v1/leaderboard/certainty?${new URLSearchParams(query)}`, matches);
  if (problem) return html`<${Problem} text=${problem} />`;
  if (!found || found.players.length < 2) return null;
  const [low, high] = found.advantage_interval;
  return html`
    <section class="certainty">
      <div class="filters">
        <h2>Certainty of the order</h2>
        <${LinkTabs} label="Number of bots" links=${links} current=${top} />
      </div>
      <${Matrix} found=${found} />
      <p class="muted small">
        The numbered columns show the likelihood, in percent, that the bot of the row is stronger than the bot of the column. The columns α-Rank and Nash
        divide 100 % among all bots. Bots that beat each other in a cycle divide a share among them.
      </p>
      <p class="small">
        Expected share of misordered pairs of these bots: <strong>${percent(found.misordered, 1)}</strong>. Advantage of the first move: <strong>${signed(found.advantage)}</strong> points (95 % interval: ${signed(low)} to ${signed(high)}). Draw rate
        ${" "}between equal bots: <strong>${percent(found.draw_rate)}</strong>.
        ${found.groups > 1 && html` <strong>${found.groups}</strong> groups of bots have no matches between them, so their ratings are hard to compare.`}
      </p>
    </section>
  `;
}
