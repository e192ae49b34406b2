// SPDX-License-Identifier: GPL-3.0-or-later
// Administration of uploads: those that wait for approval, those in quarantine, and those that the server runs.

import { Administration } from "../accounts/administration.js";
import { ConfirmedButton } from "../accounts/forms.js";
import { post } from "../accounts/requests.js";
import { bytes } from "../accounts/usage.js";
import { usePolling } from "../asking.js";
import { count } from "../format.js";
import { Ago } from "../parts.js";
import { translatedSentence } from "../sentences.js";
import { t } from "../texts.js";
import { ask, firstData, html, show, useState } from "../view.js";
import { languageName, State } from "./states.js";

/** @typedef {Api.AnswerTo<"/api/v1/uploads">} Uploads */
/** @typedef {Uploads["items"][number]} Upload */
/** @type {{ menu: [string, string][], uploads: Uploads }} */
const { menu, uploads: first } = firstData();

/** @type {[string, string[]][]} heading and states */
const GROUPS = [
  [t`Waiting for approval`, ["waiting"]],
  [t`Validation`, ["queued", "validating"]],
  [t`In quarantine`, ["quarantined"]],
  [t`Other versions`, ["accepted", "rejected", "withdrawn"]],
];

/** @param {{ upload: Upload, act: (upload: Upload, action: string) => Promise<void> }} props */
function Row({ upload, act }) {
  const what = t`version ${upload.version} of “${upload.name}”`;
  return html`<tr>
    <td class="name"><a href=${`/bots/${upload.bot}/versions/${upload.version}`} title=${upload.name}>${upload.name} <span class="muted">${upload.version}</span></a></td>
    <td class="wide muted">${upload.owner}</td>
    <td title=${translatedSentence(upload.reason)}><${State} state=${upload.state} /></td>
    <td class="wide muted">${languageName(upload.language)}</td>
    <td class="wide number muted">${bytes(upload.size)}</td>
    <td class="number muted"><${Ago} time=${upload.created} /></td>
    <td class="act">
      ${upload.state === "waiting" && html`<${ConfirmedButton} label="Approve" named=${t`Approve ${what}`} title="Approve this upload?" text=${t`The server will run ${what} in the sandbox. Look at the file first.`} act=${() => act(upload, "approve")} />`}
      ${upload.state === "quarantined" && html`<${ConfirmedButton} label="Validate" named=${t`Validate ${what}`} title="Validate this version again?" text=${t`When ${what} passes, the bot returns to the ladder.`} act=${() => act(upload, "validate")} />`}
      ${["waiting", "queued", "accepted"].includes(upload.state) && html`<${ConfirmedButton} label="Withdraw" named=${t`Withdraw ${what}`} title="Withdraw this version?" text=${t`The server stops running ${what}, and deletes its file.`} act=${() => act(upload, "withdraw")} />`}
    </td>
  </tr>`;
}

function Queue() {
  const [uploads, setUploads] = useState(first);
  const look = async () => setUploads(await ask("/api/v1/uploads?limit=500"));
  usePolling(look);
  /** @param {Upload} upload @param {string} action */
  const act = async ({ bot, version }, action) => {
    await post(`/api/v1/bots/${bot}/versions/${version}/${action}`);
    await look();
  };
  return html`
    <${Administration} menu=${menu}>
      ${uploads.items.length === 0
        ? html`<div class="empty"><h2>No uploads yet</h2><p class="muted">The bots that people upload are listed here: those that wait for approval, those in validation, and all others.</p></div>`
        : html`<div class="scroll surface"><table class="rows" id="queue">
            <thead><tr><th>Bot</th><th class="wide">Owner</th><th>State</th><th class="wide">Language</th><th class="wide number">Size</th><th class="number">Uploaded</th><th class="act"><span class="visually-hidden">Actions</span></th></tr></thead>
            ${GROUPS.map(([heading, states]) => {
              const found = uploads.items.filter(({ state }) => states.includes(state));
              return html`<tbody key=${heading}>
                <tr class="group"><th colspan="7" scope="rowgroup">${heading} <span class="number">${count(found.length)}</span></th></tr>
                ${found.map((upload) => html`<${Row} key=${`${upload.bot} ${upload.version}`} upload=${upload} act=${act} />`)}
              </tbody>`;
            })}
          </table></div>`}
    <//>
  `;
}

show(html`<${Queue} />`);
