// SPDX-License-Identifier: GPL-3.0-or-later
// Confirm an e-mail address by the code in the link that was mailed to it.

import "../shell.js";
import { t } from "../texts.js";
import { html, show, useState } from "../view.js";
import { Form } from "./forms.js";
import { post, Refusal } from "./requests.js";

/** @type {import("./forms.js").FieldDeclaration[]} */
const FIELDS = [
  { name: "code", label: t`Code`, plain: true, autocomplete: "one-time-code", hint: t`The mail contains the code.`, value: new URLSearchParams(location.search).get("code") ?? "", most: 200 },
];

/** @param {Error} error */
const blamed = (error) => (error instanceof Refusal && error.status === 403 ? "code" : null);

function Confirmation() {
  const [done, setDone] = useState(false);
  /** @param {Record<string, string>} values */
  const send = async ({ code }) => {
    await post("/api/v1/email-confirmations", { code: code.trim() });
    setDone(true);
  };
  return html`
    <div class="entrance">
      <h1>Confirm your e-mail address</h1>
      ${done
        ? html`<p role="status"><span class="win">✓ The address is confirmed.</span> If you forget your password, this arena can mail you a link for a new one. <a href="/account">Your account</a></p>`
        : html`<${Form} id="confirm" fields=${FIELDS} label="Confirm" send=${send} blamed=${blamed} focused />`}
    </div>
  `;
}

show(html`<${Confirmation} />`);
