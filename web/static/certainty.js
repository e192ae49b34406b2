// SPDX-License-Identifier: GPL-3.0-or-later
// How sure the order of the best is, and what is said of them where they beat each other in a circle.

import { rating, signed } from "./format.js";
import { ask, html, useEffect, useState } from "./view.js";

const percent = (share, digits = 0) => `${(100 * share).toFixed(digits)} %`;

/** A cell of the matrix: the surer, the fuller its tint; the number says it too. */
function Sure({ row, column, value, players, points, games }) {
  if (row === column) return html`<td class="own"></td>`;
  const [one, other] = [players[row].bot.name, players[column].bot.name];
  const met = games[row][column];
  const score = met ? `scored ${points[row][column]} of ${met}` : "never met";
  const strength = Math.round(Math.abs(value - 0.5) * 200);
  return html`<td
    class=${`number sure ${value >= 0.5 ? "win" : "loss"}`}
    style=${{ "--sure": `${strength}%` }}
    title=${`${one} is stronger than ${other} with a likelihood of ${percent(value, 1)}; ${score}`}
  >${Math.round(100 * value)}</td>`;
}

function Matrix({ found }) {
  const { players, superiority, points, games } = found;
  return html`
    <div class="scroll surface">
      <table class="matrix">
        <thead>
          <tr>
            <th class="number">#</th><th>Bot</th>
            <th class="number" title="By α-Rank: the share of time that evolution spends with it">α-Rank</th>
            <th class="number" title="By Nash averaging: how much of the best choice it is">Nash</th>
            <th class="number" title="What it scores against the best choice, less one half">Skill</th>
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
              ${superiority[row].map((value, column) => html`<${Sure} ...${{ row, column, value, players, points, games }} />`)}
            </tr>
          `)}
        </tbody>
      </table>
    </div>
  `;
}

export function Certainty({ game, timeClass }) {
  const [found, setFound] = useState(null);
  const [problem, setProblem] = useState(null);
  useEffect(() => {
    ask(`/api/v1/leaderboard/certainty?${new URLSearchParams({ game, time_class: timeClass })}`).then(setFound, (error) => setProblem(error.message));
  }, []);
  if (problem) return html`<p role="alert" class="loss">${problem}</p>`;
  if (!found || found.players.length < 2) return null;
  const [low, high] = found.advantage_interval;
  return html`
    <section class="certainty">
      <h2>How sure the order is</h2>
      <${Matrix} found=${found} />
      <p class="muted small">
        The columns at the right: how likely it is, in percent, that the row’s bot is stronger than the column’s. α-Rank and the Nash average are second
        opinions for bots that beat each other in a circle: a circle shares what a best bot has alone.
      </p>
      <p class="small">
        Of the pairs of these bots <strong>${percent(found.wrong, 1)}</strong> are expected to stand in the wrong order. To move first is worth <strong>${signed(found.advantage)}</strong> points (95 % interval ${signed(low)} to ${signed(high)}). Equals draw
        ${" "}<strong>${percent(found.draw_rate)}</strong> of their games.
        ${found.groups > 1 && html` <strong>${found.groups}</strong> groups of bots never met each other; their ratings cannot be compared well.`}
      </p>
    </section>
  `;
}
