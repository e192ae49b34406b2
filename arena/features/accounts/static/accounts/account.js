// SPDX-License-Identifier: GPL-3.0-or-later
// The account that is signed in: its tokens and sessions, limits and usage, password, deletion.

import { moment } from "../format.js";
import { visit } from "../root.js";
import "../shell.js";
import { t, translated } from "../texts.js";
import { firstData, html, show } from "../view.js";
import { Form, PASSWORD } from "./forms.js";
import { post, Refusal } from "./requests.js";
import { roleName } from "./roles.js";
import { SecondFactor } from "./second_factor.js";
import { Sessions } from "./sessions.js";
import { forget } from "./signed_in.js";
import { Tokens } from "./tokens.js";
import { Usage } from "./usage.js";

/**
 * @typedef {object} Data
 * @property {Api.AnswerTo<"/api/v1/account">} account
 * @property {Api.AnswerTo<"/api/v1/account/tokens">} tokens
 * @property {Api.AnswerTo<"/api/v1/account/sessions">} sessions
 * @property {[string, string][]} menu address and title of other pages of the account
 */
/** @type {Data} */
const { account, tokens, sessions, menu } = firstData();

/** @type {import("./forms.js").FieldDeclaration} */
const OWNER = { name: "username", label: "", kind: "hidden", optional: true, autocomplete: "username", value: account.name };

/** @type {(name: string) => import("./forms.js").FieldDeclaration[]} */
const current = (name) => (account.has_password ? [{ name, label: t`Current password`, kind: "password", autocomplete: "current-password" }] : []);

/** @type {import("./forms.js").FieldDeclaration[]} */
const CHANGE = [
  OWNER,
  ...current("old"),
  { ...PASSWORD, name: "new", label: t`New password`, autocomplete: "new-password" },
];

/** @type {import("./forms.js").FieldDeclaration[]} */
const DELETE = [OWNER, ...current("password")];

/** @type {import("./forms.js").FieldDeclaration[]} */
const EMAIL = [
  OWNER,
  { name: "email", label: t`E-mail address`, optional: true, autocomplete: "email", plain: true, most: 200, value: account.email, hint: account.mail ? t`Empty: no address. A mail with a link confirms a new one.` : t`Only administrators see it. This arena sends no mail.` },
  ...current("password"),
];
const UNCONFIRMED = account.mail && account.email && account.email_confirmed == null;

/** @param {Record<string, string>} values */
const changeEmail = ({ email, password = "" }) => post("/api/v1/account/email", { email: email.trim(), password });

/** @param {Error} error */
const blamedForEmail = (error) => (error instanceof Refusal ? ({ 400: "email", 403: "password" }[error.status] ?? null) : null);

/** @param {Error} error */
const wrongPassword = (error) => (error instanceof Refusal ? ({ 400: "new", 403: "old" }[error.status] ?? null) : null);

/** @param {Record<string, string>} values */
async function deleteAccount({ password = "" }) {
  await post("/api/v1/account/delete", { password });
  forget();
  visit("/");
}

show(html`
  <div class="head">
    <h1 class="ellipsis" title=${account.name}><bdi>${account.name}</bdi></h1>
    <p class="muted">${roleName(account.role)} · since ${moment(account.created)}</p>
    ${menu.length > 0 && html`<p class="aside">${menu.map(([path, title]) => html`<a class="button" key=${path} href=${path}>${translated(title)}</a>`)}</p>`}
  </div>
  <div class="columns">
    <div class="stack">
      <${Tokens} first=${tokens.items} scopes=${account.scopes} />
      <${Sessions} first=${sessions.items} />
      <${SecondFactor} first=${account.second_factor} needed=${account.needs_second_factor} password=${[OWNER, ...current("password")]} />
    </div>
    <div class="stack">
      <section><h2>Limits and usage</h2><${Usage} limits=${account.limits} usage=${account.usage} /></section>
      <section>
        <h2>Password</h2>
        <${Form} id="change-password" fields=${CHANGE} label="Change password" done="The password is changed. Other sessions have ended." send=${(/** @type {Record<string, string>} */ { old = "", new: next }) => post("/api/v1/account/password", { old, new: next })} blamed=${wrongPassword} />
      </section>
      <section>
        <h2>E-mail</h2>
        ${UNCONFIRMED && html`<p role="note">The address is not confirmed. To get another mail, send the form again.</p>`}
        <${Form} id="change-email" fields=${EMAIL} label="Save address" done=${account.mail ? t`Saved. If you gave a new address, open the link in the mail to it.` : t`The address is saved.`} send=${changeEmail} blamed=${blamedForEmail} keep />
      </section>
      <section>
        <h2>Delete the account</h2>
        <details class="delete">
          <summary>Delete this account…</summary>
          <p class="muted">The account's name, password, sessions and tokens are deleted, and its bots are removed. Finished matches stay; they show “deleted account” and a number as the owner. Nobody can undo this.</p>
          <${Form} id="delete-account" fields=${DELETE} label="Delete the account" danger send=${deleteAccount} blamed=${(/** @type {Error} */ error) => (error instanceof Refusal && error.status === 403 ? "password" : null)} />
        </details>
      </section>
    </div>
  </div>
`);
