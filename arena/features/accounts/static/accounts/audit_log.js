// SPDX-License-Identifier: GPL-3.0-or-later
// The audit log: what people changed, the newest first.

import { moment } from "../format.js";
import { More, useList } from "../lists.js";
import { inContext } from "../texts.js";
import { ask, firstData, html, show } from "../view.js";
import { Administration } from "./administration.js";

/** @type {{ menu: [string, string][], audit: Api.AnswerTo<"/api/v1/audit"> }} */
const { menu, audit } = firstData();

/**
 * The details of an action as text.
 * @param {object} details
 */
const written = (details) => (Object.keys(details).length > 0 ? JSON.stringify(details) : "");

function AuditLog() {
  const list = useList(audit, (after) => ask(`/api/v1/audit?after=${encodeURIComponent(after)}`));
  return html`
    <${Administration} menu=${menu}>
      ${list.items.length > 0
        ? html`<div class="scroll surface"><table class="rows" id="audit">
            <thead><tr><th>${inContext("of an event", "Time")}</th><th>Account</th><th>Action</th><th class="wide">From</th><th class="wide">Details</th></tr></thead>
            <tbody>${list.items.map((entry) => html`<tr key=${entry.id}>
              <td class="muted when">${moment(entry.time)}</td>
              <td class="name"><span class="ellipsis" title=${entry.account}>${entry.account}</span></td>
              <td><code>${entry.action}</code></td>
              <td class="wide muted">${entry.origin}</td>
              <td class="wide muted foreign small"><bdi>${written(entry.details)}</bdi></td>
            </tr>`)}</tbody>
          </table></div>`
        : html`<p class="muted">The audit log is empty. It lists changes by accounts and commands, and starts and stops of the server.</p>`}
      <${More} list=${list} />
    <//>
  `;
}

show(html`<${AuditLog} />`);
