// SPDX-License-Identifier: GPL-3.0-or-later
// Node counts of the algorithms side by side, a row for each depth.

import { useAnswer } from "../asking.js";
import { count } from "../format.js";
import { t, translated } from "../texts.js";
import { html, Problem } from "../view.js";

/**
 * @param {{ wanted: import("./address.js").Wanted, descriptions: Record<string, string> }} props
 */
export function CountTable({ wanted: { game, position, depth, evaluation, algorithm }, descriptions }) {
  const query = new URLSearchParams({ game, depth: String(Math.max(depth, 4)) });
  if (position) query.set("position", position);
  if (evaluation) query.set("evaluation", evaluation);
  const [counts, problem] = useAnswer(`/api/v1/explain/counts?${query}`);
  if (problem) return html`<${Problem} text=${problem} />`;
  if (!counts) return html`<p class="muted" role="status">The server is counting nodes…</p>`;
  const names = [...new Set(counts.counts.map((each) => each.algorithm))];
  const depths = [...new Set(counts.counts.map((each) => each.depth))];
  const cells = new Map(counts.counts.map((each) => [`${each.algorithm} ${each.depth}`, each]));
  return html`
    <div class="scroll surface"><table class="explorer-counts">
      <thead><tr><th scope="col" class="number">Depth</th>${names.map((name) => html`<th scope="col" class="number" key=${name} title=${translated(descriptions[name] ?? "")} aria-current=${name === algorithm ? "true" : null}>${name}</th>`)}</tr></thead>
      <tbody>${depths.map((plies) => html`<tr key=${plies}>
        <th scope="row" class="number">${plies}</th>
        ${names.map((name) => html`<td class="number" key=${name}><${Cell} cell=${cells.get(`${name} ${plies}`)} most=${counts.most} /></td>`)}
      </tr>`)}</tbody>
    </table></div>
    <p class="muted">Visited positions, the first position included, as <code>arena search</code> counts them. Algorithms with iterative deepening count all iterations; the last one is in brackets.</p>
  `;
}

/** @param {{ cell: Api.Count | undefined, most: number }} props */
function Cell({ cell, most }) {
  if (!cell || cell.nodes == null) return html`<span class="muted" title=${t`More than ${count(most)} positions`}>–</span>`;
  const last = cell.last != null && cell.last !== cell.nodes ? html` <span class="muted">(${count(cell.last)})</span>` : null;
  return html`<span title=${t`Value ${cell.value}${cell.exact ? "" : t`, which can differ from minimax's`}`}>${count(cell.nodes)}${last}</span>`;
}
