// SPDX-License-Identifier: GPL-3.0-or-later
// The webhooks of an account: register an address, send a test, and list its deliveries.

import { ConfirmedButton, Form } from "../accounts/forms.js";
import { post, Refusal } from "../accounts/requests.js";
import { Secret } from "../accounts/tokens.js";
import { moment } from "../format.js";
import { translatedSentence } from "../sentences.js";
import "../shell.js";
import { inContext, t, translated } from "../texts.js";
import { ask, firstData, html, messageOf, show, useState } from "../view.js";

/** @typedef {Api.AnswerTo<"/api/v1/account/webhooks">["items"][number]} Webhook */
/** @typedef {Api.AnswerTo<`/api/v1/account/webhooks/${number}/deliveries`>} Deliveries */
/** @type {{ webhooks: Api.AnswerTo<"/api/v1/account/webhooks">, events: string[], games: Api.AnswerTo<"/api/v1/games"> }} */
const first = firstData();

/** @type {Record<string, string>} */
const EVENTS = {
  "match.over": t`A match has ended: a match of your bots, or of the bot or tournament whose number you give.`,
  "tournament.over": t`A tournament has ended.`,
  "bot.quarantined": t`One of your bots is in quarantine.`,
  "version.accepted": t`A version that you uploaded is accepted.`,
  "version.rejected": t`A version that you uploaded is rejected.`,
};

/** @type {import("../accounts/forms.js").FieldDeclaration[]} */
const FIELDS = [
  { name: "url", label: t`Address`, plain: true, autocomplete: "off", most: 500, hint: t`For example, https://example.org/hook. The address must be public.` },
  { name: "bot", label: t`Number of a bot`, plain: true, autocomplete: "off", optional: true, most: 15, hint: t`Only events of this bot.` },
  { name: "tournament", label: t`Number of a tournament`, plain: true, autocomplete: "off", optional: true, most: 15, hint: t`Only events of this tournament.` },
  { name: "game", label: t`Game`, kind: "select", optional: true, choices: [["", t`All games`], ...first.games.items.map((game) => /** @type {[string, string]} */ ([game.name, translated(game.title)]))] },
];

/**
 * The filters of a webhook, in words.
 * @param {Webhook} hook
 */
const filters = (hook) => [hook.bot && t`bot ${hook.bot}`, hook.tournament && t`tournament ${hook.tournament}`, hook.game].filter(Boolean).join(", ");

/** @param {{ hook: Webhook }} props */
const State = ({ hook }) =>
  hook.disabled === null
    ? hook.failures > 0 ? html`<span class="loss">${hook.failures} failed attempts in a row</span>` : html`<span class="win">● enabled</span>`
    : html`<span class="muted">disabled</span> <span class="loss small foreign">${translatedSentence(hook.reason)}</span>`;

/** @param {{ deliveries: Deliveries }} props */
const Log = ({ deliveries }) => html`
  ${deliveries.items.length === 0
    ? html`<p class="muted" id="log">No deliveries yet.</p>`
    : html`<div class="scroll surface"><table class="rows" id="log">
        <thead><tr><th>Event</th><th>State</th><th class="number">Attempts</th><th class="wide number">Status</th><th class="wide">Problem</th><th class="wide number">${inContext("of an event", "Time")}</th></tr></thead>
        <tbody>${deliveries.items.map((one) => html`<tr key=${one.id}>
          <td class="name">${one.event}</td>
          <td><span class=${one.state === "delivered" ? "win" : one.state === "failed" ? "loss" : "muted"}>${one.state}</span></td>
          <td class="number">${one.attempts}</td>
          <td class="wide number">${one.status ?? "–"}</td>
          <td class="wide muted foreign">${one.problem}</td>
          <td class="wide number muted">${moment(one.created)}</td>
        </tr>`)}</tbody>
      </table></div>`}
`;

/**
 * A webhook with its actions.
 * @param {{ hook: Webhook, secret: string | null, changed: () => Promise<void>, renewed: (secret: string) => void }} props
 */
