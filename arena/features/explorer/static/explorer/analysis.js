// SPDX-License-Identifier: GPL-3.0-or-later
// Searches of the server on demand, on the page of a match: the shown position, and the whole finished match.

import { t, withTexts } from "../texts.js";
import { ask, html, messageOf, Problem, useEffect, useState } from "../view.js";

/**
 * The analysis of the shown position, below the board.
 * @param {import("../pages/match.js").BelowProps} props
 */
export function Below({ record, seen, ply, line, position, flipped, point }) {
  const moves = line.length ? `&moves=${encodeURIComponent(line.join(","))}` : "";
  const address = `/api/v1/matches/${record.id}/position?ply=${ply}${moves}`;
  const [found, setFound] = useState(/** @type {{ address: string, analysis: Api.Analysis | null, Analysed?: typeof import("./analysed.js").Analysed, problem: string | null } | null} */ (null));
  const [asked, setAsked] = useState("");
  useEffect(() => point(null), [address]);
  const analyse = async () => {
    setAsked(address);
    try {
      const here = position ?? (await ask(/** @type {`/api/v1/matches/${number}/position`} */ (address))).position;
      const query = new URLSearchParams({ game: record.game, position: here });
      const analysis = await ask(/** @type {"/api/v1/analysis"} */ (`/api/v1/analysis?${query}`));
      const { Analysed } = await withTexts("explorer/analysed.js", () => import("./analysed.js"));
      setFound({ address, analysis, Analysed, problem: null });
    } catch (error) {
      setFound({ address, analysis: null, problem: messageOf(error) });
    }
    setAsked("");
  };
  const { analysis, problem } = found?.address === address ? found : { analysis: null, problem: null };
  const here = analysis?.position ?? position;
  return html`
    <div class="analysis">
      <p>
        <button onClick=${analyse} disabled=${asked !== ""}>${asked === address ? t`Analysing…` : t`Analyse this position`}</button>
        ${here && html` <a class="button" href=${`/explore?${new URLSearchParams({ game: record.game, position: here })}`}>Open in the explorer</a>`}
      </p>
      <${Problem} text=${problem} />
      ${analysis && found?.Analysed && html`<${found.Analysed} ...${{ record, seen, ply, line, flipped, point, analysis }} />`}
    </div>
  `;
}

/**
 * The accuracy of both sides and the turning points of a finished match, by searches of the server.
 * @param {import("../pages/match.js").SectionProps} props
 */
export function Section({ record, seen }) {
  const [summary, setSummary] = useState(/** @type {{ answer: Api.MatchSummary, Judged: typeof import("./judged.js").Judged } | null} */ (null));
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  const [busy, setBusy] = useState(false);
  if (!seen.ending) return null;
  const summarise = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const answer = await ask(/** @type {`/api/v1/matches/${number}/summary`} */ (`/api/v1/matches/${record.id}/summary`));
      const { Judged } = await withTexts("explorer/judged.js", () => import("./judged.js"));
      setSummary({ answer, Judged });
    } catch (error) {
      setProblem(messageOf(error));
    }
    setBusy(false);
  };
  if (!summary) {
    return html`<p class="small"><button onClick=${summarise} disabled=${busy}>${busy ? t`Analysing the moves…` : t`Analyse all moves`}</button></p><${Problem} text=${problem} />`;
  }
  return html`<${summary.Judged} summary=${summary.answer} players=${seen.players} />`;
}
