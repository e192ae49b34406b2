// SPDX-License-Identifier: GPL-3.0-or-later
// The audit log: what people changed, the newest first.

import { moment } from "../format.js";
import { More, useList } from "../lists.js";
import { translatedSentence } from "../sentences.js";
import { inContext, translated } from "../texts.js";
import { ask, firstData, html, show } from "../view.js";
import { Administration } from "./administration.js";

/** @type {{ menu: [string, string][], audit: Api.AnswerTo<"/api/v1/audit">, summaries: Record<string, string> }} */
const { menu, audit, summaries } = firstData();

/**
 * The details of an action as text: "id: 3, name: mine".
 * @param {{ body?: object | null }} details
 */
const written = ({ body, ...details }) =>
  [...Object.entries(details), ...Object.entries(body ?? {})]
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");

/**
 * Shows an action: a request by its summary and route, a command as the user typed it.
 * @param {{ action: string }} props
 */
const Action = ({ action }) => {
  if (Object.hasOwn(summaries, action)) return html`${translated(summaries[action])}<br /><code class="muted">${action}</code>`;
  return action.startsWith("arena ") ? html`<code>${action}</code>` : translatedSentence(action);
};

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
              <td><${Action} action=${entry.action} /></td>
              <td class="wide muted">${translatedSentence(entry.origin)}</td>
              <td class="wide muted foreign small"><bdi>${written(entry.details)}</bdi></td>
            </tr>`)}</tbody>
          </table></div>`
        : html`<p class="muted">The audit log is empty. It lists changes by accounts and commands, and starts and stops of the server.</p>`}
      <${More} list=${list} />
    <//>
  `;
}

show(html`<${AuditLog} />`);
