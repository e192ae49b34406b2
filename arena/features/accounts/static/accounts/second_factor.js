// SPDX-License-Identifier: GPL-3.0-or-later
// The second factor of an account: codes of an authenticator app. The secret and the recovery codes are shown once.

import { Command } from "../command.js";
import { t } from "../texts.js";
import { html, useEffect, useRef, useState } from "../view.js";
import { Form } from "./forms.js";
import { post, Refusal } from "./requests.js";

const PATH = "/api/v1/account/second-factor";

/** @type {import("./forms.js").FieldDeclaration[]} */
const CODE = [{ name: "code", label: t`Code of the app`, plain: true, autocomplete: "one-time-code", hint: t`Six digits.`, most: 20 }];

/** @param {string} name */
const blamed = (name) => (/** @type {Error} */ error) => (error instanceof Refusal && error.status === 403 ? name : null);

/**
 * A QR code: dark on white with a white border also in the dark, because apps read it that way.
 * @param {{ code: Api.QrAnswer }} props
 */
const QrCode = ({ code }) => html`
  <svg class="qr" viewBox=${`0 0 ${code.size} ${code.size}`} role="img" aria-label="QR code with the secret, for your authenticator app" shape-rendering="crispEdges">
    <rect width="100%" height="100%" fill="#fff" />
    <path d=${code.path} fill="#000" />
  </svg>`;

/**
 * ``password``: the fields of the current password; ``needed``: whether the session lacks rights without a second factor.
 * @param {{ first: boolean, needed: boolean, password: import("./forms.js").FieldDeclaration[] }} props
 */
export function SecondFactor({ first, needed, password }) {
  const [on, setOn] = useState(first);
  const [made, setMade] = useState(/** @type {Api.NewFactorAnswer | null} */ (null));
  const [recovery, setRecovery] = useState(/** @type {string[]} */ ([]));
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => box.current?.focus(), [made, recovery]);

  /** @param {Record<string, string>} values */
  const begin = async ({ password: given = "" }) => setMade(await post(PATH, { password: given }));
  /** @param {Record<string, string>} values */
  const confirm = async ({ code }) => {
    setRecovery((await post(`${PATH}/confirm`, { code })).recovery_codes);
    setMade(null);
    setOn(true);
  };
  /** @param {Record<string, string>} values */
  const remove = async ({ password: given = "" }) => {
    await post(`${PATH}/remove`, { password: given });
    setRecovery([]);
    setOn(false);
  };
  return html`
    <section id="second-factor">
      <h2>Second factor</h2>
      ${needed && !on && html`<p role="note">In this arena, organisers and administrators need a second factor. Without it you have the rights of an owner.</p>`}
      ${recovery.length > 0 && html`<div class="secret-once surface" role="group" aria-label="Recovery codes" tabindex="-1" ref=${box}>
        <h3>Recovery codes</h3>
        <${Command} text=${recovery.join("\n")} />
        <p class="muted small">Keep them in a safe place. If you lose the app, each code signs you in once. They are not shown again.</p>
      </div>`}
      ${on
        ? html`<p class="muted above">Signing in also requires a code of your authenticator app.</p><${Form} key="off" id="second-factor-off" fields=${password} label="Switch off" danger send=${remove} blamed=${blamed("password")} />`
        : made
          ? html`
            <div class="secret-once surface" role="group" aria-label="Secret for the app" tabindex="-1" ref=${box}>
              <h3>Secret for the app</h3>
              <${QrCode} code=${made.qr} />
              <${Command} text=${made.secret} />
              <p class="muted small">Scan the QR code with your authenticator app, or type the secret below it into the app, or <a href=${made.address}>open it in an app on this device</a>. Then enter the code that the app shows.</p>
            </div>
            <${Form} key="confirm" id="second-factor-confirm" fields=${CODE} label="Switch on" send=${confirm} blamed=${blamed("code")} />`
          : html`<p class="muted above">With a second factor, signing in also requires a code of an authenticator app.</p><${Form} key="begin" id="second-factor-begin" fields=${password} label="Set up" send=${begin} blamed=${blamed("password")} />`}
    </section>
  `;
}
