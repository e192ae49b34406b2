// SPDX-License-Identifier: GPL-3.0-or-later
// Sign in with a name and a password.

import "../shell.js";
import { firstData, html, show } from "../view.js";
import { Form, NAME } from "./forms.js";
import { post } from "./requests.js";
import { enter } from "./signed_in.js";

/** @type {{ sign_up: "open" | "invited" | "closed", first: boolean, mail: boolean }} */
const { sign_up: admitted, first, mail } = firstData();

/** @type {import("./forms.js").FieldDeclaration[]} */
const FIELDS = [{ ...NAME, hint: "" }, { name: "password", label: "Password", kind: "password", autocomplete: "current-password" }];
const next = new URLSearchParams(location.search).get("next");
const signUp = next ? `/sign-up?${new URLSearchParams({ next })}` : "/sign-up";

/** @param {Record<string, string>} values */
const send = async ({ name, password }) => enter((await post("/api/v1/sessions", { name: name.trim(), password })).account);

show(html`
  <div class="entrance">
    <h1>Sign in</h1>
    ${first && html`<p role="note">This arena has no administrator yet. <a href="/sign-up">Create the first administrator account</a> with the one-time code that the server printed.</p>`}
    <${Form} id="sign-in" fields=${FIELDS} label="Sign in" send=${send} focused />
    <p>No account? ${admitted === "closed" ? "This arena does not accept new accounts." : html`<a href=${signUp}>Sign up</a>${admitted === "invited" ? " with an invitation code." : "."}`}</p>
    <p>Forgot your password? ${mail ? html`<a href="/reset-password">Get a link by mail</a>.` : html`Ask an administrator for a reset code, then <a href="/reset-password">set a new password</a>.`}</p>
  </div>
`);
