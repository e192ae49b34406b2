// SPDX-License-Identifier: GPL-3.0-or-later
// A new password by a reset code, for somebody who forgot the old one; and a form that asks for the code by mail.

import "../shell.js";
import { t } from "../texts.js";
import { firstData, html, show, useState } from "../view.js";
import { Form, NAME, PASSWORD } from "./forms.js";
import { post, Refusal } from "./requests.js";

/** @type {{ mail: boolean }} whether the arena sends mails */
const { mail } = firstData();
const code = new URLSearchParams(location.search).get("code") ?? "";

/** @type {import("./forms.js").FieldDeclaration[]} */
const ASK = [{ ...NAME, hint: "" }];

/** @type {import("./forms.js").FieldDeclaration[]} */
const FIELDS = [
  { name: "code", label: t`Reset code`, plain: true, autocomplete: "one-time-code", hint: mail ? t`The mail contains the code, or an administrator of this arena gives it to you.` : t`An administrator of this arena gives it to you.`, value: code, most: 200 },
  { ...PASSWORD, label: t`New password`, autocomplete: "new-password" },
];

/** @param {Error} error */
const blamed = (error) => (error instanceof Refusal ? ({ 400: "password", 403: "code", 404: "code" }[error.status] ?? null) : null);

const SENT = t`If this account has a confirmed e-mail address, a mail with a link is on its way. The link is valid for 10 minutes.`;

/** @param {Record<string, string>} values */
const ask = ({ name }) => post("/api/v1/password-resets/mail", { name: name.trim() });

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
        : html`
          ${mail && !code && html`<${Form} id="forgotten" fields=${ASK} label="Mail me a link" done=${SENT} send=${ask} focused /><h2>With a reset code</h2>`}
          <p class="muted">${mail ? t`A code works once.` : t`You need a reset code from an administrator. A code works once.`}</p>
          <${Form} id="reset" fields=${FIELDS} label="Set password" send=${send} blamed=${blamed} focused=${!mail || !!code} />
        `}
    </div>
  `;
}

show(html`<${Reset} />`);
