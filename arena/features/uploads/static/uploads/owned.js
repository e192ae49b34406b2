// SPDX-License-Identifier: GPL-3.0-or-later
// What only the owner of a bot and administrators see on its page: versions, error output, token, description. The page
// itself is the same for everybody; this part requests the private data.

import { ConfirmedButton, Form } from "../accounts/forms.js";
import { post } from "../accounts/requests.js";
import { Secret } from "../accounts/tokens.js";
import { bytes } from "../accounts/usage.js";
import { usePolling } from "../asking.js";
import { Ago } from "../parts.js";
import { translatedSentence } from "../sentences.js";
import { t } from "../texts.js";
import { ask, html, messageOf, Problem, useEffect, useState } from "../view.js";
import { Log } from "./log.js";
import { languageName, pending, State } from "./states.js";

/** @typedef {Api.AnswerTo<`/api/v1/bots/${number}/versions`>["items"][number]} Version */
/** @typedef {Api.AnswerTo<`/api/v1/bots/${number}/logs`>["items"][number]} MatchLog */
/** @typedef {Api.BotDetailAnswer} Bot */

/** @param {{ bot: Bot, versions: Version[], look: () => Promise<void> }} props */
function Versions({ bot, versions, look }) {
  usePolling(look, { wanted: versions.some(({ state }) => pending(state)) });
  /** @param {Version} version */
  const withdraw = async ({ version }) => {
    await post(`/api/v1/bots/${bot.id}/versions/${version}/withdraw`);
    await look();
  };
  if (!versions.length) return html`<p class="muted">No version was uploaded: the bot connects by itself.</p>`;
  return html`
    <div class="scroll surface"><table class="rows">
      <thead><tr><th>Version</th><th>State</th><th class="wide">Language</th><th class="wide number">Size</th><th class="number">Uploaded</th><th class="act"><span class="visually-hidden">Actions</span></th></tr></thead>
      <tbody>${versions.map((version) => html`<tr key=${version.version}>
        <td><a class="underlined" href=${`/bots/${bot.id}/versions/${version.version}`}>Version ${version.version}</a>${version.label && version.label !== String(version.version) && html` <span class="muted small">named <bdi>${version.label}</bdi></span>`}</td>
        <td title=${translatedSentence(version.reason)}><${State} state=${version.state} /></td>
        <td class="wide muted">${languageName(version.language)}</td>
        <td class="wide number muted">${bytes(version.size)}</td>
        <td class="number muted"><${Ago} time=${version.created} /></td>
        <td class="act">${version.state !== "withdrawn" && html`<a class="button wide" href=${`/api/v1/bots/${bot.id}/versions/${version.version}/file`} download aria-label=${t`Download version ${version.version}`}>Download</a>`}
          ${["waiting", "queued", "accepted"].includes(version.state) && html` <${ConfirmedButton} label="Withdraw" named=${t`Withdraw version ${version.version}`} title=${t`Withdraw version ${version.version}?`} text="The bot stops playing this version, and the server deletes its file. Its matches and ratings stay." act=${() => withdraw(version)} />`}</td>
      </tr>`)}</tbody>
    </table></div>
  `;
}

/** @param {{ logs: MatchLog[] }} props */
function Logs({ logs }) {
  if (!logs.length) return html`<p class="muted">The bot wrote no error output in its newest matches.</p>`;
  return html`<div class="logs">${logs.map((log) => html`<details key=${log.match}>
    <summary>Match ${log.match} <span class="muted">version ${log.version}, <${Ago} time=${log.created} /></span></summary>
    <p class="files small"><a class="underlined" href=${`/matches/${log.match}`}>Show match ${log.match}</a></p>
    <${Log} lines=${log.text.split("\n")} label=${t`Error output in match ${log.match}`} empty="" />
  </details>`)}</div>`;
}

/** @param {{ bot: Bot }} props */
function Token({ bot }) {
  const [token, setToken] = useState("");
  const replace = async () => setToken((await post(`/api/v1/bots/${bot.id}/token`)).token);
  return html`
    <p class="muted above">With its token a bot connects from any machine. A new token makes the old one invalid.</p>
    ${token && html`<${Secret} secret=${token} title=${t`Token of ${bot.name}`} />`}
    <${ConfirmedButton} label="New token" title="Replace the token?" text="The old token becomes invalid. A program that uses it is disconnected." act=${replace} />
  `;
}

/** @param {{ bot: Bot }} props */
function Settings({ bot }) {
  /** @type {import("../accounts/forms.js").FieldDeclaration[]} */
  const fields = [{ name: "description", label: t`Description`, kind: "area", optional: true, most: 200, value: bot.description, hint: t`One line for people who look at the bot.` }];
  const remove = async () => {
    await post(`/api/v1/bots/${bot.id}/remove`);
    location.reload();
  };
  return html`
    <div class="settings">
      <div><${Form} id="description" fields=${fields} label="Save" keep done="Saved." send=${(/** @type {Record<string, string>} */ { description }) => post(`/api/v1/bots/${bot.id}/description`, { description: description.trim() })} /></div>
      <div><h3>Token</h3><${Token} bot=${bot} /></div>
      ${!bot.removed && html`<div><h3>Remove</h3><p class="muted above">The bot leaves the ladder. Its matches and ratings stay.</p><${ConfirmedButton} label="Remove the bot" title=${t`Remove ${bot.name}?`} text="The bot leaves the ladder and cannot come back. Its matches and ratings stay." yes="Remove" act=${remove} /></div>`}
    </div>
  `;
}

/** @param {{ bot: Bot }} props */
export function Owned({ bot }) {
  const [found, setFound] = useState(/** @type {{ versions: Version[], logs: MatchLog[] } | null} */ (null));
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  const look = async () => {
    const [{ items: versions }, { items: logs }] = await Promise.all([ask(`/api/v1/bots/${bot.id}/versions`), ask(`/api/v1/bots/${bot.id}/logs`)]);
    setFound({ versions, logs });
  };
  useEffect(() => void look().catch((error) => setProblem(messageOf(error))), []);
  if (!found) return html`<section class="private waiting"><${Problem} text=${problem} /></section>`;
  return html`
    <section class="private" aria-label="For the owner">
      <div class="head"><h2>For the owner</h2><p class="muted small">Only the owner and administrators see this section.</p><a class="button aside" href=${`/submit?bot=${bot.id}`}>New version</a></div>
      <${Problem} text=${problem} />
      <h3>Uploaded versions</h3>
      <${Versions} bot=${bot} versions=${found.versions} look=${look} />
      ${found.versions.length > 0 && html`<h3>Error output by match</h3><${Logs} logs=${found.logs} />`}
      <h3>Settings</h3>
      <${Settings} bot=${bot} />
    </section>
  `;
}
