// SPDX-License-Identifier: GPL-3.0-or-later
// An island: its state, its course, its best program, its verifications and migrations.

import { usePolling } from "../asking.js";
import { Exams, Nodes, Refusals, Score } from "./claims.js";
import { Command } from "../command.js";
import { GenomeView } from "../genomes/genome_view.js";
import { ago, count, moment } from "../format.js";
import { Gifts } from "./migrations.js";
import { Progress } from "./progress.js";
import "../shell.js";
import { ask, firstData, html, show, useState } from "../view.js";

/** @type {{ games: Api.GamesAnswer, deme: Api.DemeDetailAnswer, migrations: Api.MigrationsAnswer }} */
const first = firstData();
const LISTED = 20; // migrations that have a row

/** @param {{ deme: Api.DemeDetailAnswer }} props */
function State({ deme: { game, seen, live, quarantined } }) {
  if (quarantined) return html`<strong class="loss">✗ quarantined</strong>`;
  if (!seen) return game ? "joined, no report yet" : "has not joined yet";
  return live ? html`<span class="win">● online</span>` : html`<span title=${moment(seen)}>offline, last report ${ago(seen)}</span>`;
}

/**
 * Why nothing of a deme spreads, and what an operator can do.
 * @param {{ name: string, quarantined: Api.QuarantineAnswer }} props
 */
function Quarantine({ name, quarantined }) {
  return html`
    <div class="empty" role="note">
      <h2 class="loss">In quarantine since ${moment(quarantined.since)}</h2>
      <p>${quarantined.why}</p>
      <p class="muted">Its genomes do not go to other islands. An operator can lift the quarantine:</p>
      <${Command} text=${`arena islands lift ${/^[\w-]+$/.test(name) ? name : JSON.stringify(name)}`} />
    </div>`;
}

/**
 * The claimed score beside the verified score.
 * @param {{ deme: Api.DemeDetailAnswer }} props
 */
function Standing({ deme: { best, confirmed, waiting } }) {
  /** @type {[string, (Api.ClaimAnswer & Partial<Api.ProvenAnswer>) | null][]} */
  const rows = [["Claimed", best], ["Verified in the arena's own games", confirmed]];
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

function Deme() {
  const [deme, setDeme] = useState(first.deme);
  const [migrations, setMigrations] = useState(first.migrations.items);
  usePolling(async () => {
    setDeme(await ask(`/api/v1/islands/${first.deme.id}`));
    setMigrations((await ask("/api/v1/migrations?limit=200")).items);
  });
  const own = migrations.filter(({ giver, taker }) => giver === deme.id || taker === deme.id).slice(0, LISTED);
  const game = first.games.items.find(({ name }) => name === deme.game);
  const about = [game?.title ?? deme.game, deme.size != null && `${count(deme.size)} members`, deme.seed != null && `seed ${deme.seed}`, deme.client].filter(Boolean).join(" · ");
  return html`
    <div class="head">
      <h1 class="ellipsis" title=${deme.name}><bdi>${deme.name}</bdi></h1>
      <p class="muted"><${State} deme=${deme} />${about && ` · ${about}`}${deme.best && html` · <span id="generation">generation ${count(deme.generation)}</span>, ${count(deme.games)} games`}</p>
    </div>
    <div class="stack">
      ${deme.quarantined && html`<${Quarantine} name=${deme.name} quarantined=${deme.quarantined} />`}
      <section><${Standing} deme=${deme} /></section>
      ${deme.course.length > 0
        ? html`<section class="surface plot-card"><h2>Course</h2><${Progress} course=${deme.course} name=${deme.name} /></section>`
        : html`<div class="empty"><h2>No report yet</h2><p class="muted">Its course appears here after its first generation.</p><${Command} text=${`arena evolve --join ${location.origin} --token TOKEN`} /></div>`}
      ${deme.genome_view && html`<section><h2>${deme.confirmed ? "Best verified genome" : "Best genome, not verified"}</h2><${GenomeView} view=${deme.genome_view} game=${game} /></section>`}
      <section><h2>Verifications</h2><${Exams} exams=${deme.exams} named=${false} /></section>
      ${own.length > 0 && html`<section><h2>Migrations</h2><${Gifts} migrations=${own} /></section>`}
      <section id="refusals"><h2>Refused reports</h2><${Refusals} counts=${deme.refusals} />${deme.repeated > 0 && html`<p class="muted small">${count(deme.repeated)} repeated reports, which changed nothing.</p>`}</section>
    </div>
  `;
}

show(html`<${Deme} />`);
