// SPDX-License-Identifier: GPL-3.0-or-later
// The view of a genome that controls a search: its program, its numbers beside the default ones, search traces.

import { count, fixed } from "../format.js";
import { t, translated } from "../texts.js";
import { html } from "../view.js";
import { geneName } from "./genes.js";
import { Program } from "./program.js";
import { SearchTraces } from "./search_traces.js";

/** @param {number} value */
const number = (value) => (Number.isInteger(value) ? count(value) : Math.abs(value) >= 10 ? fixed(value, 1) : fixed(value, 2));

/**
 * A number on its range: a mark at its default, a dot at its value.
 * @param {{ gene: Api.ShownGene }} props
 */
function Range({ gene: { low, high, standard, value } }) {
  /** @param {number} where */
  const at = (where) => `${(100 * (where - low)) / (high - low || 1)}%`;
  return html`
    <svg class="range" role="img" aria-label=${t`${number(value)}, from ${number(low)} to ${number(high)}, default ${number(standard)}`}>
      <line x1="0" x2="100%" y1="8" y2="8" />
      <line class="standard" x1=${at(standard)} x2=${at(standard)} y1="2" y2="14" />
      <circle cx=${at(value)} cy="8" r="4" />
    </svg>
  `;
}

/** @param {{ module: Api.ShownModule, schema: string }} props */
function Module({ module: { title, genes }, schema }) {
  return html`
    <section class="module">
      <h3>${translated(title)}</h3>
      <div class="surface"><table>
        <thead><tr><th>Gene</th><th class="number">Value</th><th class="number">Default</th><th class="wide">Range</th></tr></thead>
        <tbody>${genes.map((gene) => html`<tr key=${gene.name}>
          <td class="gene-name">${geneName(schema, gene.name)}</td>
          <td class="number">${number(gene.value)}</td>
          <td class="number muted">${number(gene.standard)}</td>
          <td class="wide"><${Range} gene=${gene} /></td>
        </tr>`)}</tbody>
      </table></div>
    </section>
  `;
}

/**
 * ``view``: as the API has it; ``game``: as the API describes it, where it is offered.
 * @param {{ view: Api.GenomeView, game?: Api.GameAnswer }} props
 */
export function GenomeView({ view, game }) {
  const traces = view.search_traces ?? [];
  return html`
    <div class="genome-view">
      <section><h3>Search depth of each branch</h3><div class="surface"><${Program} formula=${view.formula} program=${view.program} /></div></section>
      ${traces.length > 0 && game && html`<section><h3>Search traces</h3><${SearchTraces} traces=${traces} game=${game} /></section>`}
      <div class="modules">${view.modules.map((module) => html`<${Module} key=${module.title} module=${module} schema=${view.schema} />`)}</div>
    </div>
  `;
}
