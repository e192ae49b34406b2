// SPDX-License-Identifier: GPL-3.0-or-later
// Claims of islands, their verifications, and refused reports.

import { count, fixed, large, percent, precise } from "../format.js";
import { Ago } from "../parts.js";
import { t } from "../texts.js";
import { html } from "../view.js";

/** @type {Record<string, [string, string, string]>} */
const verdicts = {
  confirmed: ["win", t`✓ confirmed`, t`The score agrees with the claim.`],
  doubtful: ["draw", t`? doubtful`, t`The score is below the claim, but chance can explain the difference. The genome does not spread.`],
  refuted: ["loss", t`✗ refuted`, t`The score is so far below the claim that chance does not explain it. The island is in quarantine.`],
};

/** @type {Record<string, string>} */
const reasons = {
  malformed: t`unreadable`,
  "too-large": t`too large`,
  "too-soon": t`sent too soon`,
  version: t`from a client of another version`,
  genome: t`not a genome`,
  game: t`for another game`,
  order: t`out of order`,
  forged: t`sent under the number of another island`,
  statistics: t`impossible statistics`,
  run: t`from an earlier run`,
  "not-allowed": t`without an island's token`,
};

/** @param {{ verdict: string }} props */
export function Verdict({ verdict }) {
  const [tone, text, title] = verdicts[verdict] ?? ["muted", verdict, ""];
  return html`<span class=${tone} title=${title}>${text}</span>`;
}

/**
 * A score with its games, against the rival of a level.
 * @param {{ of: { score: number, games: number } }} props
 */
export const Score = ({ of: { score, games } }) => html`${percent(score)} <span class="wide muted small">of ${count(games)}</span>`;

/**
 * Nodes a move beside the rival's.
 * @param {{ own?: number | null, rival?: number | null }} props
 */
export function Nodes({ own, rival }) {
  if (own == null) return "–";
  const share = rival ? own / rival : null;
  return html`${large(own)}${share != null && html` <span class="muted small" title=${t`the opponent used ${count(rival ?? 0)} per move`}>${share >= 1 ? fixed(share, 1) : precise(share, 2)} ×</span>`}`;
}

/**
 * ``verifications`` as the API lists them, the newest first.
 * @param {{ verifications: Api.VerificationAnswer[], named?: boolean }} props
 */
export function Verifications({ verifications, named = true }) {
  if (!verifications.length) return html`<p class="muted">The server verifies the claims of islands in its own games, from openings that the islands do not know. There are no verifications yet.</p>`;
  return html`
    <div class="scroll surface"><table class="verifications">
      <thead><tr>
        ${named && html`<th>Island</th>`}<th>Verdict</th><th class="number">Claimed</th><th class="number">Measured</th><th class="wide number" title="Search depth of the opponent, in plies">Opponent</th>
        <th class="wide number" title="Upper bound of the p-value: probability of a difference at least as large as the measured one, if the claim is true">p-value</th><th class="wide number" title="Nodes per move, and their ratio to the opponent's">Nodes</th><th class="wide">Program</th><th class="wide number">When</th>
      </tr></thead>
      <tbody>${verifications.map((each) => html`<tr key=${each.id}>
        ${named && html`<td class="name"><a href=${`/islands/${each.island}`} title=${each.name}>${each.name}</a></td>`}
        <td class="verdict"><${Verdict} verdict=${each.verdict} /></td>
        <td class="number"><${Score} of=${each.claimed} /></td>
        <td class="number"><${Score} of=${each.measured} /></td>
        <td class="wide number">${each.level}</td>
        <td class="wide number muted">${each.likelihood >= 0.001 ? fixed(each.likelihood, 3) : each.likelihood.toExponential(0)}</td>
        <td class="wide number"><${Nodes} own=${each.nodes / Math.max(each.moves, 1)} rival=${each.rival_nodes / Math.max(each.rival_moves, 1)} /></td>
        <td class="wide formula-cell"><code class="ellipsis" title=${each.formula}>${each.formula}</code></td>
        <td class="wide number muted"><${Ago} time=${each.created} /></td>
      </tr>`)}</tbody>
    </table></div>
  `;
}

/**
 * ``counts``: reports that were refused, by reason.
 * @param {{ counts: Record<string, number> }} props
 */
export function Refusals({ counts }) {
  const found = Object.entries(counts).filter(([, times]) => times).sort(([, one], [, other]) => other - one);
  if (!found.length) return html`<p class="muted">No report was refused.</p>`;
  return html`<ul class="refusals">${found.map(([reason, times]) => html`<li key=${reason} class="surface"><strong>${count(times)}</strong> <span class="muted">${reasons[reason] ?? reason}</span></li>`)}</ul>`;
}

/**
 * Counts of several, as one.
 * @param {Record<string, number>[]} every
 */
export function added(every) {
  /** @type {Record<string, number>} */
  const sum = {};
  for (const counts of every) for (const [reason, times] of Object.entries(counts)) sum[reason] = (sum[reason] ?? 0) + times;
  return sum;
}
