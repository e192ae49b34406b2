// SPDX-License-Identifier: GPL-3.0-or-later
// Sign up: a new account, the first administrator's among them.

import "../shell.js";
import { t } from "../texts.js";
import { firstData, html, show } from "../view.js";
import { Form, NAME, PASSWORD } from "./forms.js";
import { post, Refusal } from "./requests.js";
import { enter } from "./signed_in.js";

/** @type {{ sign_up: "open" | "invited" | "closed", first: boolean }} ``first``: whether there is no administrator yet */
const { sign_up: admitted, first } = firstData();
const parameters = new URLSearchParams(location.search);
const code = parameters.get("code") ?? "";

/** @type {import("./forms.js").FieldDeclaration} */
const CODE = first
  ? { name: "code", label: t`One-time code`, hint: t`The server prints this code at its start.` }
  : admitted === "open"
    ? { name: "code", label: t`Invitation code`, optional: true, hint: t`An invitation can give you further rights.` }
    : { name: "code", label: t`Invitation code`, hint: t`An administrator of this arena gives it to you.` };

/** @type {import("./forms.js").FieldDeclaration[]} */
const FIELDS = [NAME, { ...PASSWORD, autocomplete: "new-password" }, { ...CODE, plain: true, autocomplete: "one-time-code", value: code, most: 200 }];

/** @param {Record<string, string>} values */
async function send({ name, password, code }) {
  const found = await post("/api/v1/accounts", { name: name.trim(), password, ...(code.trim() && { code: code.trim() }) });
  enter(found.account);
}

/** @param {Error} error */
function blamed(error) {
  if (!(error instanceof Refusal)) return null;
  if (error.status === 400) return /password/i.test(error.message) ? "password" : "name";
  return { 403: "code", 409: "name" }[error.status] ?? null;
}

/** @param {Record<string, string>} values */
const check = ({ name, password }) => /** @type {Record<string, string>} */ (password && name.trim().toLowerCase() === password.toLowerCase() ? { password: t`Use a password that is not the account's name.` } : {});

const next = parameters.get("next");
const signIn = html`<p>Already have an account? <a href=${next ? `/sign-in?${new URLSearchParams({ next })}` : "/sign-in"}>Sign in</a>.</p>`;

show(
  admitted === "closed" && !first
    ? html`<div class="entrance"><h1>Sign up</h1><p>This arena does not accept new accounts. Ask its administrator.</p>${signIn}</div>`
    : html`
      <div class="entrance">
        <h1>${first ? t`Create the first administrator account` : t`Sign up`}</h1>
        <p class="muted">${first ? t`This arena has no administrator yet. The account that you create here can manage accounts, invitations and uploads.` : t`With an account you can submit bots and see their logs. Other people see the account's name on its bots.`}</p>
        <${Form} id="sign-up" fields=${FIELDS} label="Sign up" send=${send} blamed=${blamed} check=${check} focused />
        ${signIn}
      </div>`,
);
