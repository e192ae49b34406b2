// SPDX-License-Identifier: GPL-3.0-or-later
// Crosstable of a tournament: score of each player against each other, in the order of the standings.

import { half } from "./format.js";
import { html } from "./view.js";

/** Sums over all pairings: ``table[player][opponent]`` is {scored, games}. */
function summed({ entries, rounds }) {
  const table = entries.map(() => new Map());
  for (const bout of rounds.flat()) {
    if (bout.second == null) continue;
    const games = bout.games.filter(({ score }) => score != null);
    if (!games.length) continue;
    for (const [own, other, field] of [[bout.first, bout.second, "score"], [bout.second, bout.first, "score_second"]]) {
      const before = table[own].get(other) ?? { scored: 0, games: 0 };
      table[own].set(other, { scored: before.scored + games.reduce((sum, game) => sum + game[field], 0), games: before.games + games.length });
    }
  }
  return table;
}

function Cell({ own, met, against }) {
  if (own) return html`<td class="cross muted" aria-label="itself">·</td>`;
  if (!met) return html`<td class="cross"></td>`;
  const lead = 2 * met.scored - met.games;
  return html`<td class=${`cross ${lead > 0 ? "win" : lead < 0 ? "loss" : "muted"}`} title=${`${half(met.scored)} of ${met.games} against ${against}`}>${half(met.scored)}</td>`;
}

/** ``tournament``: the API's answer. */
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
