// SPDX-License-Identifier: GPL-3.0-or-later
// API tokens of an account: programs use them instead of the password. A new token is shown once.

import { Command } from "../command.js";
import { Ago } from "../parts.js";
import { t } from "../texts.js";
import { ask, html, useEffect, useRef, useState } from "../view.js";
import { ConfirmedButton, Form } from "./forms.js";
import { post } from "./requests.js";

/** @typedef {Api.AnswerTo<"/api/v1/account/tokens">["items"][number]} Token */

/** @type {Record<string, string>} */
const SCOPES = {
  play: t`Register bots and replace their tokens`,
  submit: t`Upload bots and new versions`,
  organise: t`Create and manage tournaments, lift the quarantine of islands`,
  administer: t`Manage accounts, invitations and uploads; read the audit log`,
};

/** @type {import("./forms.js").FieldDeclaration[]} */
const FIELDS = [{ name: "label", label: t`Label`, most: 100, autocomplete: "off", hint: t`For example, the program or the machine that uses the token.` }];

/**
 * A secret that the server shows once. The focus moves to it.
 * @param {{ secret: string, title: string, children?: import("preact").ComponentChildren, note?: string }} props
 */
export function Secret({ secret, title, children, note = t`Copy it now. The server stores only a hash of it and cannot show it again.` }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => box.current?.focus(), [secret]);
  return html`
    <div class="secret-once surface" role="group" aria-label=${title} tabindex="-1" ref=${box}>
      <h3>${title}</h3>
      <${Command} text=${secret} />
      <p class="muted small">${note}</p>
      ${children}
    </div>
  `;
}

/** @param {{ first: Token[], scopes: string[] }} props */
export function Tokens({ first, scopes }) {
  const [tokens, setTokens] = useState(first);
  const [made, setMade] = useState(/** @type {{ label: string, token: string } | null} */ (null));
  const [chosen, setChosen] = useState(/** @type {string[]} */ (["play", "submit"]));
  const list = async () => setTokens((await ask("/api/v1/account/tokens")).items);
  /** @param {Record<string, string>} values */
  const make = async ({ label }) => {
    if (!chosen.length) throw new Error(t`Choose at least one permission.`);
    const { token } = await post("/api/v1/account/tokens", { label: label.trim(), scopes: chosen });
    setMade({ label: label.trim(), token });
    await list();
  };
  /** @param {Token} token */
  const revoke = async ({ id }) => {
    await post(`/api/v1/account/tokens/${id}/revoke`);
    await list();
  };
  return html`
    <section id="tokens">
      <h2>API tokens</h2>
      <p class="muted above">Programs such as <code>arena submit</code> use a token instead of your password. Give each program its own token.</p>
      ${tokens.length > 0 && html`<div class="scroll surface"><table class="rows">
        <thead><tr><th>Label</th><th>Permissions</th><th class="wide number">Created</th><th class="number">Last used</th><th class="act"><span class="visually-hidden">Action</span></th></tr></thead>
        <tbody>${tokens.map((token) => html`<tr key=${token.id}>
          <td class="name"><span class="ellipsis" title=${token.label}>${token.label}</span></td>
          <td>${token.scopes.join(", ")}</td>
          <td class="wide number muted"><${Ago} time=${token.created} /></td>
          <td class="number muted">${token.last_used ? html`<${Ago} time=${token.last_used} />` : t`never`}</td>
          <td class="act"><${ConfirmedButton} label="Revoke" named=${t`Revoke ${token.label}`} title="Revoke this token?" text=${t`Programs that use “${token.label}” will be refused.`} act=${() => revoke(token)} /></td>
        </tr>`)}</tbody>
      </table></div>`}
      ${made && html`<${Secret} secret=${made.token} title=${t`New token: ${made.label}`} />`}
      <${Form} id="new-token" fields=${FIELDS} label="Create token" send=${make}>
        <fieldset class="choices">
          <legend>Permissions</legend>
          ${scopes.map((scope) => html`<label key=${scope}><input type="checkbox" checked=${chosen.includes(scope)} onChange=${() => setChosen(chosen.includes(scope) ? chosen.filter((each) => each !== scope) : [...chosen, scope])} /><span><strong>${scope}</strong> <span class="muted">${SCOPES[scope]}</span></span></label>`)}
        </fieldset>
      <//>
    </section>
  `;
}
