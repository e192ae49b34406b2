// SPDX-License-Identifier: GPL-3.0-or-later
// The bot that an upload is for: a new one with a name, or one of the account's.

import { post } from "../accounts/requests.js";
import { t } from "../texts.js";
import { html, useState } from "../view.js";

/** @typedef {{ id: number, name: string }} Choice */

const NEW = "new";

/**
 * The chosen bot of a form. ``wanted`` is the number of the bot that is chosen first, if it is not a new one.
 * @param {Choice[]} first the account's bots
 * @param {number | null} wanted
 */
export function useTarget(first, wanted) {
  const [bots, setBots] = useState(first);
  const [target, setTarget] = useState(String(wanted ?? NEW));
  const [name, setName] = useState("");
  const isNew = target === NEW;
  /** Return the number of the bot; a new one is registered. */
  const register = async () => {
    if (!isNew) return Number(target);
    /** @type {{ bot: Choice }} */
    const { bot } = await post("/api/v1/bots", { name: name.trim() });
    // a second attempt is for the same bot
    setBots([...bots, bot]);
    setTarget(String(bot.id));
    return bot.id;
  };
  const title = isNew ? name.trim() : (bots.find(({ id }) => String(id) === target)?.name ?? "");
  return { bots, target, setTarget, name, setName, isNew, title, register };
}

/** The error message for the name of a new bot; undefined without an error. @param {ReturnType<typeof useTarget>} own */
export const nameError = ({ isNew, name }) => (isNew && !name.trim() ? t`Fill in this field: ${t`Bot name`}.` : undefined);

/**
 * The fields of the chosen bot.
 * @param {{ own: ReturnType<typeof useTarget>, error?: string, mend: () => void, box: { current: HTMLInputElement | null } }} props
 */
export function TargetFields({ own, error, mend, box }) {
  return html`
    ${own.bots.length > 0 && html`<div class="field">
      <label for="target">Submit as</label>
      <select id="target" value=${own.target} onChange=${(/** @type {Event & { currentTarget: HTMLSelectElement }} */ event) => own.setTarget(event.currentTarget.value)}>
        <option value=${NEW}>A new bot</option>
        ${own.bots.map((bot) => html`<option key=${bot.id} value=${String(bot.id)}>A new version of ${bot.name}</option>`)}
      </select>
      <p class="note small muted">Each version has its own rating.</p>
    </div>`}
    ${own.isNew && html`<div class="field">
      <label for="name">Bot name</label>
      <input id="name" ref=${box} type="text" autocomplete="off" autocapitalize="none" spellcheck=${false} maxlength="40" value=${own.name} aria-describedby="name-note" aria-invalid=${error ? "true" : null}
        onInput=${(/** @type {Event & { currentTarget: HTMLInputElement }} */ event) => {
          own.setName(event.currentTarget.value);
          if (error) mend();
        }} />
      <p id="name-note" class=${`note small ${error ? "loss" : "muted"}`}>${error ? `✗ ${error}` : t`Everybody sees this name. It cannot change.`}</p>
    </div>`}
  `;
}
