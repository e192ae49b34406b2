// SPDX-License-Identifier: GPL-3.0-or-later
// Invitations: codes with which people sign up.

import { Command } from "../command.js";
import { moment } from "../format.js";
import { ARENA } from "../root.js";
import { plural, t } from "../texts.js";
import { ask, firstData, html, show, useEffect, useRef, useState } from "../view.js";
import { Administration } from "./administration.js";
import { ConfirmedButton, Form } from "./forms.js";
import { post } from "./requests.js";
import { roleName } from "./roles.js";

/** @typedef {Api.AnswerTo<"/api/v1/invitations">["items"][number]} Invitation */
/** @type {{ menu: [string, string][], invitations: Api.AnswerTo<"/api/v1/invitations">, roles: string[] }} */
const { menu, invitations: first, roles } = firstData();

/** @type {Record<string, string>} */
const RIGHTS = { owner: t`Owner: submits bots`, organiser: t`Organiser: also manages tournaments`, administrator: t`Administrator: also manages accounts` };

/** @type {import("./forms.js").FieldDeclaration[]} */
const FIELDS = [
  { name: "role", label: t`Role of the new account`, kind: "select", choices: roles.map((role) => [role, RIGHTS[role] ?? role]), value: roles[0], autocomplete: "off" },
  { name: "days", label: t`Valid for`, kind: "select", choices: [1, 7, 30].map((days) => [String(days), plural(days, "{0} day", "{0} days")]), value: "7", autocomplete: "off" },
];

function Invitations() {
  const [invitations, setInvitations] = useState(first.items);
  const [code, setCode] = useState("");
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => box.current?.focus(), [code]);
  const list = async () => setInvitations((await ask("/api/v1/invitations")).items);
  /** @param {Record<string, string>} values */
  const invite = async ({ role, days }) => {
    setCode((await post("/api/v1/invitations", { role, days: Number(days) })).code);
    await list();
  };
  /** @param {Invitation} invitation */
  const revoke = async ({ id }) => {
    await post(`/api/v1/invitations/${id}/revoke`);
    await list();
  };
  return html`
    <${Administration} menu=${menu}>
      <section>
        <h2>Invite somebody</h2>
        ${code && html`<div class="secret-once surface" role="group" aria-label="New invitation" tabindex="-1" ref=${box}>
          <h3>New invitation</h3>
          <${Command} text=${`${ARENA}/sign-up?code=${encodeURIComponent(code)}`} />
          <p class="muted small">Send this link to one person. It works once, to create an account. It is shown only now.</p>
        </div>`}
        <${Form} id="invite" fields=${FIELDS} label="Create invitation" send=${invite} kind="form in-line" />
      </section>
      <section>
        <h2>Open invitations</h2>
        ${invitations.length > 0
          ? html`<div class="scroll surface"><table class="rows" id="invitations">
              <thead><tr><th>Role</th><th class="wide number">Created</th><th class="number">Expires</th><th class="act"><span class="visually-hidden">Action</span></th></tr></thead>
              <tbody>${invitations.map((invitation) => html`<tr key=${invitation.id}>
                <td>${roleName(invitation.role)}</td>
                <td class="wide number muted">${moment(invitation.created)}</td>
                <td class="number muted">${moment(invitation.expires)}</td>
                <td class="act"><${ConfirmedButton} label="Revoke" named=${t`Revoke the invitation of ${moment(invitation.created)}`} title="Revoke this invitation?" text="Nobody can sign up with its code any more." act=${() => revoke(invitation)} /></td>
              </tr>`)}</tbody>
            </table></div>`
          : html`<p class="muted">There are no invitations that can be used.</p>`}
      </section>
    <//>
  `;
}

show(html`<${Invitations} />`);