function Hook({ hook, secret, changed, renewed }) {
  const [deliveries, setDeliveries] = useState(/** @type {Deliveries | null} */ (null));
  const [said, setSaid] = useState("");
  const path = /** @type {const} */ (`/api/v1/account/webhooks/${hook.id}`);
  /** @param {() => Promise<string>} act */
  const act = async (act) => {
    try {
      setSaid(await act());
    } catch (error) {
      setSaid(`✗ ${messageOf(error)}`);
    }
  };
  const list = async () => {
    setDeliveries(await ask(`${path}/deliveries`));
    await changed();
    return "";
  };
  const test = async () => {
    await post(`${path}/test`);
    await list();
    return t`The test is queued. Refresh the deliveries to see its outcome.`;
  };
  const toggle = async () => {
    await post(`${path}/${hook.disabled === null ? "disable" : "enable"}`);
    await changed();
    return "";
  };
  return html`
    <section class="webhook" id=${`webhook-${hook.id}`} aria-label=${t`Webhook ${hook.id}`}>
      <h2>Webhook ${hook.id}</h2>
      <p class="foreign"><bdi>${hook.url}</bdi></p>
      <p class="muted small">${hook.events.join(", ")}${filters(hook) && t` · only ${filters(hook)}`} · since ${moment(hook.created)}</p>
      <p><${State} hook=${hook} /></p>
      <div class="send">
        <button type="button" onClick=${() => act(test)} disabled=${hook.disabled !== null}>Send a test</button>
        <button type="button" onClick=${() => act(list)}>${deliveries ? t`Refresh the deliveries` : t`Show the deliveries`}</button>
        <button type="button" onClick=${() => act(toggle)}>${hook.disabled === null ? t`Disable` : t`Enable`}</button>
        <${ConfirmedButton} label="New secret" named=${t`New secret of webhook ${hook.id}`} title="Replace the secret?" text="The old secret becomes invalid immediately." act=${async () => renewed((await post(`${path}/secret`)).secret)} />
        <${ConfirmedButton} label="Remove" named=${t`Remove webhook ${hook.id}`} title="Remove this webhook?" text=${t`${hook.url} gets no more events, and its deliveries are deleted.`} act=${async () => {
          await post(`${path}/remove`);
          await changed();
        }} />
      </div>
      <p role="status">${said}</p>
      ${secret && html`<${Secret} secret=${secret} title=${t`Secret of webhook ${hook.id}`} note="Copy it now. The server does not show it again." />`}
      ${deliveries && html`<${Log} deliveries=${deliveries} />`}
    </section>
  `;
}

/**
 * The number in a field; undefined for an empty one.
 * @param {string} label
 * @param {string} text
 */
function number(label, text) {
  if (!text.trim()) return undefined;
  if (!/^[1-9][0-9]*$/.test(text.trim())) throw new Error(t`${label} must be a number: the last part of the address of its page.`);
  return Number(text);
}

function Webhooks() {
  const [hooks, setHooks] = useState(first.webhooks.items);
  const [made, setMade] = useState(/** @type {{ id: number, secret: string } | null} */ (null));
  const [chosen, setChosen] = useState(/** @type {string[]} */ (["match.over"]));
  const list = async () => setHooks((await ask("/api/v1/account/webhooks")).items);
  /** @param {Record<string, string>} values */
  const register = async (values) => {
    if (!chosen.length) throw new Error(t`Choose at least one event.`);
    const { webhook, secret } = await post("/api/v1/account/webhooks", {
      url: values.url.trim(),
      events: chosen,
      bot: number(t`The bot`, values.bot),
      tournament: number(t`The tournament`, values.tournament),
      game: values.game || undefined,
    });
    setMade({ id: webhook.id, secret });
    await list();
  };
  return html`
    <div class="head"><h1>Webhooks</h1></div>
    <p class="muted above">The arena sends a signed request to your address when an event happens. Check the signature with the webhook's secret.</p>
    <div class="stack">
      ${hooks.length === 0
        ? html`<div class="empty"><h2>You have no webhooks yet</h2></div>`
        : hooks.map((hook) => html`<${Hook} key=${hook.id} hook=${hook} secret=${made?.id === hook.id ? made.secret : null} changed=${list} renewed=${(/** @type {string} */ secret) => setMade({ id: hook.id, secret })} />`)}
      <section id="register">
        <h2>Add a webhook</h2>
        <${Form} id="new-webhook" fields=${FIELDS} label="Add webhook" send=${register} blamed=${(/** @type {Error} */ error) => (error instanceof Refusal && error.status === 400 ? "url" : null)}>
          <fieldset class="choices">
            <legend>Events</legend>
            ${first.events.map((event) => html`<label key=${event}><input type="checkbox" checked=${chosen.includes(event)} onChange=${() => setChosen(chosen.includes(event) ? chosen.filter((each) => each !== event) : [...chosen, event])} /><span><strong>${event}</strong> <span class="muted">${EVENTS[event]}</span></span></label>`)}
          </fieldset>
        <//>
      </section>
    </div>
  `;
}

show(html`<${Webhooks} />`);
