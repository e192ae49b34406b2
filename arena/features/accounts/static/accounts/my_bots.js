// SPDX-License-Identifier: GPL-3.0-or-later
// The bots of an account, notices about them, and the form that registers a bot which connects by itself.

import { Command } from "../command.js";
import { moment } from "../format.js";
import { socketAddress } from "../root.js";
import { translatedSentence } from "../sentences.js";
import "../shell.js";
import { t, translated } from "../texts.js";
import { ask, firstData, html, show, useState } from "../view.js";
import { Form } from "./forms.js";
import { post, Refusal } from "./requests.js";
import { Secret } from "./tokens.js";

/**
 * @typedef {object} Data
 * @property {Api.AnswerTo<"/api/v1/account/bots">} bots
 * @property {Api.AnswerTo<"/api/v1/account/notices">} notices
 * @property {Record<string, string>} states states of bots by number, where there is more to say than whether they connect
 * @property {[string, string][]} menu address and title of other pages that add bots
 */
/** @type {Data} */
const first = firstData();
const socket = socketAddress("/api/v1/play");

/** @type {import("./forms.js").FieldDeclaration[]} */
const FIELDS = [
  { name: "name", label: t`Bot name`, plain: true, autocomplete: "off", most: 40, hint: t`Everybody sees this name. It cannot change.` },
  { name: "description", label: t`Description`, kind: "area", optional: true, most: 200, hint: t`For example, how the bot chooses its moves.` },
];

/** @typedef {Api.AnswerTo<"/api/v1/account/bots">["items"][number]} OwnBot */

/** @param {{ bots: OwnBot[] }} props */
const Bots = ({ bots }) => html`
  <div class="scroll surface"><table class="rows">
    <thead><tr><th>Bot</th><th>State</th><th class="wide">Description</th><th class="wide number">Added</th></tr></thead>
    <tbody>${bots.map((bot) => html`<tr key=${bot.id}>
      <td class="name"><a href=${`/bots/${bot.id}`} title=${bot.name}>${bot.name}</a></td>
      <td>${first.states[bot.id] ?? (bot.connected ? html`<span class="win">● connected</span>` : html`<span class="muted">not connected</span>`)}</td>
      <td class="wide muted foreign"><bdi>${bot.description}</bdi></td>
      <td class="wide number muted">${moment(bot.created)}</td>
    </tr>`)}</tbody>
  </table></div>
`;

function MyBots() {
  const [bots, setBots] = useState(first.bots.items);
  const [made, setMade] = useState(/** @type {{ id: number, name: string, token: string } | null} */ (null));
  /** @param {Record<string, string>} values */
  const register = async ({ name, description }) => {
    const { bot, token } = await post("/api/v1/bots", { name: name.trim(), ...(description.trim() && { description: description.trim() }) });
    setMade({ id: bot.id, name: bot.name, token });
    setBots((await ask("/api/v1/account/bots")).items);
  };
  return html`
    <div class="head">
      <h1>My bots</h1>
      <p class="aside">${first.menu.map(([path, title]) => html`<a class="button primary" key=${path} href=${path}>${translated(title)}</a>`)}</p>
    </div>
    <div class="stack">
      ${first.notices.items.length > 0 && html`<section id="notices">
        <h2>Notices</h2>
        <ul class="notices surface">${first.notices.items.map((notice, index) => html`<li key=${index}>${notice.bot !== null && html`<strong><a href=${`/bots/${notice.bot}`}>${bots.find(({ id }) => id === notice.bot)?.name ?? t`Bot ${notice.bot}`}</a></strong> `}<span class="foreign">${translatedSentence(notice.text)}${notice.matches.length > 0 && html` (${notice.matches.map((match, place) => html`${place > 0 && ", "}<a href=${`/matches/${match}`}>match ${match}</a>`)})`}</span>${notice.page && html` <a href=${notice.page}>Show</a>`} <span class="muted small">${moment(notice.time)}</span></li>`)}</ul>
      </section>`}
      ${bots.length > 0
        ? html`<section><${Bots} bots=${bots} /></section>`
        : html`<div class="empty"><h2>You have no bots yet</h2><p class="muted">${first.menu.length > 0 ? t`Upload a file and let this server run the bot, or register a bot that runs on your machine and connects to this server.` : t`Register a bot that runs on your machine and connects to this server.`}</p>${first.menu.map(([path, title]) => html`<a class="button" key=${path} href=${path}>${translated(title)}</a>`)}</div>`}
      <section id="register">
        <h2>Register a bot that connects by itself</h2>
        <p class="muted above">Such a bot runs on your machine and opens a WebSocket to this server. <a href="/connect">How to connect a bot</a></p>
        ${made && html`<${Secret} secret=${made.token} title=${t`Token of ${made.name}`}>
          <p>Connect a bot in Python that uses the SDK:</p><${Command} text=${`arena connect mine.py --url ${socket} --token ${made.token}`} />
        <//>`}
        <${Form} id="new-bot" fields=${FIELDS} label="Register bot" send=${register} blamed=${(/** @type {Error} */ error) => (error instanceof Refusal && [400, 409].includes(error.status) ? "name" : null)} />
      </section>
    </div>
  `;
}

show(html`<${MyBots} />`);
