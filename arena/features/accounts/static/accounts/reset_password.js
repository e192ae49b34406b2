// SPDX-License-Identifier: GPL-3.0-or-later
// A new password by a reset code, for somebody who forgot the old one.

import "../shell.js";
import { html, show, useState } from "../view.js";
import { Form, PASSWORD } from "./forms.js";
import { post, Refusal } from "./requests.js";

/** @type {import("./forms.js").FieldDeclaration[]} */
const FIELDS = [
  { name: "code", label: "Reset code", plain: true, autocomplete: "one-time-code", hint: "An administrator of this arena gives it to you.", value: new URLSearchParams(location.search).get("code") ?? "", most: 200 },
  { ...PASSWORD, label: "New password", autocomplete: "new-password" },
];

/** @param {Error} error */
const blamed = (error) => (error instanceof Refusal ? ({ 400: "password", 403: "code", 404: "code" }[error.status] ?? null) : null);

function Reset() {
  const [done, setDone] = useState(false);
  /** @param {Record<string, string>} values */
  const send = async ({ code, password }) => {
    await post("/api/v1/password-resets", { code: code.trim(), password });
    setDone(true);
  };
  return html`
    <div class="entrance">
      <h1>Set a new password</h1>
      ${done
        ? html`<p role="status"><span class="win">✓ The password is changed.</span> All sessions of the account have ended. <a href="/sign-in">Sign in</a> with the new password.</p>`
        : html`<p class="muted">You need a reset code from an administrator. A code works once.</p><${Form} id="reset" fields=${FIELDS} label="Set password" send=${send} blamed=${blamed} focused />`}
    </div>
  `;
}

show(html`<${Reset} />`);
