// SPDX-License-Identifier: GPL-3.0-or-later
// An island: its state, its course, its best program, its verifications and migrations.

import { usePolling } from "../asking.js";
import { ARENA } from "../root.js";
import { Verifications, Nodes, Refusals, Score } from "./claims.js";
import { Command } from "../command.js";
import { GenomeView } from "../genomes/genome_view.js";
import { ago, count, moment } from "../format.js";
import { Gifts } from "./migrations.js";
import { Progress } from "./progress.js";
import { translatedSentence } from "../sentences.js";
import "../shell.js";
import { plural, t, translated } from "../texts.js";
import { ask, firstData, html, show, useState } from "../view.js";

/** @type {{ games: Api.GamesAnswer, island: Api.IslandDetailAnswer, migrations: Api.MigrationsAnswer }} */
const first = firstData();
const LISTED = 20; // migrations that have a row

/** @param {{ island: Api.IslandDetailAnswer }} props */
function State({ island: { game, seen, live, quarantined } }) {
  if (quarantined) return html`<strong class="loss">✗ quarantined</strong>`;
  if (!seen) return game ? t`joined, no report yet` : t`has not joined yet`;
  return live ? html`<span class="win">● online</span>` : html`<span title=${moment(seen)}>offline, last report ${ago(seen)}</span>`;
}

/**
 * Why nothing of an island spreads, and what an operator can do.
 * @param {{ name: string, quarantined: Api.QuarantineAnswer }} props
 */
function Quarantine({ name, quarantined }) {
  return html`
    <div class="empty" role="note">
      <h2 class="loss">In quarantine since ${moment(quarantined.since)}</h2>
      <p>${translatedSentence(quarantined.why)}</p>
      <p class="muted">Its genomes do not go to other islands. An operator can lift the quarantine:</p>
      <${Command} text=${`arena islands lift ${/^[\w-]+$/.test(name) ? name : JSON.stringify(name)}`} />
    </div>`;
}

/**
 * The claimed score beside the verified score.
 * @param {{ island: Api.IslandDetailAnswer }} props
 */
function Standing({ island: { best, confirmed, waiting } }) {
  /** @type {[string, (Api.ClaimAnswer & Partial<Api.ProvenAnswer>) | null][]} */
  const rows = [[t`Claimed`, best], [t`Verified in the arena's own games`, confirmed]];
  if (!best && !confirmed) return null;
  return html`
    <div class="scroll surface"><table>
      <thead><tr><th>Best genome</th><th class="number">Score</th><th class="number" title="Search depth of the opponent, in plies">Opponent</th><th class="number" title="Nodes per move, and their ratio to the opponent's">Nodes</th><th class="wide">Program</th></tr></thead>
      <tbody>${rows.map(([title, row]) => row && html`<tr key=${title}>
        <td>${title}</td><td class="number"><${Score} of=${row} /></td><td class="number">${row.level}</td>
        <td class="number"><${Nodes} own=${row.nodes_per_move} rival=${row.rival_nodes_per_move} /></td>
        <td class="wide formula-cell"><code class="ellipsis" title=${row.formula}>${row.formula}</code></td>
      </tr>`)}</tbody>
    </table></div>
    ${waiting && html`<p class="muted small" id="waiting">Its claim waits for verification.</p>`}`;
}

/**
 * A view in which the verified player has its name in the language of the page.
 * @param {Api.GenomeView} view
 */
const inWords = (view) => ({
  ...view,
  search_traces: view.search_traces?.map((trace) => ({
    ...trace,
    searches: trace.searches.map((search) => (search.name === "this program" ? { ...search, name: t`this program` } : search)),
  })),
});

function Island() {
  const [island, setIsland] = useState(first.island);
  const [migrations, setMigrations] = useState(first.migrations.items);
  usePolling(async () => {
    setIsland(await ask(`/api/v1/islands/${first.island.id}`));
    setMigrations((await ask("/api/v1/migrations?limit=200")).items);
  });
  const own = migrations.filter(({ giver, taker }) => giver === island.id || taker === island.id).slice(0, LISTED);
  const game = first.games.items.find(({ name }) => name === island.game);
  const about = [translated(game?.title ?? island.game ?? ""), island.size != null && plural(island.size, "{0} member", "{0} members"), island.seed != null && t`seed ${island.seed}`, island.client].filter(Boolean).join(" · ");
  return html`
    <div class="head">
      <h1 class="ellipsis" title=${island.name}><bdi>${island.name}</bdi></h1>
      <p class="muted"><${State} island=${island} />${about && ` · ${about}`}${island.best && html` · <span id="generation">generation ${count(island.generation)}</span>, ${count(island.games)} games`}</p>
    </div>
    <div class="stack">
      ${island.quarantined && html`<${Quarantine} name=${island.name} quarantined=${island.quarantined} />`}
      <section><${Standing} island=${island} /></section>
      ${island.course.length > 0
        ? html`<section class="surface plot-card"><h2>Progress</h2><${Progress} course=${island.course} name=${island.name} /></section>`
        : html`<div class="empty"><h2>No report yet</h2><p class="muted">Its progress appears here after its first generation.</p><${Command} text=${`arena evolve --join ${ARENA} --token TOKEN`} /></div>`}
      ${island.genome_view && html`<section><h2>${island.confirmed ? t`Best verified genome` : t`Best genome, not verified`}</h2><${GenomeView} view=${inWords(island.genome_view)} game=${game} /></section>`}
      <section><h2>Verifications</h2><${Verifications} verifications=${island.verifications} named=${false} /></section>
      ${own.length > 0 && html`<section><h2>Migrations</h2><${Gifts} migrations=${own} /></section>`}
      <section id="refusals"><h2>Refused reports</h2><${Refusals} counts=${island.refusals} />${island.repeated > 0 && html`<p class="muted small">${count(island.repeated)} repeated reports, which changed nothing.</p>`}</section>
    </div>
  `;
}

show(html`<${Island} />`);
