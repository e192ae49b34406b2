// SPDX-License-Identifier: GPL-3.0-or-later
// Administration of accounts: roles, disabled accounts, reset codes.

import { Command } from "../command.js";
import { count, moment } from "../format.js";
import { More, useList } from "../lists.js";
import { ARENA } from "../root.js";
import { t } from "../texts.js";
import { ask, firstData, html, messageOf, Problem, show, useEffect, useRef, useState } from "../view.js";
import { Administration } from "./administration.js";
import { ConfirmedButton } from "./forms.js";
import { post } from "./requests.js";
import { roleName } from "./roles.js";

/** @typedef {Api.AnswerTo<"/api/v1/accounts">["items"][number]} Listed */
/** @type {{ menu: [string, string][], accounts: Api.AnswerTo<"/api/v1/accounts">, own: number, roles: string[] }} */
const { menu, accounts: first, own, roles } = firstData();

/** A reset code, which is shown once. @param {{ name: string, code: string }} props */
function ResetCode({ name, code }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => box.current?.focus(), [code]);
  return html`
    <div class="secret-once surface" role="group" aria-label=${t`Reset code for ${name}`} tabindex="-1" ref=${box}>
      <h3>Reset code for ${name}</h3>
      <${Command} text=${`${ARENA}/reset-password?code=${encodeURIComponent(code)}`} />
      <p class="muted small">Send this link to the owner of the account. It works once, to set a new password. It is shown only now.</p>
    </div>`;
}

function Accounts() {
  const accounts = useList(first, (after) => ask(`/api/v1/accounts?after=${encodeURIComponent(after)}`));
  const [code, setCode] = useState(/** @type {{ name: string, code: string } | null} */ (null));
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  /** @param {number} id @param {Partial<Listed>} values */
  const change = (id, values) => accounts.setItems(accounts.items.map((each) => (each.id === id ? { ...each, ...values } : each)));
  /** @param {Listed} account @param {Event & { currentTarget: HTMLSelectElement }} event */
  const setRole = async (account, event) => {
    const select = event.currentTarget;
    const role = /** @type {Listed["role"]} */ (select.value);
    setProblem(null);
    try {
      await post(`/api/v1/accounts/${account.id}/role`, { role });
      change(account.id, { role });
    } catch (error) {
      select.value = account.role;
      setProblem(messageOf(error));
    }
  };
  /** @param {Listed} account */
  const setDisabled = async ({ id, disabled }) => {
    await post(`/api/v1/accounts/${id}/disable`, { disabled: !disabled });
    change(id, { disabled: disabled ? null : Date.now() / 1000 });
  };
  /** @param {Listed} account */
  const reset = async ({ id, name }) => {
    const { code } = await post(`/api/v1/accounts/${id}/reset`);
    setCode({ name, code });
  };
  return html`
    <${Administration} menu=${menu}>
      ${code && html`<${ResetCode} name=${code.name} code=${code.code} />`}
      <${Problem} text=${problem} />
      <div class="scroll surface"><table class="rows" id="accounts">
        <thead><tr><th>Account</th><th>Role</th><th>State</th><th class="wide number">Bots</th><th class="wide number">Created</th><th class="act"><span class="visually-hidden">Actions</span></th></tr></thead>
        <tbody>${accounts.items.map((account) => html`<tr key=${account.id}>
          <td class="name"><span class="ellipsis" title=${account.name}>${account.name}</span></td>
          <td>${account.id === own ? roleName(account.role) : html`<select aria-label=${t`Role of ${account.name}`} onChange=${(/** @type {Event & { currentTarget: HTMLSelectElement }} */ event) => setRole(account, event)}>${roles.map((role) => html`<option key=${role} value=${role} selected=${role === account.role}>${roleName(role)}</option>`)}</select>`}</td>
          <td>${account.disabled ? html`<span class="loss" title=${moment(account.disabled)}>✗ disabled</span>` : html`<span class="win">✓ active</span>`}</td>
          <td class="wide number">${count(account.bots)}</td>
          <td class="wide number muted">${moment(account.created)}</td>
          <td class="act">${account.id === own
            ? html`<span class="muted">this account</span>`
            : html`<${ConfirmedButton} label="Reset password" named=${t`Reset password of ${account.name}`} title="Create a reset code?" text=${t`With the code, the owner of “${account.name}” sets a new password.`} yes="Create code" act=${() => reset(account)} />
                <${ConfirmedButton} label=${account.disabled ? t`Enable` : t`Disable`} named=${account.disabled ? t`Enable ${account.name}` : t`Disable ${account.name}`} title=${account.disabled ? t`Enable this account?` : t`Disable this account?`} text=${account.disabled ? t`“${account.name}” can sign in again.` : t`“${account.name}” cannot sign in, its sessions end, and its tokens are refused.`} act=${() => setDisabled(account)} />`}</td>
        </tr>`)}</tbody>
      </table></div>
      <${More} list=${accounts} />
    <//>
  `;
}

show(html`<${Accounts} />`);
