// SPDX-License-Identifier: GPL-3.0-or-later
// The section of a bot's page for its owner and for administrators; other visitors do not load its scripts.

import { hinted, mayChange, remembered, signedIn } from "../accounts/signed_in.js";
import { withTexts } from "../texts.js";
import { html, messageOf, Problem, useEffect, useState } from "../view.js";

/** @param {import("../pages/bot.js").SectionProps & { data: unknown }} props */
export function Section({ bot }) {
  const [script, setScript] = useState(/** @type {typeof import("./owned.js") | null} */ (null));
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  useEffect(() => {
    const load = async () => {
      if (mayChange(await signedIn(), bot)) setScript(await withTexts("uploads/owned.js", () => import("./owned.js")));
    };
    load().catch((error) => setProblem(messageOf(error)));
  }, []);
  if (script) return html`<${script.Owned} bot=${bot} />`;
  // the place of the section, before its script is there
  return hinted() && mayChange(remembered(), bot) ? html`<section class="private waiting"><${Problem} text=${problem} /></section>` : null;
}
