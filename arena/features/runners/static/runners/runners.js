// SPDX-License-Identifier: GPL-3.0-or-later
// Administration of runners: the machines that host bots for the arena.

import { Administration } from "../accounts/administration.js";
import { ConfirmedButton, Form } from "../accounts/forms.js";
import { post } from "../accounts/requests.js";
import { Secret } from "../accounts/tokens.js";
import { count, fixed, large, moment } from "../format.js";
import { Ago } from "../parts.js";
import { ARENA } from "../root.js";
import { plural, t } from "../texts.js";
import { every } from "../time.js";
import { ask, firstData, html, show, useEffect, useState } from "../view.js";

/** @typedef {Api.AnswerTo<"/api/v1/runners">} Answer */
/** @typedef {Answer["items"][number]} Runner */
/** @typedef {NonNullable<Runner["connection"]>} Connection */
/** @type {{ menu: [string, string][], runners: Answer }} */
const { menu, runners: first } = firstData();

/** Milliseconds between two looks. */
const PACE = 3000;
const GIB = 2 ** 30;

/** @type {import("../accounts/forms.js").FieldDeclaration[]} */
const FIELDS = [{ name: "name", label: t`Name`, most: 40, autocomplete: "off", plain: true, hint: t`For example, the name of the machine.` }];

/** @param {Connection} connection */
const state = ({ state, compiling }) =>
  ({ playing: t`Playing`, preparing: compiling ? t`Compiling ${compiling}` : t`Preparing`, stopping: t`Stopping`, unconnected: t`Its bots do not connect` })[state];

/** @param {{ runner: Runner, remove: () => Promise<unknown> }} props */
function Row({ runner, remove }) {
  const { name, seen, connection } = runner;
  const bots = connection ? [...connection.built_in, ...connection.uploaded] : [];
  return html`<tr>
    <td class="name"><span class="ellipsis" title=${name}>${name}</span></td>
    ${connection
      ? html`
        <td>${state(connection)}</td>
        <td class="number">${t`${count(connection.free)} of ${count(connection.cores)} free`}</td>
        <td class="wide number">${fixed(connection.memory / GIB, 1)} GiB</td>
        <td class="wide number">${large(connection.speed)}</td>
        <td class="number" title=${bots.join(", ")}>${plural(bots.length, "{0} bot", "{0} bots")}</td>
        <td class="wide muted" title=${`${connection.address}, ${connection.platform}, ${moment(connection.since)}`}><${Ago} time=${connection.since} /></td>`
      : html`
        <td class="muted">${seen === null ? t`Never connected` : html`<span title=${moment(seen)}>${t`Not connected`}</span>`}</td>
        <td class="number muted">–</td><td class="wide number muted">–</td><td class="wide number muted">–</td><td class="number muted">–</td><td class="wide muted">–</td>`}
    <td class="act"><${ConfirmedButton} label="Remove" named=${t`Remove ${name}`} title="Remove this runner?" text=${t`The token of “${name}” is revoked. Its bots are hosted elsewhere.`} act=${remove} /></td>
  </tr>`;
}

function Runners() {
  const [runners, setRunners] = useState(first.items);
  const [made, setMade] = useState(/** @type {{ name: string, token: string } | null} */ (null));
  const list = async () => setRunners((await ask("/api/v1/runners")).items);
  useEffect(() => every(PACE, () => list().catch(() => {})), []);
  /** @param {Record<string, string>} values */
  const add = async ({ name }) => {
    setMade(await post("/api/v1/runners", { name: name.trim() }));
    await list();
  };
  /** @param {Runner} runner */
  const remove = async ({ name }) => {
    await post("/api/v1/runners/remove", { name });
    await list();
  };
  const hosted = runners.reduce((sum, { connection }) => sum + (connection ? connection.built_in.length + connection.uploaded.length : 0), 0);
  return html`
    <${Administration} menu=${menu}>
      <section>
        <h2>Runners</h2>
        <p class="muted above">Machines that host bots for the arena. ${hosted > 0 ? plural(hosted, "{0} bot plays on them.", "{0} bots play on them.") : t`None of them hosts a bot now: the server does.`}</p>
        ${runners.length > 0
          ? html`<div class="scroll surface"><table class="rows" id="runners">
              <thead><tr><th>Runner</th><th>State</th><th class="number" title=${t`Free cores, and all cores that the arena uses`}>Cores</th><th class="wide number">Memory</th><th class="wide number" title=${t`Nodes per second of a fixed search on one core`}>Nodes/s</th><th class="number">Bots</th><th class="wide">Since</th><th class="act"><span class="visually-hidden">Action</span></th></tr></thead>
              <tbody>${runners.map((runner) => html`<${Row} key=${runner.id} runner=${runner} remove=${() => remove(runner)} />`)}</tbody>
            </table></div>`
          : html`<div class="empty"><h2>No runners</h2><p class="muted">Add a runner below, then start it on another machine with its token.</p></div>`}
      </section>
      <section>
        <h2>Add a runner</h2>
        ${made && html`<${Secret} secret=${`arena runner --url ${ARENA} --token ${made.token}`} title=${t`New runner: ${made.name}`} note=${t`Run this command on the machine, which needs the same version of Bot Arena. The token is shown only now. Everybody who has it can get the tokens of bots and the code that people upload.`} />`}
        <${Form} id="add-runner" fields=${FIELDS} label="Add runner" send=${add} kind="form in-line" />
      </section>
    <//>
  `;
}

show(html`<${Runners} />`);
