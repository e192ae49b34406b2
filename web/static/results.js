// SPDX-License-Identifier: GPL-3.0-or-later
// Matches in rows: who played whom, how it ended and when.

import { ago, moment, rating, score, signed, tone, verdict } from "./format.js";
import { html } from "./view.js";

/** ``matches`` as the API lists them; ``bot``: the number of the bot whose side is told, or nothing. */
export function MatchTable({ matches, titles, bot }) {
  return html`
    <div class="scroll surface">
      <table>
        <thead>
          <tr>
            <th>Players</th>
            <th>Result</th>
            <th class="wide">Game</th>
            <th class="wide">Ended by</th>
            <th class="wide number">Plies</th>
            ${bot && html`<th class="number">Rating</th>`}
            <th class="number">When</th>
          </tr>
        </thead>
        <tbody>
          ${matches.map((match) => html`<${Row} key=${match.id} match=${match} titles=${titles} bot=${bot} />`)}
        </tbody>
      </table>
    </div>
  `;
}

function Row({ match, titles, bot }) {
  const seat = match.players.findIndex((player) => player.bot.id === bot);
  const time = match.finished ?? match.started ?? match.created;
  const own = match.players[seat];
  const kind = seat < 0 ? "" : verdict(match.result, seat);
  const sign = { win: "+", loss: "−", draw: "=", void: "" }[kind];
  return html`
    <tr>
      <td class="name">
        <a href=${`/matches/${match.id}`}>
          ${match.players[0].bot.name} <span class="muted">–</span> ${match.players[1].bot.name}
        </a>
      </td>
      <td class=${`result ${kind}`}>
        ${match.status === "live" ? "live" : score(match.result)} ${sign && html`<span aria-label=${kind}>${sign}</span>`}
      </td>
      <td class="wide muted">${titles[match.game] ?? match.game}</td>
      <td class="wide muted">${match.termination ?? ""}</td>
      <td class="wide number">${match.plies}</td>
      ${bot &&
      html`<td class="number">
        ${own && rating(own.rating == null ? null : own.rating + (own.rating_change ?? 0))}
        ${own?.rating_change != null && html` <span class=${tone(own.rating_change)}>${signed(own.rating_change)}</span>`}
      </td>`}
      <td class="number muted" title=${moment(time)}>${ago(time)}</td>
    </tr>
  `;
}
