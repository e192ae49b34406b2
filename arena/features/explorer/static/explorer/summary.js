// SPDX-License-Identifier: GPL-3.0-or-later
// The section of a finished match with the accuracy of both sides and the turning points, by searches of the server.

import { count, named, percent } from "../format.js";
import { t } from "../texts.js";
import { ask, html, messageOf, Problem, useState } from "../view.js";

/** @param {import("../pages/match.js").SectionProps} props */
export function Section({ record, seen }) {
  const [summary, setSummary] = useState(/** @type {Api.MatchSummary | null} */ (null));
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  const [busy, setBusy] = useState(false);
  if (!seen.ending || record.pruned) return null;
  const summarise = async () => {
    setBusy(true);
    setProblem(null);
    await ask(/** @type {`/api/v1/matches/${number}/summary`} */ (`/api/v1/matches/${record.id}/summary`)).then(setSummary, (error) => setProblem(messageOf(error)));
    setBusy(false);
  };
  if (!summary) {
    return html`<p class="small"><button onClick=${summarise} disabled=${busy}>${busy ? t`Judging the moves…` : t`Judge the moves`}</button></p><${Problem} text=${problem} />`;
  }
  const { sides, turning_points: turns } = summary;
  return html`
    <div class="summary small surface" role="status">
      <h2>Accuracy</h2>
      ${sides.map(({ accuracy }, seat) => html`<p><bdi>${named(seen.players[seat])}</bdi> <strong class="number">${accuracy == null ? "–" : percent(accuracy / 100)}</strong></p>`)}
      <p class="muted">By searches of ${summary.algorithm} with ${count(summary.nodes)} nodes for each position.</p>
      <h2>Turning points</h2>
      ${turns.length ? html`<ul>${turns.map(({ ply, said, seat, before, after }) => html`<li key=${ply}><a href=${`#${ply}`}>Ply ${ply}: ${said}</a> <span class="muted">chance of <bdi>${named(seen.players[seat])}</bdi>: ${percent(before)} → ${percent(after)}</span></li>`)}</ul>` : html`<p class="muted">No move lost a tenth of the chances.</p>`}
    </div>
  `;
}
