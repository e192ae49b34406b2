// SPDX-License-Identifier: GPL-3.0-or-later
// Who gave whom genomes: demes below each other, the strongest first, an arc from each giver to who was given to.

import { ago, count, moment } from "./format.js";
import { html, useRef, useState } from "./view.js";

const ROW = 32; // px
const NAMES = 132; // px in front of the arcs
const WIDTH = 340; // px of the drawing
const MOST = 40; // demes that are drawn

const percent = (share) => `${(100 * share).toFixed(0)} %`;

/** Gifts from one deme to another, as one. */
function bundled(migrations) {
  const found = new Map();
  for (const each of migrations) {
    const key = `${each.giver} ${each.taker}`;
    const bundle = found.get(key) ?? { key, giver: each.giver, taker: each.taker, giver_name: each.giver_name, taker_name: each.taker_name, given: 0, arrived: 0 };
    bundle.given += 1;
    bundle.arrived += each.arrived != null;
    found.set(key, bundle);
  }
  return [...found.values()];
}

/** The demes that gave or took, as they stand now: the deepest rival first, then the best score. */
function involved(demes, migrations) {
  const names = new Map();
  for (const { giver, giver_name, taker, taker_name } of migrations) names.set(giver, giver_name).set(taker, taker_name);
  const known = new Map(demes.map((deme) => [deme.id, deme]));
  const worth = ({ confirmed, best, level = 0 }) => [confirmed?.level ?? level, confirmed?.score ?? best?.score ?? 0];
  return [...names]
    .map(([id, name]) => known.get(id) ?? { id, name, gone: true })
    .sort((one, other) => {
      const [[a, b], [c, d]] = [worth(one), worth(other)];
      return c - a || d - b || one.id - other.id;
    })
    .slice(0, MOST);
}

/** ``demes`` and ``migrations`` as the API lists them. */
export function Migrations({ demes, migrations }) {
  const [chosen, setChosen] = useState(null);
  const drawing = useRef(null);
  const shown = involved(demes, migrations);
  if (!shown.length) return html`<p class="muted">When the best genome of a deme has held in the arena's own games, it goes to weaker demes; that is drawn here.</p>`;
  const rows = new Map(shown.map(({ id }, row) => [id, row]));
  const arcs = bundled(migrations).filter(({ giver, taker }) => rows.has(giver) && rows.has(taker));
  const y = (id) => ROW * (rows.get(id) + 0.5);
  const furthest = Math.max(1, ...arcs.map(({ giver, taker }) => Math.abs(rows.get(giver) - rows.get(taker))));
  const marked = ({ giver, taker }) => giver === chosen || taker === chosen;
  const choose = (row) => {
    setChosen(shown[row].id);
    drawing.current.querySelectorAll("[role=option]")[row].focus();
  };
  const keys = (event) => {
    const row = rows.get(chosen) ?? 0;
    const next = { ArrowDown: row + 1, ArrowUp: row - 1, Home: 0, End: shown.length - 1 }[event.key];
    if (next == null) return;
    event.preventDefault();
    event.stopPropagation();
    if (next >= 0 && next < shown.length) choose(next);
  };
  const told = ({ giver_name, taker_name, given, arrived }) => `${giver_name} → ${taker_name}: ${count(given)} ${given === 1 ? "genome" : "genomes"}, ${arrived === given ? (given === 1 ? "which came in" : "all came in") : `${count(arrived)} came in`}`;
  const listed = chosen == null ? [] : arcs.filter(marked);
  return html`
    <div class="surface migrations">
      <svg ref=${drawing} role="listbox" aria-label="Who gave whom genomes" viewBox=${`0 0 ${WIDTH} ${ROW * shown.length}`} width=${WIDTH} onKeyDown=${keys}>
        <defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0 L8 4 L0 8 Z" /></marker></defs>
        ${arcs.map((arc) => {
          const [from, to] = [y(arc.giver), y(arc.taker)];
          // gifts from weaker ones, which lead up, keep clear of those that lead down
          const bulge = (from < to ? 1 : 0.6) * (24 + ((WIDTH - NAMES - 40) * Math.abs(rows.get(arc.giver) - rows.get(arc.taker))) / furthest);
          return html`<path key=${arc.key} class=${`arc ${arc.arrived ? "" : "offered"} ${chosen == null ? "" : marked(arc) ? "marked" : "faded"}`}
            d=${`M${NAMES + 8} ${from} C${NAMES + bulge} ${from} ${NAMES + bulge} ${to} ${NAMES + 10} ${to}`} stroke-width=${Math.min(6, 1 + Math.sqrt(arc.given) / 2)} marker-end="url(#arrow)"><title>${told(arc)}</title></path>`;
        })}
        ${shown.map((deme, row) => html`
          <g key=${deme.id} role="option" aria-selected=${deme.id === chosen} aria-label=${deme.name} tabindex=${deme.id === (chosen ?? shown[0].id) ? 0 : -1} class=${`deme ${deme.id === chosen ? "chosen" : ""} ${deme.live ? "live" : ""} ${deme.quarantined ? "shut" : ""}`} onClick=${() => setChosen(deme.id)} onFocus=${() => setChosen(deme.id)}>
            <title>${deme.name}</title>
            <rect x="1" y=${ROW * row + 2} width=${NAMES - 1} height=${ROW - 4} rx="4" />
            <circle cx=${NAMES} cy=${y(deme.id)} r="5" />
            <text x=${NAMES - 12} y=${y(deme.id) + 5}>${deme.name.length > 15 ? `${deme.name.slice(0, 14)}…` : deme.name}</text>
          </g>`)}
      </svg>
      <div class="told" aria-live="polite">
        ${chosen == null
          ? html`<p class="muted small">The strongest stand above. An arc leads from who gave to who was given; dashed as long as nothing has come in. Choose a deme to see its own.</p>`
          : html`<p><a href=${`/demes/${chosen}`}>${shown[rows.get(chosen)]?.name}</a> gave ${count(listed.filter(({ giver }) => giver === chosen).reduce((sum, { given }) => sum + given, 0))}, was given ${count(listed.filter(({ taker }) => taker === chosen).reduce((sum, { given }) => sum + given, 0))}</p>
              <ul class="plain small">${listed.map((arc) => html`<li key=${arc.key}>${told(arc)}</li>`)}</ul>`}
      </div>
    </div>
  `;
}

/** The newest gifts, one a row. */
export function Gifts({ migrations }) {
  if (!migrations.length) return null;
  return html`
    <div class="scroll surface"><table class="gifts">
      <thead><tr><th>From</th><th>To</th><th class="number" title="What the genome had scored in the arena's own games">Score</th><th class="wide">Program</th><th class="number">Offered</th><th class="wide number">Came in</th></tr></thead>
      <tbody>${migrations.map((each) => html`<tr key=${each.id}>
        <td class="name"><a href=${`/demes/${each.giver}`} title=${each.giver_name}>${each.giver_name}</a></td>
        <td class="name"><a href=${`/demes/${each.taker}`} title=${each.taker_name}>${each.taker_name}</a></td>
        <td class="number" title=${`against the rival that looks ${each.level} plies ahead`}>${percent(each.score)} <span class="muted small">at ${each.level}</span></td>
        <td class="wide formula-cell"><code class="ellipsis" title=${each.formula}>${each.formula}</code></td>
        <td class="number muted" title=${moment(each.offered)}>${ago(each.offered)}</td>
        <td class="wide number muted">${each.arrived == null ? "not yet" : html`<span title=${moment(each.arrived)}>${ago(each.arrived)}</span>`}</td>
      </tr>`)}</tbody>
    </table></div>
  `;
}
