// SPDX-License-Identifier: GPL-3.0-or-later
// The standings of a tournament.

import { count, half, payoff } from "../format.js";
import { Results } from "../parts.js";
import { translatedSentence } from "../sentences.js";
import { t, translated } from "../texts.js";
import { html } from "../view.js";

const PAYOFF = t`Mean payoff: in some games a win counts more than one point, or both players gain points`;

/**
 * Whether a win may count more than one point in the game.
 * @param {Api.TournamentView} tournament
 */
export const counts = ({ standings }) => standings.some((line) => line.payoff != null);

/** @param {{ line: Api.StandingView, tournament: Api.TournamentView, bot: number | null }} props */
function Standing({ line, tournament, bot }) {
  const gone = line.annulled ? t`withdrawn, matches do not count` : t`withdrawn`;
  return html`
    <tr class=${line.withdrawn == null ? "" : "muted"}>
      <td class="number muted">${line.rank}</td>
      <td class="name"><a href=${bot && `/bots/${bot}`} title=${line.withdrawn == null ? line.name : `${line.name}: ${translatedSentence(line.withdrawn)}`}><bdi>${line.name}</bdi>${line.withdrawn != null && html` <span class="small">${gone}</span>`}</a></td>
      <td class="number"><strong>${half(line.points)}</strong></td>
      ${counts(tournament) && html`<td class="number">${line.payoff != null && payoff(line.payoff, 2)}</td>`}
      <td class="number">${count(line.games)}</td>
      <td class="wide number muted"><${Results} of=${line} /></td>
      ${tournament.tiebreaks.map((name, place) => html`<td class=${`${wide(name)}number muted`}>${name === "rating" ? count(line.tiebreaks[place]) : half(line.tiebreaks[place])}</td>`)}
    </tr>
  `;
}

/** @param {string} text */
const capital = (text) => text[0].toUpperCase() + text.slice(1);

/**
 * The class that hides a tie-break on phones. The rating of a ladder stays: it orders the players.
 * @param {string} name
 */
const wide = (name) => (name === "rating" ? "" : "wide ");

/** @param {{ tournament: Api.TournamentView, bots: (number | null)[] }} props */
export function Standings({ tournament, bots }) {
  return html`
    <div class="scroll surface">
      <table class="standings">
        <thead><tr>
          <th class="number">#</th><th>Bot</th><th class="number">Points</th>${counts(tournament) && html`<th class="number" title=${PAYOFF}>Points a game</th>`}<th class="number">Matches</th><th class="wide number">W / D / L</th>
          ${tournament.tiebreaks.map((name) => html`<th class=${`${wide(name)}number`}>${capital(translated(name))}</th>`)}
        </tr></thead>
        <tbody>${tournament.standings.map((line) => html`<${Standing} key=${line.entry} line=${line} tournament=${tournament} bot=${bots[line.entry]} />`)}</tbody>
      </table>
    </div>
  `;
}
