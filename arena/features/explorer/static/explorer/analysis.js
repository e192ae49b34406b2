// SPDX-License-Identifier: GPL-3.0-or-later
// Analysis on demand, below the board of a match: the score and the best line of the shown position.

import { large, named } from "../format.js";
import { Chips } from "../match/lines.js";
import { scoreText } from "../reports.js";
import { t } from "../texts.js";
import { ask, html, messageOf, Problem, useEffect, useState } from "../view.js";

const DECIDED = 1000; // as scores of bots

/** @param {import("../pages/match.js").BelowProps} props */
export function Below({ record, seen, ply, line, position, flipped, point }) {
  const moves = line.length ? `&moves=${encodeURIComponent(line.join(","))}` : "";
  const address = `/api/v1/matches/${record.id}/position?ply=${ply}${moves}`;
  const [found, setFound] = useState(/** @type {{ address: string, analysis: Api.Analysis | null, problem: string | null } | null} */ (null));
  const [asked, setAsked] = useState("");
  useEffect(() => point(null), [address]);
  const analyse = async () => {
    setAsked(address);
    try {
      const here = position ?? (await ask(/** @type {`/api/v1/matches/${number}/position`} */ (address))).position;
      const query = new URLSearchParams({ game: record.game, position: here });
      setFound({ address, analysis: await ask(/** @type {"/api/v1/analysis"} */ (`/api/v1/analysis?${query}`)), problem: null });
    } catch (error) {
      setFound({ address, analysis: null, problem: messageOf(error) });
    }
    setAsked("");
  };
  const { analysis, problem } = found?.address === address ? found : { analysis: null, problem: null };
  const here = analysis?.position ?? position;
  const best = analysis && { ply: ply + line.length + 1, moves: analysis.line };
  return html`
    <div class="analysis">
      <p>
        <button onClick=${analyse} disabled=${asked !== ""}>${asked === address ? t`Analysing…` : t`Analyse this position`}</button>
        ${here && html` <a class="button" href=${`/explore?${new URLSearchParams({ game: record.game, position: here })}`}>Open in the explorer</a>`}
      </p>
      <${Problem} text=${problem} />
      ${analysis && best && html`<div class="reports surface" role="status"><dl>
        <dt>Score</dt><dd>${scoreText(analysis.decided ? Math.sign(analysis.score) * DECIDED : analysis.score)} <span class="muted small">for <bdi>${named(seen.players[analysis.to_move])}</bdi></span></dd>
        <dt>Depth</dt><dd>${analysis.depth}</dd>
        <dt>Nodes</dt><dd>${large(analysis.nodes)}</dd>
        <${Chips} texts=${best.moves.map(({ said }) => said)} line=${best} board=${record.board} flipped=${flipped} point=${(/** @type {number | null} */ index) => point(index == null ? null : best.moves[index])} />
      </dl></div>`}
    </div>
  `;
}
