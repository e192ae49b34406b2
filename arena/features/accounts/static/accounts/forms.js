// SPDX-License-Identifier: GPL-3.0-or-later
// Forms: labelled fields with an error beside each, one request at a time, and the focus where something is wrong.

import { t } from "../texts.js";
import { html, messageOf, useEffect, useRef, useState } from "../view.js";
import { Strength } from "./strength.js";

/**
 * A field of a form. ``name`` is also its name in the values that are sent.
 * @typedef {object} FieldDeclaration
 * @property {string} name
 * @property {string} label
 * @property {"text" | "password" | "select" | "area" | "hidden"} [kind]
 * @property {string} [autocomplete]
 * @property {string} [hint] a line below the field, which an error replaces
 * @property {boolean} [optional]
 * @property {string} [value] the first value
 * @property {[string, string][]} [choices] value and title of each choice of a select
 * @property {number} [least] minimum length
 * @property {number} [most] maximum length
 * @property {boolean} [meter] whether the strength of a new password is shown below the field
 * @property {boolean} [plain] whether spelling and capitals are left alone, as for names and codes
 */

/** @typedef {Record<string, string>} Values */

/**
 * A form that sends the values of its fields. ``send`` throws an Error; ``blamed`` names the field that the error is
 * about, if it is about one. ``check`` returns errors by field before anything is sent. ``keep``: whether the fields keep
 * their values after that.
 * @param {{
 *   id: string, fields: FieldDeclaration[], label: string, send: (values: Values) => Promise<unknown>, done?: string,
 *   check?: (values: Values) => Values, blamed?: (error: Error) => string | null, danger?: boolean, focused?: boolean, keep?: boolean,
 *   children?: import("preact").ComponentChildren, kind?: string,
 * }} props
 */
export function Form({ id, fields, label, send, done, check, blamed, danger, focused, keep, children, kind = "form" }) {
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  const [errors, setErrors] = useState(/** @type {Values} */ ({}));
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState(false);
  const [cleared, setCleared] = useState(0); // times
  const [refused, setRefused] = useState(0); // attempts; the focus stays where it is while somebody mends a field

  useEffect(() => {
    const wrong = fields.find(({ name }) => errors[name]);
    const input = wrong && form.current?.elements.namedItem(wrong.name);
    if (input instanceof HTMLElement) input.focus();
  }, [refused]);
  useEffect(() => {
    const input = focused && form.current?.querySelector("input:not([readonly])");
    if (input instanceof HTMLElement) input.focus();
  }, []);

  /** @param {SubmitEvent & { currentTarget: HTMLFormElement }} event */
  const submit = async (event) => {
    event.preventDefault();
    if (busy) return;
    const target = event.currentTarget;
    const values = Object.fromEntries([...new FormData(target)].map(([name, value]) => [name, String(value)]));
    const found = { ...missing(fields, values), ...check?.(values) };
    setSent(false);
    setProblem(null);
    setErrors(found);
    if (Object.keys(found).length > 0) return setRefused(refused + 1);
    setBusy(true);
    try {
      await send(values);
      if (!keep) {
        target.reset();
        setCleared(cleared + 1);
      }
      setSent(true);
    } catch (error) {
      const name = error instanceof Error ? blamed?.(error) : null;
      if (name && fields.some((field) => field.name === name)) {
        setErrors({ [name]: messageOf(error) });
        setRefused(refused + 1);
      } else setProblem(messageOf(error));
    }
    setBusy(false);
  };

  /** @param {string} name */
  const mend = (name) => errors[name] && setErrors(Object.fromEntries(Object.entries(errors).filter(([each]) => each !== name)));
  return html`
    <form ref=${form} id=${id} class=${kind} novalidate onSubmit=${submit} aria-busy=${busy}>
      ${fields.map((field) => html`<${Field} key=${field.name} form=${id} field=${field} error=${errors[field.name]} cleared=${cleared} mend=${() => mend(field.name)} />`)}
      ${children}
      <div class="send">
        <button class=${danger ? "danger" : "primary"} aria-disabled=${busy}>${label}</button>
        <p role="status" class="win">${sent && done ? `✓ ${done}` : ""}</p>
      </div>
      <div role="alert">${problem && html`<p class="loss">✗ ${problem}</p>`}</div>
    </form>
  `;
}

/**
 * An error for each field that is empty, too short or too long.
 * @param {FieldDeclaration[]} fields
 * @param {Values} values
 */
