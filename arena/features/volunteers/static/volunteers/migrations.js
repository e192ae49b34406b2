// SPDX-License-Identifier: GPL-3.0-or-later
// Migrations of genomes: islands in a column, the strongest first, with an arc from each giver to each receiver.

import { targetOf } from "../drawing.js";
import { count, percent } from "../format.js";
import { Ago } from "../parts.js";
import { plural, t } from "../texts.js";
import { html, useRef, useState } from "../view.js";

const ROW = 32; // px
const NAMES = 132; // px in front of the arcs
const WIDTH = 340; // px of the drawing
const MOST = 40; // islands that are drawn

/** @typedef {{ key: string, giver: number, taker: number, giver_name: string, taker_name: string, given: number, arrived: number }} Bundle */

/**
 * Gifts from one island to another, as one.
 * @param {Api.MigrationAnswer[]} migrations
 * @returns {Bundle[]}
 */
function bundled(migrations) {
  /** @type {Map<string, Bundle>} */
  const found = new Map();
  for (const each of migrations) {
    const key = `${each.giver} ${each.taker}`;
    const bundle = found.get(key) ?? { key, giver: each.giver, taker: each.taker, giver_name: each.giver_name, taker_name: each.taker_name, given: 0, arrived: 0 };
    bundle.given += 1;
    bundle.arrived += each.arrived == null ? 0 : 1;
    found.set(key, bundle);
  }
  return [...found.values()];
}

/** @typedef {Partial<Api.IslandAnswer> & { id: number, name: string }} Involved */

/**
 * The search depth of the rival of an island's best genome, and that genome's score.
 * @param {Involved} island
 * @returns {[number, number]}
 */
const worth = ({ confirmed, best, level = 0 }) => [confirmed?.level ?? level, confirmed?.score ?? best?.score ?? 0];

/**
 * Gifts in words.
 * @param {Bundle} bundle
 */
const told = ({ giver_name, taker_name, given, arrived }) => `${giver_name} → ${taker_name}: ${plural(given, "{0} genome", "{0} genomes")}, ${arrived === given && given > 1 ? t`all arrived` : t`${count(arrived)} arrived`}`;

/**
 * The islands that gave or took, as they stand now: the deepest rival first, then the best score.
 * @param {Api.IslandAnswer[]} islands
 * @param {Api.MigrationAnswer[]} migrations
 */
function involved(islands, migrations) {
  /** @type {Map<number, string>} */
  const names = new Map();
  for (const { giver, giver_name, taker, taker_name } of migrations) names.set(giver, giver_name).set(taker, taker_name);
  /** @type {Map<number, Involved>} */
  const known = new Map(islands.map((island) => [island.id, island]));
  return [...names]
    .map(([id, name]) => known.get(id) ?? { id, name })
    .sort((one, other) => {
      const [[a, b], [c, d]] = [worth(one), worth(other)];
      return c - a || d - b || one.id - other.id;
    })
    .slice(0, MOST);
}

/**
 * ``islands`` and ``migrations`` as the API lists them.
 * @param {{ islands: Api.IslandAnswer[], migrations: Api.MigrationAnswer[] }} props
 */
