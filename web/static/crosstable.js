// SPDX-License-Identifier: GPL-3.0-or-later
// Crosstable of a tournament: score of each player against each other, in the order of the standings.

import { half } from "./format.js";
import { html } from "./view.js";

/** @typedef {{ scored: number, games: number }} Met */

/**
 * Sums over all pairings: ``table[player][opponent]`` is {scored, games}.
 * @param {Api.TournamentView} tournament
 * @returns {Map<number, Met>[]}
 */
function summed({ entries, rounds }) {
  const table = entries.map(() => new Map());
  /**
   * @param {number} player
   * @param {number} opponent
   * @param {(number | null)[]} scores
   */
  const add = (player, opponent, scores) => {
    const before = table[player].get(opponent) ?? { scored: 0, games: 0 };
    table[player].set(opponent, { scored: scores.reduce((sum, score) => sum + (score ?? 0), before.scored), games: before.games + scores.length });
  };
  for (const bout of rounds.flat()) {
    if (bout.second == null) continue;
    const games = bout.games.filter(({ score }) => score != null);
    if (!games.length) continue;
    add(bout.first, bout.second, games.map((game) => game.score));
    add(bout.second, bout.first, games.map((game) => game.score_second));
  }
  return table;
}

/** @param {{ own: boolean, met?: Met, against: string }} props */
function Cell({ own, met, against }) {
  if (own) return html`<td class="cross muted" aria-label="itself">·</td>`;
  if (!met) return html`<td class="cross"></td>`;
  const lead = 2 * met.scored - met.games;
  return html`<td class=${`cross ${lead > 0 ? "win" : lead < 0 ? "loss" : "muted"}`} title=${`${half(met.scored)} of ${met.games} against ${against}`}>${half(met.scored)}</td>`;
}

/**
 * ``tournament``: the API's answer.
 * @param {{ tournament: Api.TournamentView }} props
 */
export function Crosstable({ tournament }) {
  const table = summed(tournament);
  const order = tournament.standings.map(({ entry }) => entry);
  return html`
    <div class="scroll surface">
      <table class="crosstable">
        <thead><tr><th class="number">#</th><th>Bot</th>${order.map((_, place) => html`<th class="cross">${place + 1}</th>`)}<th class="number">Points</th></tr></thead>
        <tbody>
          ${tournament.standings.map(
            (line, place) => html`<tr key=${line.entry} class=${line.annulled ? "muted" : ""}>
              <td class="number muted">${place + 1}</td>
              <td class="name"><span class="ellipsis" title=${line.name}>${line.name}</span></td>
              ${order.map((other) => html`<${Cell} own=${other === line.entry} met=${table[line.entry].get(other)} against=${tournament.entries[other]} />`)}
              <td class="number"><strong>${half(line.points)}</strong></td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
  `;
}