function missing(fields, values) {
  /** @type {Values} */
  const found = {};
  for (const { name, label, optional, least = 0, most = Infinity } of fields) {
    const { length } = kept(values[name] ?? "");
    if (!length && !optional) found[name] = t`Fill in this field: ${label}.`;
    else if (length && length < least) found[name] = t`Use at least ${least} characters (this has ${length}).`;
    else if (length > most) found[name] = t`Use at most ${most} characters (this has ${length}).`;
  }
  return found;
}

/**
 * The characters of a text, each counted once.
 * @param {string} text
 */
const kept = (text) => [...text];

/** @param {{ form: string, field: FieldDeclaration, error?: string, cleared: number, mend: () => void }} props */
function Field({ form, field, error, cleared, mend }) {
  const { name, label, kind = "text", hint, optional, meter } = field;
  const id = `${form}-${name}`;
  const [typed, setTyped] = useState("");
  useEffect(() => setTyped(""), [cleared]);
  if (kind === "hidden") return html`<input class="visually-hidden" type="text" name=${name} autocomplete=${field.autocomplete} value=${field.value} readonly tabindex="-1" aria-hidden="true" />`;
  /** @param {InputEvent & { currentTarget: HTMLInputElement }} event */
  const typing = ({ currentTarget }) => {
    mend();
    setTyped(currentTarget.value);
  };
  const input = { id, name, autocomplete: field.autocomplete, "aria-describedby": `${id}-note`, "aria-invalid": error ? "true" : null, onInput: meter ? typing : mend };
  const quiet = field.plain ? { autocapitalize: "none", spellcheck: false } : {};
  return html`
    <div class="field">
      <label for=${id}>${label}${optional && html` <span class="muted">(optional)</span>`}</label>
      ${kind === "password"
        ? html`<${Secret} input=${input} />`
        : kind === "select"
          ? html`<select ...${input}>${field.choices?.map(([value, title]) => html`<option key=${value} value=${value} selected=${value === field.value}>${title}</option>`)}</select>`
          : kind === "area"
            ? html`<textarea ...${input} rows="3">${field.value}</textarea>`
            : html`<input type="text" ...${input} ...${quiet} defaultValue=${field.value ?? ""} />`}
      <p id=${`${id}-note`} class=${`note small ${error ? "loss" : "muted"}`}>${error ? `✗ ${error}` : hint}</p>
      ${meter && html`<${Strength} password=${typed} />`}
    </div>
  `;
}

/**
 * A password with a button that shows it.
 * @param {{ input: Record<string, unknown> }} props
 */
function Secret({ input }) {
  const [shown, setShown] = useState(false);
  return html`
    <div class="secret">
      <input type=${shown ? "text" : "password"} autocapitalize="none" spellcheck=${false} ...${input} />
      <button type="button" aria-pressed=${shown} aria-label="Show password" onClick=${() => setShown(!shown)}>${shown ? t`Hide` : t`Show`}</button>
    </div>
  `;
}

/**
 * A button that asks before it acts. ``act`` throws an Error, which the dialog shows.
 * @param {{ label: string, title: string, text: string, act: () => Promise<unknown>, named?: string, yes?: string }} props
 *   ``named``: the label for screen readers, where several buttons have the same
 */
export function ConfirmedButton({ label, title, text, act, named, yes = label }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  const [busy, setBusy] = useState(false);
  const confirm = async () => {
    if (busy) return;
    setBusy(true);
    try {
      await act();
      dialog.current?.close();
    } catch (error) {
      setProblem(messageOf(error));
    }
    setBusy(false);
  };
  return html`
    <button type="button" aria-label=${named} onClick=${() => {
      setProblem(null);
      dialog.current?.showModal();
    }}>${label}</button>
    <dialog ref=${dialog} class="confirm" aria-label=${title}>
      <h2>${title}</h2>
      <p class="foreign">${text}</p>
      <div role="alert">${problem && html`<p class="loss">✗ ${problem}</p>`}</div>
      <div class="send">
        <button type="button" class="danger" aria-disabled=${busy} onClick=${confirm}>${yes}</button>
        <button type="button" autofocus onClick=${() => dialog.current?.close()}>Cancel</button>
      </div>
    </dialog>
  `;
}

/**
 * The name of an account.
 * @type {FieldDeclaration}
 */
export const NAME = { name: "name", label: t`Account name`, autocomplete: "username", plain: true, most: 40, hint: t`Everybody sees this name.` };

/**
 * A new password.
 * @type {FieldDeclaration}
 */
export const PASSWORD = { name: "password", label: t`Password`, kind: "password", meter: true, least: 12, most: 200, hint: t`At least 12 characters, for example several words.` };