export function Migrations({ islands, migrations }) {
  const [chosen, setChosen] = useState(/** @type {number | null} */ (null));
  const drawing = useRef(/** @type {SVGSVGElement | null} */ (null));
  const shown = involved(islands, migrations);
  if (!shown.length) return html`<p class="muted">When the arena has verified the best genome of an island, weaker islands receive it. These migrations are drawn here.</p>`;
  const rows = new Map(shown.map(({ id }, row) => [id, row]));
  const arcs = bundled(migrations).filter(({ giver, taker }) => rows.has(giver) && rows.has(taker));
  /** @param {number} id */
  const rowOf = (id) => rows.get(id) ?? 0;
  /** @param {number} id */
  const y = (id) => ROW * (rowOf(id) + 0.5);
  const furthest = Math.max(1, ...arcs.map(({ giver, taker }) => Math.abs(rowOf(giver) - rowOf(taker))));
  /** @param {Bundle} bundle */
  const marked = ({ giver, taker }) => giver === chosen || taker === chosen;
  /** @param {number} row */
  const choose = (row) => {
    setChosen(shown[row].id);
    /** @type {NodeListOf<SVGElement> | undefined} */ (drawing.current?.querySelectorAll("[role=option]"))?.[row].focus();
  };
  /** @param {KeyboardEvent} event */
  const keys = (event) => {
    const row = chosen == null ? 0 : rowOf(chosen);
    const next = targetOf(event, { ArrowDown: row + 1, ArrowUp: row - 1, Home: 0, End: shown.length - 1 });
    if (next != null && next >= 0 && next < shown.length) choose(next);
  };
  const listed = chosen == null ? [] : arcs.filter(marked);
  return html`
    <div class="surface migrations">
      <svg ref=${drawing} role="listbox" aria-label="Migrations of genomes between islands" viewBox=${`0 0 ${WIDTH} ${ROW * shown.length}`} width=${WIDTH} onKeyDown=${keys}>
        <defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0 L8 4 L0 8 Z" /></marker></defs>
        ${arcs.map((arc) => {
          const [from, to] = [y(arc.giver), y(arc.taker)];
          // gifts from weaker ones, which lead up, keep clear of those that lead down
          const bulge = (from < to ? 1 : 0.6) * (24 + ((WIDTH - NAMES - 40) * Math.abs(rowOf(arc.giver) - rowOf(arc.taker))) / furthest);
          return html`<path key=${arc.key} class=${`arc ${arc.arrived ? "" : "offered"} ${chosen == null ? "" : marked(arc) ? "marked" : "faded"}`}
            d=${`M${NAMES + 8} ${from} C${NAMES + bulge} ${from} ${NAMES + bulge} ${to} ${NAMES + 10} ${to}`} stroke-width=${Math.min(6, 1 + Math.sqrt(arc.given) / 2)} marker-end="url(#arrow)"><title>${told(arc)}</title></path>`;
        })}
        ${shown.map((island, row) => html`
          <g key=${island.id} role="option" aria-selected=${island.id === chosen} aria-label=${island.name} tabindex=${island.id === (chosen ?? shown[0].id) ? 0 : -1} class=${`island ${island.id === chosen ? "chosen" : ""} ${island.live ? "live" : ""} ${island.quarantined ? "shut" : ""}`} onClick=${() => setChosen(island.id)} onFocus=${() => setChosen(island.id)}>
            <title>${island.name}</title>
            <rect x="1" y=${ROW * row + 2} width=${NAMES - 1} height=${ROW - 4} rx="4" />
            <circle cx=${NAMES} cy=${y(island.id)} r="5" />
            <text x=${NAMES - 12} y=${y(island.id) + 5}>${island.name.length > 15 ? `${island.name.slice(0, 14)}…` : island.name}</text>
          </g>`)}
      </svg>
      <div class="told" aria-live="polite">
        ${chosen == null
          ? html`<p class="muted small">The strongest islands are at the top. An arc leads from the giver to the receiver; it is dashed until a genome has arrived. Select an island to see its migrations.</p>`
          : html`<p><a href=${`/islands/${chosen}`}>${shown[rowOf(chosen)]?.name}</a> gave ${count(listed.filter(({ giver }) => giver === chosen).reduce((sum, { given }) => sum + given, 0))}, received ${count(listed.filter(({ taker }) => taker === chosen).reduce((sum, { given }) => sum + given, 0))}</p>
              <ul class="plain small">${listed.map((arc) => html`<li key=${arc.key}>${told(arc)}</li>`)}</ul>`}
      </div>
    </div>
  `;
}

/**
 * The newest gifts, one a row.
 * @param {{ migrations: Api.MigrationAnswer[] }} props
 */
export function Gifts({ migrations }) {
  if (!migrations.length) return null;
  return html`
    <div class="scroll surface"><table class="gifts">
      <thead><tr><th>From</th><th>To</th><th class="number" title="The genome's score in the arena's own games">Score</th><th class="wide">Program</th><th class="number">Offered</th><th class="wide number">Arrived</th></tr></thead>
      <tbody>${migrations.map((each) => html`<tr key=${each.id}>
        <td class="name"><a href=${`/islands/${each.giver}`} title=${each.giver_name}>${each.giver_name}</a></td>
        <td class="name"><a href=${`/islands/${each.taker}`} title=${each.taker_name}>${each.taker_name}</a></td>
        <td class="number" title=${t`against an opponent of depth ${each.level}`}>${percent(each.score)} <span class="wide muted small">at depth ${each.level}</span></td>
        <td class="wide formula-cell"><code class="ellipsis" title=${each.formula}>${each.formula}</code></td>
        <td class="number muted"><${Ago} time=${each.offered} /></td>
        <td class="wide number muted">${each.arrived == null ? t`not yet` : html`<${Ago} time=${each.arrived} />`}</td>
      </tr>`)}</tbody>
    </table></div>
  `;
}
