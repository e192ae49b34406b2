// SPDX-License-Identifier: GPL-3.0-or-later
// The browsers in which an account is signed in.

import { Ago } from "../parts.js";
import { visit } from "../root.js";
import { t } from "../texts.js";
import { ask, html, useState } from "../view.js";
import { ConfirmedButton } from "./forms.js";
import { post } from "./requests.js";
import { forget } from "./signed_in.js";

/** @typedef {Api.AnswerTo<"/api/v1/account/sessions">["items"][number]} Session */

/**
 * The browser and the system that a User-Agent header names.
 * @param {string} agent
 */
function browserOf(agent) {
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)[A-Za-z]*\/(\d+)/.exec(agent.replace(/^Mozilla\/\S+/, ""));
  const named = /** @type {Record<string, string>} */ ({ Edg: "Edge", OPR: "Opera" });
  // Edge and Opera call themselves Chrome first
  const special = /(Edg|OPR)[A-Za-z]*\/(\d+)/.exec(agent) ?? browser;
  const system = /Android|iPhone|iPad|Windows|Mac OS X|Linux/.exec(agent)?.[0].replace("Mac OS X", "macOS");
  if (!special) return agent.slice(0, 60) || t`Unknown program`;
  return `${named[special[1]] ?? special[1]} ${special[2]}${system ? ` on ${system}` : ""}`;
}

/** @param {{ first: Session[] }} props */
export function Sessions({ first }) {
  const [sessions, setSessions] = useState(first);
  /** @param {Session} session */
  const revoke = async ({ id, current }) => {
    await post(`/api/v1/account/sessions/${id}/revoke`);
    if (current) {
      forget();
      visit("/sign-in");
    } else setSessions((await ask("/api/v1/account/sessions")).items);
  };
  return html`
    <section id="sessions">
      <h2>Sessions</h2>
      <div class="scroll surface"><table class="rows">
        <thead><tr><th>Browser</th><th class="wide">Address</th><th class="number">Last request</th><th class="wide number">Signed in</th><th class="act"><span class="visually-hidden">Action</span></th></tr></thead>
        <tbody>${sessions.map((session) => html`<tr key=${session.id}>
          <td class="name"><span class="ellipsis" title=${session.agent}>${browserOf(session.agent)}</span>${session.current && html` <strong class="win small">this browser</strong>`}</td>
          <td class="wide muted">${session.address}</td>
          <td class="number muted"><${Ago} time=${session.last_seen} /></td>
          <td class="wide number muted"><${Ago} time=${session.created} /></td>
          <td class="act"><${ConfirmedButton} label="End" named=${t`End the session of ${browserOf(session.agent)}`} title="End this session?" text=${session.current ? t`You will be signed out in this browser.` : t`${browserOf(session.agent)}, address ${session.address}, will be signed out.`} yes="End session" act=${() => revoke(session)} /></td>
        </tr>`)}</tbody>
      </table></div>
    </section>
  `;
}
