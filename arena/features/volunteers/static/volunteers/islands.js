// SPDX-License-Identifier: GPL-3.0-or-later
// Islands on volunteers' machines: their state and curves, migrations of genomes, verifications, refused reports.

import { usePolling } from "../asking.js";
import { ARENA } from "../root.js";
import { added, Verifications, Nodes, Refusals, Score } from "./claims.js";
import { Command } from "../command.js";
import { ago, count, moment, percent, titlesOf } from "../format.js";
import { Gifts, Migrations } from "./migrations.js";
import { Program } from "../genomes/program.js";
import { Progress } from "./progress.js";
import { translatedSentence } from "../sentences.js";
import "../shell.js";
import { t } from "../texts.js";
import { ask, firstData, html, show, useEffect, useState } from "../view.js";

/** @type {{ games: Api.GamesAnswer, islands: Api.IslandsAnswer, migrations: Api.MigrationsAnswer, verifications: Api.VerificationsAnswer }} */
const first = firstData();
const titles = titlesOf(first.games.items);
const EVERY = 3000; // ms between two looks,
const EACH = 20; // ms per island; the longer of the two pauses applies, because a long list costs the server more
const CURVES = 6; // islands whose curves are drawn
const LISTED = 10; // migrations and verifications that have a row
const ROWS = 100; // islands that have a row at first

/**
 * How an island stands, in a word.
 * @param {{ island: Api.IslandAnswer }} props
 */
function State({ island }) {
  if (island.quarantined) return html`<span class="loss" title=${translatedSentence(island.quarantined.why)}>✗ quarantined</span>`;
  if (!island.seen) return html`<span class="muted">${island.game ? t`joined, no report yet` : t`not joined yet`}</span>`;
  if (!island.live) return html`<span class="muted" title=${moment(island.seen)}>offline, ${ago(island.seen)}</span>`;
  return html`<span class="win">● online</span>`;
}

/** @param {{ island: Api.IslandAnswer }} props */
function Row({ island }) {
  const { best, confirmed, waiting, refusals } = island;
  const refused = Object.values(refusals).reduce((sum, times) => sum + times, 0);
  return html`
    <tr>
      <td class="name"><a href=${`/islands/${island.id}`} title=${island.name}>${island.name}</a></td>
      <td class="state"><${State} island=${island} /></td>
      <td class="wide muted">${island.game ? (titles[island.game] ?? island.game) : "–"}</td>
      <td class="wide number">${best ? count(island.generation) : "–"}</td>
      <td class="wide number" title="Search depth of the opponent, in plies">${best ? island.level : "–"}</td>
      <td class="number">${best ? html`<${Score} of=${best} />` : "–"}</td>
      <td class="number">${confirmed ? html`<${Score} of=${confirmed} /> <span class="wide muted small">at depth ${confirmed.level}</span>` : html`<span class="muted">${waiting ? t`pending` : "–"}</span>`}</td>
      <td class="wide number"><${Nodes} own=${(confirmed ?? best)?.nodes_per_move} rival=${confirmed?.rival_nodes_per_move} /></td>
      <td class="wide number muted">${count(island.given)} / ${count(island.taken)}</td>
      <td class="wide number">${refused ? html`<span class="loss">${count(refused)}</span>` : html`<span class="muted">0</span>`}</td>
    </tr>`;
}

/**
 * Order: online islands first, then by the search depth of the rival, then by the claimed score.
 * @param {Api.IslandAnswer[]} islands
 */
const ranked = (islands) => [...islands].sort((one, other) => Number(other.live) - Number(one.live) || other.level - one.level || (other.best?.score ?? 0) - (one.best?.score ?? 0));

/**
 * The islands whose curves are drawn.
 * @param {Api.IslandAnswer[]} islands
 */
const drawn = (islands) => ranked(islands).filter(({ best, quarantined }) => best && !quarantined).slice(0, CURVES);

/**
 * The island whose best did most in the arena's own games.
 * @param {Api.IslandAnswer[]} islands
 */
function leading(islands) {
  const proven = islands.flatMap((island) => (island.confirmed && !island.quarantined ? [{ island, confirmed: island.confirmed }] : []));
  return proven.sort(({ confirmed: one }, { confirmed: other }) => other.level - one.level || other.score - one.score).at(0);
}

/**
 * What the best of all that held looks like.
 * @param {{ best: Api.IslandAnswer, confirmed: Api.ProvenAnswer, view?: Api.GenomeView | null }} props
 */
function Champion({ best, confirmed, view }) {
  return html`
    <section id="champion">
      <h2>The best verified program</h2>
      <p class="muted played"><a href=${`/islands/${best.id}`}>${best.name}</a>: ${percent(confirmed.score)} of ${count(confirmed.games)} games against f-negascout-${confirmed.level}, with ${count(Math.round(confirmed.nodes_per_move))} nodes per move; the opponent used ${count(Math.round(confirmed.rival_nodes_per_move))}.</p>
      <div class="surface">${view ? html`<${Program} key=${view.formula} formula=${view.formula} program=${view.program} />` : html`<p class="program"><code>${confirmed.formula}</code></p>`}</div>
    </section>`;
}

