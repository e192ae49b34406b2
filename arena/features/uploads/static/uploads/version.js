// SPDX-License-Identifier: GPL-3.0-or-later
// A version of an uploaded bot, for its owner: state, validation log while it runs, file, what to do after a rejection.

import { ConfirmedButton } from "../accounts/forms.js";
import { post } from "../accounts/requests.js";
import { bytes } from "../accounts/usage.js";
import { usePolling } from "../asking.js";
import { moment } from "../format.js";
import { translatedSentence } from "../sentences.js";
import "../shell.js";
import { inContext, t, translated } from "../texts.js";
import { ask, firstData, html, show, useState } from "../view.js";
import { Log } from "./log.js";
import { Advice, explanation, languageName, pending, State } from "./states.js";

/** @typedef {Api.AnswerTo<`/api/v1/bots/${number}/versions/${number}`>} Version */
/** @type {{ version: Version, games: Api.GamesAnswer, administrator: boolean }} */
const { version: first, games: { items: games }, administrator } = firstData();
const bot = { id: first.bot, name: first.name };
const path = /** @type {const} */ (`/api/v1/bots/${bot.id}/versions/${first.version}`);
const EVERY = 700; // ms between two requests while validation runs

/**
 * The steps from an upload to the ladder; ``reached`` is the number of steps that are done.
 * @param {{ state: string }} props
 */
function Steps({ state }) {
  const names = state === "waiting" ? [t`Uploaded`, t`Approval`, t`Validation`, t`Ladder`] : [t`Uploaded`, t`Validation`, t`Ladder`];
  const current = { waiting: t`Approval`, queued: t`Validation`, validating: t`Validation`, accepted: t`Ladder`, rejected: t`Validation`, withdrawn: t`Ladder`, quarantined: t`Ladder` }[state] ?? "";
  const at = names.indexOf(current);
  return html`<ol class="steps">${names.map((name, index) => {
    const failed = index === at && ["rejected", "quarantined", "withdrawn"].includes(state);
    const done = index < at || state === "accepted";
    return html`<li key=${name} class=${failed ? "loss" : done ? "win" : index === at ? "now" : "muted"} aria-current=${index === at ? "step" : null}>${failed ? "✗" : done ? "✓" : index === at ? "◑" : "○"} ${name}</li>`;
  })}</ol>`;
}

function VersionPage() {
  const [version, setVersion] = useState(first);
  const { state } = version;
  const look = async () => setVersion(await ask(path));
  usePolling(look, { every: () => EVERY, wanted: pending(state) });
  /** @param {string} action */
  const act = async (action) => {
    await post(`${path}/${action}`);
    await look();
  };
  return html`
    <div class="head">
      <h1 class="ellipsis" title=${bot.name}><a href=${`/bots/${bot.id}`}><bdi>${bot.name}</bdi></a></h1>
      <p class="muted">Version ${version.version} · only the owner and administrators see this page</p>
    </div>
    <div class="columns">
      <div class="stack">
        <section>
          <${Steps} state=${state} />
          <div role="status" class="verdict"><p><strong><${State} state=${state} /></strong></p><p class="muted">${explanation(state)}</p></div>
          ${version.absent && html`<p class="foreign reason"><strong>Not connected:</strong> <bdi>${version.absent}</bdi></p>`}
          ${version.reason && html`<p class="foreign reason"><strong>Reason:</strong> <bdi>${translatedSentence(version.reason)}</bdi></p>`}
          <div class="send">
            ${state === "accepted" && html`<a class="button primary" href=${`/bots/${bot.id}`}>Show the bot</a>`}
            ${administrator && state === "waiting" && html`<${ConfirmedButton} label="Approve" title="Approve this upload?" text=${t`The server will run version ${version.version} of “${bot.name}” in the sandbox.`} act=${() => act("approve")} />`}
            ${["rejected", "quarantined"].includes(state) && html`<${ConfirmedButton} label="Validate again" title="Validate this version again?" text="If this version passes the validation, the bot plays with it on the ladder." act=${() => act("validate")} />`}
            ${["waiting", "queued", "accepted"].includes(state) && html`<${ConfirmedButton} label="Withdraw" title="Withdraw this version?" text="The bot stops playing this version, and the server deletes its file. Its matches and ratings stay." act=${() => act("withdraw")} />`}
          </div>
        </section>
        <${Advice} bot=${bot.id} state=${state} language=${version.language} file=${version.file} game=${version.games[0] ?? games[0]?.name} />
        <section><h2>Validation log</h2><${Log} lines=${version.log} label="Validation log" empty=${pending(state) ? "The log appears here when validation starts." : "There is no log."} /></section>
      </div>
      <section>
        <h2>File</h2>
        <dl class="facts surface">
          ${version.label && html`<dt>Version name</dt><dd class="foreign"><bdi>${version.label}</bdi></dd>`}
          <dt>File</dt><dd class="foreign"><bdi>${version.file}</bdi></dd>
          <dt>Language</dt><dd>${languageName(version.language)}</dd>
          <dt>${inContext("to choose from", "Games")}</dt><dd>${version.games.map((name) => translated(games.find((game) => game.name === name)?.title ?? name)).join(", ") || t`the games that the bot names when it starts`}</dd>
          <dt>Size</dt><dd>${bytes(version.size)}</dd>
          <dt>Uploaded</dt><dd>${moment(version.created)}</dd>
          <dt>SHA-256</dt><dd><code title=${version.digest}>${version.digest.slice(0, 16)}…</code></dd>
        </dl>
        <p class="files">${state !== "withdrawn" && html`<a class="button" href=${`${path}/file`} download>Download the file</a>`}<a class="button" href=${`/submit?bot=${bot.id}`}>New version</a></p>
      </section>
    </div>
  `;
}

show(html`<${VersionPage} />`);
