// SPDX-License-Identifier: GPL-3.0-or-later
// The section of a finished match with the accuracy of both sides and the turning points, by searches of the server.

import { t, withTexts } from "../texts.js";
import { ask, html, messageOf, Problem, useState } from "../view.js";

/** @param {import("../pages/match.js").SectionProps} props */
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
    return html`<p class="small"><button onClick=${summarise} disabled=${busy}>${busy ? t`Judging the moves…` : t`Judge the moves`}</button></p><${Problem} text=${problem} />`;
  }
  return html`<${summary.Judged} summary=${summary.answer} players=${seen.players} />`;
}
