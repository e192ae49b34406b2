// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of the form: a label, an input, and its documentation, which an error replaces.

import { t, translated } from "../texts.js";
import { html } from "../view.js";

/**
 * The form as its fields see it.
 * @typedef {{ values: import("./description.js").Values, errors: Record<string, string>, set: (name: string, value: string | boolean) => void }} Form
 */

/**
 * The id of the input of a field.
 * @param {string} name
 */
export const idOf = (name) => `new-${name}`;

/**
 * @param {{ name: string, error?: string, children?: import("preact").ComponentChildren }} props
 */
const Note = ({ name, error, children }) => html`<p id=${`${idOf(name)}-note`} class=${`note small ${error ? "loss" : "muted"}`}>${error ? `✗ ${error}` : children}</p>`;

/**
 * The attributes of every input.
 * @param {string} name
 * @param {string | undefined} error
 */
const common = (name, error) => ({ id: idOf(name), name, "aria-describedby": `${idOf(name)}-note`, "aria-invalid": error ? "true" : null });

/**
 * A line, or several, of text or a number. Numbers are text too, so that nothing that somebody types is lost.
 * @param {{ form: Form, name: string, label: string, hint: import("preact").ComponentChildren, numeric?: boolean, rows?: number, placeholder?: string }} props
 */
export function Text({ form, name, label, hint, numeric = false, rows = 0, placeholder }) {
  const error = form.errors[name];
  /** @param {InputEvent & { currentTarget: HTMLInputElement | HTMLTextAreaElement }} event */
  const type = (event) => form.set(name, event.currentTarget.value);
  const input = { ...common(name, error), value: form.values[name], placeholder, onInput: type, autocomplete: "off", spellcheck: false };
  return html`
    <div class="field">
      <label for=${idOf(name)}>${label}</label>
      ${rows ? html`<textarea ...${input} rows=${rows}></textarea>` : html`<input type="text" inputmode=${numeric ? "decimal" : null} ...${input} />`}
      <${Note} name=${name} error=${error}>${hint}<//>
    </div>
  `;
}

/**
 * One of several words.
 * @param {{ form: Form, name: string, label: string, hint: import("preact").ComponentChildren, choices: [string, string][] }} props
 */
export function Choice({ form, name, label, hint, choices }) {
  const error = form.errors[name];
  /** @param {Event & { currentTarget: HTMLSelectElement }} event */
  const choose = (event) => form.set(name, event.currentTarget.value);
  return html`
    <div class="field">
      <label for=${idOf(name)}>${label}</label>
      <select ...${common(name, error)} onChange=${choose}>
        ${choices.map(([value, title]) => html`<option key=${value} value=${value} selected=${value === String(form.values[name])}>${title}</option>`)}
      </select>
      <${Note} name=${name} error=${error}>${hint}<//>
    </div>
  `;
}

/**
 * Yes or no.
 * @param {{ form: Form, name: string, label: string, hint?: import("preact").ComponentChildren }} props
 */
export function Switch({ form, name, label, hint }) {
  const error = form.errors[name];
  /** @param {Event & { currentTarget: HTMLInputElement }} event */
  const turn = (event) => form.set(name, event.currentTarget.checked);
  return html`
    <div class="yes-no">
      <label><input type="checkbox" ...${common(name, error)} checked=${form.values[name] === true} onChange=${turn} /> ${label}</label>
      <${Note} name=${name} error=${error}>${hint}<//>
    </div>
  `;
}

/**
 * An option of a format.
 * @param {{ form: Form, option: import("./description.js").Option }} props
 */
export function OptionField({ form, option: { name, kind, description, choices, default: usual } }) {
  const words = translated(name.replaceAll("_", " "));
  const shown = { form, name: `format.${name}`, label: words.charAt(0).toUpperCase() + words.slice(1) };
  const about = translated(description);
  const hint = `${about.charAt(0).toUpperCase()}${about.slice(1)}${usual == null || usual === false ? "" : ` (${t`default: ${usual}`})`}.`;
  if (kind === "switch") return html`<${Switch} ...${shown} hint=${hint} />`;
  if (kind === "decision") return html`<${Choice} ...${shown} hint=${hint} choices=${[["", t`the server decides`], ["true", t`yes`], ["false", t`no`]]} />`;
  if (kind === "choice") return html`<${Choice} ...${shown} hint=${hint} choices=${choices.map((word) => [word, word])} />`;
  return html`<${Text} ...${shown} hint=${hint} numeric=${kind !== "text"} />`;
}
