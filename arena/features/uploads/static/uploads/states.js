// SPDX-License-Identifier: GPL-3.0-or-later
// States of uploaded versions in words, and what their owner can do.

import { Command } from "../command.js";
import { t } from "../texts.js";
import { html } from "../view.js";

/** @typedef {"waiting" | "queued" | "validating" | "accepted" | "rejected" | "withdrawn" | "quarantined"} Name */

/** @type {Record<string, [string, string, string]>} class, label and explanation of each state */
const STATES = {
  waiting: ["", t`◔ waiting for approval`, t`An administrator of this arena must approve the upload before the server runs it. You need not do anything.`],
  queued: ["", t`◔ queued for validation`, t`Validation starts when the validations of earlier uploads have ended.`],
  validating: ["", t`◑ validating`, t`The server runs the bot in test matches: against itself, and against the bot “random”.`],
  accepted: ["win", t`✓ accepted`, t`The bot is on the ladder. The server starts it for each of its matches.`],
  rejected: ["loss", t`✗ rejected`, t`The bot does not play this version.`],
  withdrawn: ["muted", t`– withdrawn`, t`The bot does not play this version any more.`],
  quarantined: ["loss", t`✗ in quarantine`, t`The bot failed too often in its matches, so it is off the ladder.`],
};

/** Whether a version still changes its state by itself. @param {string} state */
export const pending = (state) => ["waiting", "queued", "validating"].includes(state);

/** @param {{ state: string }} props */
export function State({ state }) {
  const [tone, label] = STATES[state] ?? ["muted", state];
  return html`<span class=${`state ${tone}`}>${label}</span>`;
}

/** @param {string} state */
export const explanation = (state) => STATES[state]?.[2] ?? "";

/** @type {Record<string, string>} */
const LANGUAGES = { python: "Python", executable: t`Linux program`, wasm: "WebAssembly", data: t`Data` };

/** @param {string} language */
export const languageName = (language) => LANGUAGES[language] ?? language;

/**
 * What to do with a version that the bot does not play: for its owner.
 * @param {{ bot: number, state: string, language: string, file: string, game: string }} props ``game``: one of its games
 */
export function Advice({ bot, state, language, file, game }) {
  if (state !== "rejected" && state !== "quarantined") return null;
  const again = `/submit?bot=${bot}`;
  return html`
    <section class="advice">
      <h2>What to do</h2>
      <ol>
        <li>${state === "rejected" ? t`Read the reason above, and the last lines of the validation log.` : t`Read the reason above, and the error output of the matches on the bot's page.`}</li>
        ${language === "python" && html`<li>Try the bot on your own machine:<${Command} text=${`arena match ${file} random --game ${game}`} /></li>`}
        <li>Correct the file and <a href=${again}>submit a new version</a>. The versions before it stay as they are.</li>
        <li>If the bot is not at fault, validate this version again.</li>
      </ol>
    </section>
  `;
}
