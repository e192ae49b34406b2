// SPDX-License-Identifier: GPL-3.0-or-later
// The accuracy of both sides of a match and its turning points; loaded with the first answer.

import { count, named, percent } from "../format.js";
import { html } from "../view.js";

/** @param {{ summary: Api.MatchSummary, players: Protocol.Player[] }} props */
export const Judged = ({ summary: { sides, turning_points: turns, algorithm, nodes }, players }) => html`
  <div class="summary small surface" role="status">
    <h2>Accuracy</h2>
    ${sides.map(({ accuracy }, seat) => html`<p><bdi>${named(players[seat])}</bdi> <strong class="number">${accuracy == null ? "–" : percent(accuracy / 100)}</strong></p>`)}
    <p class="muted">Computed by the algorithm ${algorithm}, with ${count(nodes)} nodes for each position.</p>
    <h2>Turning points</h2>
    ${turns.length ? html`<ul>${turns.map(({ ply, said, seat, before, after }) => html`<li key=${ply}><a href=${`#${ply}`}>Ply ${ply}: ${said}</a> <span class="muted">chance of <bdi>${named(players[seat])}</bdi>: ${percent(before)} → ${percent(after)}</span></li>`)}</ul>` : html`<p class="muted">No move lowered the winning chance of its player by 10 percentage points or more.</p>`}
  </div>
`;
