// SPDX-License-Identifier: GPL-3.0-or-later
// What an analysis found: the score and the best line. Loaded with the first analysis.

import { large, named } from "../format.js";
import { Chips } from "../match/lines.js";
import { scoreText } from "../reports.js";
import { html } from "../view.js";

const DECIDED = 1000; // as scores of bots

/** @param {Omit<import("../pages/match.js").BelowProps, "position"> & { analysis: Api.Analysis }} props */
export function Analysed({ record, seen, ply, line, flipped, point, analysis }) {
  const best = { ply: ply + line.length + 1, moves: analysis.line };
  return html`<div class="reports surface" role="status"><dl>
    <dt>Score</dt><dd>${scoreText(analysis.decided ? Math.sign(analysis.score) * DECIDED : analysis.score)} <span class="muted small">for <bdi>${named(seen.players[analysis.to_move])}</bdi></span></dd>
    <dt>Depth</dt><dd>${analysis.depth}</dd>
    <dt>Nodes</dt><dd>${large(analysis.nodes)}</dd>
    <${Chips} texts=${best.moves.map(({ said }) => said)} line=${best} board=${record.board} flipped=${flipped} point=${(/** @type {number | null} */ index) => point(index == null ? null : best.moves[index])} />
  </dl></div>`;
}
