// SPDX-License-Identifier: GPL-3.0-or-later
// Sign in with a name and a password.

import "../shell.js";
import { t } from "../texts.js";
import { firstData, html, show, useState } from "../view.js";
import { Form, NAME } from "./forms.js";
import { post, Refusal } from "./requests.js";
import { enter } from "./signed_in.js";

/** @type {{ sign_up: "open" | "invited" | "closed", first: boolean, mail: boolean }} */
const { sign_up: admitted, first, mail } = firstData();

/** @type {import("./forms.js").FieldDeclaration[]} */
const FIELDS = [{ ...NAME, hint: "" }, { name: "password", label: t`Password`, kind: "password", autocomplete: "current-password" }];
const next = new URLSearchParams(location.search).get("next");
const signUp = next ? `/sign-up?${new URLSearchParams({ next })}` : "/sign-up";

/** @type {import("./forms.js").FieldDeclaration} */
const CODE = { name: "code", label: t`Code`, plain: true, autocomplete: "one-time-code", hint: t`Of your authenticator app, or a recovery code.`, most: 200 };

/** @param {Error} error */
const ofSecondFactor = (error) => error instanceof Refusal && error.code === "second-factor";

/** The form; it asks for a code where the account has a second factor. */
function SignIn() {
  const [asked, setAsked] = useState(false);
  /** @param {Record<string, string>} values */
  const send = async ({ name, password, code = "" }) => {
    try {
      enter((await post("/api/v1/sessions", { name: name.trim(), password, code })).account);
    } catch (error) {
      if (error instanceof Error && ofSecondFactor(error)) setAsked(true);
      throw error;
    }
  };
  /** @param {Error} error */
  const blamed = (error) => (asked && ofSecondFactor(error) ? "code" : null);
  return html`<${Form} id="sign-in" fields=${asked ? [...FIELDS, CODE] : FIELDS} label="Sign in" send=${send} blamed=${blamed} focused />`;
}

show(html`
  <div class="entrance">
    <h1>Sign in</h1>
    ${first && html`<p role="note">This arena has no administrator yet. <a href="/sign-up">Create the first administrator account</a> with the one-time code that the server printed.</p>`}
    <${SignIn} />
    <p>No account? ${admitted === "closed" ? t`This arena does not accept new accounts.` : html`<a href=${signUp}>Sign up</a>${admitted === "invited" ? t` with an invitation code.` : "."}`}</p>
    <p>Forgot your password? ${mail ? html`<a href="/reset-password">Get a link by mail</a>.` : html`Ask an administrator for a reset code, then <a href="/reset-password">set a new password</a>.`}</p>
  </div>
`);
