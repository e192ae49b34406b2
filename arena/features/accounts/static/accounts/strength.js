// SPDX-License-Identifier: GPL-3.0-or-later
// The strength of a new password, below its field: the server estimates it once the typing pauses.

import { t } from "../texts.js";
import { html, useEffect, useState } from "../view.js";
import { post } from "./requests.js";

/** Milliseconds without a new character. */
const PAUSE = 300;
/** Characters of the shortest password. */
const SHORTEST = 12;

/** @typedef {Api.PasswordEstimateAnswer["strength"]} Word */

/** @type {Word[]} */
const WORDS = ["weak", "fair", "good", "strong"];

/** @type {Record<Word, string>} */
const TOLD = { weak: t`✗ Strength: weak. Use several words.`, fair: t`Strength: fair`, good: t`Strength: good`, strong: t`Strength: strong` };

/** @param {{ password: string }} props */
export function Strength({ password }) {
  const [found, setFound] = useState(/** @type {Word | null} */ (null));
  useEffect(() => {
    let current = true;
    /** @param {Word | null} strength */
    const take = (strength) => current && setFound(strength);
    if ([...password].length < SHORTEST) return void setFound(null);
    const timer = setTimeout(() => post("/api/v1/password-estimates", { password }).then(({ strength }) => take(strength), () => take(null)), PAUSE);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [password]);
  return html`
    <div class="strength small" aria-live="polite">
      ${found && html`<meter min="0" max=${WORDS.length} low="2" optimum=${WORDS.length} value=${WORDS.indexOf(found) + 1} aria-hidden="true"></meter><span class=${found === "weak" ? "loss" : ""}>${TOLD[found]}</span>`}
    </div>
  `;
}
