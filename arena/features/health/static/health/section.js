// SPDX-License-Identifier: GPL-3.0-or-later
// The section of a bot's page about its quarantines, for its owner and for administrators, where it has had any; other
// visitors do not load its scripts.

import { mayChange, signedIn } from "../accounts/signed_in.js";
import { withTexts } from "../texts.js";
import { html, messageOf, Problem, useEffect, useState } from "../view.js";

/** @param {import("../pages/bot.js").SectionProps & { data: { count: number } }} props */
export function Section({ bot, data }) {
  const [script, setScript] = useState(/** @type {typeof import("./bot_quarantines.js") | null} */ (null));
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  useEffect(() => {
    if (!data.count || bot.removed) return;
    const load = async () => {
      if (mayChange(await signedIn(), bot)) setScript(await withTexts("health/bot_quarantines.js", () => import("./bot_quarantines.js")));
    };
    load().catch((error) => setProblem(messageOf(error)));
  }, []);
  return script ? html`<${script.Quarantines} bot=${bot} />` : html`<${Problem} text=${problem} />`;
}