/** @param {{ terms: Api.IslandTerms[] }} props */
function Joining({ terms }) {
  return html`
    <p class="muted">An island is a population that evolves on a volunteer's machine. An operator of the arena creates its token with the first command; the second command starts the island.${terms.length > 0 && t` Limits: ${terms.map(({ game, nodes }) => t`${titles[game] ?? game} with ${count(nodes)} nodes per move`).join(", ")}.`}</p>
    <${Command} text=${"arena islands add NAME"} />
    <${Command} text=${`arena evolve --join ${ARENA} --token TOKEN --game ${terms[0]?.game ?? "chess"}`} />`;
}

/** All islands: the API lists them in pages. */
async function allIslands() {
  const found = await ask("/api/v1/islands?limit=500");
  for (let next = found.next; next; ) {
    const page = await ask(`/api/v1/islands?limit=500&after=${encodeURIComponent(next)}`);
    found.items.push(...page.items);
    next = page.next;
  }
  return found;
}

function Islands() {
  const [found, setFound] = useState({ islands: first.islands, migrations: first.migrations, verifications: first.verifications });
  const [details, setDetails] = useState(/** @type {Record<number, Api.IslandDetailAnswer>} */ ({}));
  const [rows, setRows] = useState(ROWS);
  const { islands: { items: islands, terms, strangers }, migrations: { items: migrations }, verifications: { items: verifications } } = found;
  const curves = drawn(islands);
  const champion = leading(islands);
  /** @param {Api.IslandAnswer[]} islands */
  const detail = async (islands) => {
    const wanted = new Set([...drawn(islands), leading(islands)?.island].flatMap((island) => (island ? [island.id] : [])));
    setDetails(Object.fromEntries(await Promise.all([...wanted].map(async (id) => [id, await ask(`/api/v1/islands/${id}`)]))));
  };
  useEffect(() => void detail(islands).catch(() => {}), []); // a later look may reach them
  usePolling(
    async () => {
      const [islands, migrations, verifications] = await Promise.all([allIslands(), ask("/api/v1/migrations?limit=200"), ask("/api/v1/verifications")]);
      setFound({ islands, migrations, verifications });
      await detail(islands.items);
    },
    { every: () => Math.max(EVERY, EACH * islands.length) },
  );
  const live = islands.filter(({ live }) => live).length;
  return html`
    <div class="head">
      <h1>Islands</h1>
      <p class="muted"><span id="live">${count(live)} online</span> of ${count(islands.length)} · <a href="/populations">populations</a></p>
    </div>
    ${islands.length
      ? html`<div class="stack">
          <section>
            <div class="scroll surface"><table class="islands">
              <thead><tr>
                <th>Island</th><th>State</th><th class="wide">Game</th><th class="wide number">Generation</th><th class="wide number" title="Search depth of the opponent, in plies">Opponent</th><th class="number" title="Score that the island reports for its best genome">Claimed</th>
                <th class="number" title="Score in the arena's own games">Verified</th><th class="wide number" title="Nodes per move, and their ratio to the opponent's">Nodes</th><th class="wide number" title="Genomes given to other islands, and received from them">Given / received</th><th class="wide number" title="Refused reports">Refused</th>
              </tr></thead>
              <tbody>${ranked(islands).slice(0, rows).map((island) => html`<${Row} key=${island.id} island=${island} />`)}</tbody>
            </table></div>
            ${islands.length > rows && html`<p><button onClick=${() => setRows(islands.length)}>All ${count(islands.length)} islands</button></p>`}
          </section>
          ${champion && html`<${Champion} best=${champion.island} confirmed=${champion.confirmed} view=${details[champion.island.id]?.genome_view} />`}
          ${curves.length > 0 && html`<section><h2>Progress</h2><div class="plot-cards">${curves.map(
            (island) => html`<section key=${island.id} class="surface plot-card">
              <h2><a class="ellipsis" href=${`/islands/${island.id}`} title=${island.name}>${island.name}</a></h2>
              <p class="muted small ellipsis" title=${island.best?.formula}><code>${island.best?.formula}</code></p>
              ${details[island.id]?.course.length > 0 && html`<${Progress} course=${details[island.id].course} name=${island.name} />`}
            </section>`,
          )}</div></section>`}
          <section><h2>Migrations</h2><${Migrations} islands=${islands} migrations=${migrations} /></section>
          ${migrations.length > 0 && html`<section><h2>Newest migrations</h2><${Gifts} migrations=${migrations.slice(0, LISTED)} /></section>`}
          <section><h2>Verifications</h2><${Verifications} verifications=${verifications.slice(0, LISTED)} /></section>
          <section id="refusals"><h2>Refused reports</h2><${Refusals} counts=${added([strangers, ...islands.map(({ refusals }) => refusals)])} /></section>
          <section><h2>Join</h2><${Joining} terms=${terms} /></section>
        </div>`
      : html`<div class="empty"><h2>No islands yet</h2><${Joining} terms=${terms} /></div>`}
  `;
}

show(html`<${Islands} />`);
