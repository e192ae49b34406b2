// SPDX-License-Identifier: GPL-3.0-or-later
// The list of bots. Its order and filters are in the address.

import { Command } from "../command.js";
import { moment } from "../format.js";
import { More, useList } from "../lists.js";
import { visit } from "../root.js";
import { betweenLinks } from "../rows.js";
import "../shell.js";
import { t } from "../texts.js";
import { ask, firstData, html, show } from "../view.js";

/**
 * What the list is asked for.
 * @typedef {{ name: string, status: "all" | "connected", sort: "added" | "name" | "kind" | "status", reverse: boolean, limit: number, after: string | null }} Asked
 */

/** @type {{ asked: Asked, bots: Api.BotsAnswer }} */
const { asked, bots: first } = firstData();

/** @type {Record<string, string>} */
const KINDS = { "built-in": t`Built-in bot`, person: t`Person`, own: t`Bot` };
/** @type {Partial<Asked>} */
const USUAL = { status: "all", sort: "status", limit: 100 };

/**
 * The parameters after ``changed``, without default values; a change goes back to the first page.
 * @param {Partial<Asked>} changed
 */
function queryOf(changed) {
  const query = Object.entries({ ...asked, after: null, ...changed }).filter(([name, value]) => value && value !== USUAL[/** @type {keyof Asked} */ (name)]);
  return new URLSearchParams(query.map(([name, value]) => [name, String(value)])).toString();
}

/** @param {Partial<Asked>} changed */
function address(changed) {
  const query = queryOf(changed);
  return query ? `/bots?${query}` : "/bots";
}

/** @param {Api.BotsAnswer["items"][number]} bot */
const statusOf = (bot) => (bot.removed ? t`removed` : bot.connected ? html`<span class="win">${t`● connected`}</span>` : t`not connected`);

/**
 * The head of a column: a link to the list in its order; to the reverse order if it is in this order.
 * @param {{ by: Asked["sort"], kind?: string, children?: any }} props
 */
function Head({ by, kind, children }) {
  const chosen = asked.sort === by;
  const reverse = chosen && !asked.reverse;
  return html`<th class=${kind} aria-sort=${chosen ? (asked.reverse ? "descending" : "ascending") : null}>
    <a class="sort" href=${address({ sort: by, reverse })}>${children}${chosen && html`<span aria-hidden="true">${asked.reverse ? " ▼" : " ▲"}</span>`}</a>
  </th>`;
}

function Filters() {
  /** @param {Event & { currentTarget: HTMLFormElement }} event */
  const submit = (event) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    visit(address({ name: String(data.get("name")).trim(), status: /** @type {Asked["status"]} */ (data.get("status")) }));
  };
  return html`
    <form class="filters" role="search" action="/bots" onSubmit=${submit}>
      <input type="search" name="name" aria-label="Name of a bot" placeholder="Name" maxlength="100" value=${asked.name} />
      <select name="status" aria-label="Status" onChange=${(/** @type {Event & { currentTarget: HTMLSelectElement }} */ event) => event.currentTarget.form?.requestSubmit()}>
        <option value="all" selected=${asked.status === "all"}>All bots</option>
        <option value="connected" selected=${asked.status === "connected"}>Connected</option>
      </select>
      <button type="submit">Filter</button>
    </form>
  `;
}

const Empty = () =>
  asked.name || asked.status !== "all"
    ? html`<div class="empty"><h2>No bot passes the filters</h2><p><a class="button" href=${address({ name: "", status: "all" })}>Remove all filters</a></p></div>`
    : html`<div class="empty">
        <h2>No bots yet</h2>
        <p class="muted">Add a bot and get its token:</p>
        <${Command} text=${"arena bots add my-bot"} />
      </div>`;

const walk = betweenLinks("td.name a");

function Bots() {
  const list = useList(first, (after) => ask(/** @type {"/api/v1/bots"} */ (`/api/v1/bots?${new URLSearchParams({ sort: asked.sort, ...Object.fromEntries(new URLSearchParams(queryOf({}))), after })}`)));
  return html`
    <div class="head">
      <h1>Bots</h1>
    </div>
    <${Filters} />
    ${list.items.length
      ? html`<div class="scroll surface"><table class="bots" onKeyDown=${walk}>
          <thead><tr>
            <${Head} by="name">Name<//><${Head} by="status">Status<//><${Head} by="kind" kind="wide">Kind<//>
            <th class="wide">Description</th><${Head} by="added" kind="wide number">Added<//>
          </tr></thead>
          <tbody>${list.items.map(
            (bot) => html`<tr key=${bot.id}>
              <td class="name"><a href=${`/bots/${bot.id}`} title=${bot.name}>${bot.name}</a></td>
              <td class="muted">${statusOf(bot)}</td>
              <td class="wide muted">${KINDS[bot.kind]}</td>
              <td class="wide muted ellipsis" title=${bot.description}><bdi>${bot.description}</bdi></td>
              <td class="wide number muted">${moment(bot.created)}</td>
            </tr>`,
          )}</tbody>
        </table></div>`
      : html`<${Empty} />`}
    <${More} list=${list} />
  `;
}

show(html`<${Bots} />`);
