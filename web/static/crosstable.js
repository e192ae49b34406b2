// SPDX-License-Identifier: GPL-3.0-or-later
// Crosstable of a tournament: the games of each player against each other, in the order of the standings.

import { half, payoff } from "./format.js";
import { t } from "./texts.js";
import { Game, GamesButton, total } from "./tournament/games.js";
import { counts } from "./tournament/standings.js";
import { html } from "./view.js";

const [LINKS, FEW] = [4, 12]; // most games that a cell lists; most players of a table whose cells list games

/** @typedef {import("./tournament/games.js").Pairing} Pairing */

/**
 * The games of each player against each other: ``table[player].get(opponent)``, from the side of the player.
 * @param {Api.TournamentView} tournament
 * @returns {Map<number, Pairing[]>[]}
 */
function met({ entries, rounds }) {
  /** @type {Map<number, Pairing[]>[]} */
  const table = entries.map(() => new Map());
  for (const { first, second, games } of rounds.flat()) {
    const begun = games.filter(({ status }) => status !== "due");
    if (second == null || !begun.length) continue;
    table[first].set(second, [...(table[first].get(second) ?? []), { one: first, other: second, games: begun, side: 0 }]);
    if (second !== first) table[second].set(first, [...(table[second].get(first) ?? []), { one: second, other: first, games: begun, side: 1 }]);
  }
  return table;
}

/** @param {{ own: boolean, pairings?: Pairing[], names: [string, string], few: boolean, open: (pairings: Pairing[]) => void }} props */
function Cell({ own, pairings, names: [name, against], few, open }) {
  if (own && !pairings) return html`<td class="cross muted" aria-label="itself">·</td>`;
  if (!pairings) return html`<td class="cross"></td>`;
  const { points, games, won } = total(pairings);
  const lead = 2 * points - games;
  const score = own ? t`${half(points)} of ${games} against itself` : t`${half(points)} of ${games} against ${against}`;
  const title = won == null ? score : t`${score}; ${payoff(won)} in points`;
  const listed = few && pairings.flatMap((pairing) => pairing.games).length <= LINKS;
  return html`<td class=${`cross ${lead > 0 ? "win" : lead < 0 ? "loss" : "muted"}`} title=${title}>
    ${listed
      ? pairings.map((pairing) => pairing.games.map((game) => html`<${Game} key=${game.slot} game=${game} side=${pairing.side} />`))
      : html`<${GamesButton} pairings=${pairings} text=${half(points)} label=${`${name}: ${title}`} open=${open} />`}${won != null && html` <span class="small muted">${payoff(won)}</span>`}
  </td>`;
}

/**
 * ``tournament``: the API's answer; ``open(pairings)``: opens the list of the games.
 * @param {{ tournament: Api.TournamentView, open: (pairings: Pairing[]) => void }} props
 */
export function Crosstable({ tournament, open }) {
  const { entries, standings } = tournament;
  const table = met(tournament);
  const few = entries.length <= FEW;
  return html`
    <div class="scroll surface">
      <table class="crosstable">
        <thead><tr><th class="number">#</th><th>Bot</th>${standings.map((_, place) => html`<th class="cross">${place + 1}</th>`)}<th class="number">Points</th>${counts(tournament) && html`<th class="number">Points a game</th>`}</tr></thead>
        <tbody>
          ${standings.map(
            (line, place) => html`<tr key=${line.entry} class=${line.annulled ? "muted" : ""}>
              <td class="number muted">${place + 1}</td>
              <td class="name"><span class="ellipsis" title=${line.name}><bdi>${line.name}</bdi></span></td>
              ${standings.map(({ entry: other, name }) => html`<${Cell} own=${other === line.entry} pairings=${table[line.entry].get(other)} names=${[line.name, name]} few=${few} open=${open} />`)}
              <td class="number"><strong>${half(line.points)}</strong></td>
              ${counts(tournament) && html`<td class="number">${line.payoff != null && payoff(line.payoff, 2)}</td>`}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
  `;
}
