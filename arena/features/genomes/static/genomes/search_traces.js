// SPDX-License-Identifier: GPL-3.0-or-later
// Search traces: the branches of a search near the root as an icicle plot. Plies go down, nodes to the right.

import { Board } from "../board.js";
import { targetOf } from "../drawing.js";
import { count, fixed, large } from "../format.js";
import { Tabs } from "../tabs.js";
import { language, plural, t, translated } from "../texts.js";
import { html, useRef, useState } from "../view.js";

const [HIGHEST, TALLEST] = [22, 264]; // px of a ply, and of all
const HEAD = 18; // px above the first ply
const ROOM = 5; // percent of the width that a move's name takes, about
const WIDTH = 1000; // the drawing's own; the page stretches it

/** @typedef {Api.Searched & { branches: Api.Branch[] }} Search */

/**
 * Where every branch stands: from, to in nodes; ply. What was tried first stands first.
 * @param {{ branches: Api.Branch[] }} search
 */
function placed({ branches }) {
  /** @type {{ from: number, to: number, ply: number }[]} */
  const spots = [];
  const filled = new Map([[-1, 0]]);
  branches.forEach(({ parent, nodes: own }, place) => {
    const from = filled.get(parent) ?? 0;
    spots.push({ from, to: from + own, ply: parent < 0 ? 1 : spots[parent].ply + 1 });
    filled.set(parent, from + own);
    filled.set(place, from);
  });
  return { spots, whole: Math.max(1, filled.get(-1) ?? 0) };
}

/**
 * The moves from the root to a branch.
 * @param {Api.Branch[]} branches
 * @param {number} place
 */
function line(branches, place) {
  /** @type {string[]} */
  const moves = [];
  for (let at = place; at >= 0; at = branches[at].parent) moves.unshift(branches[at].move);
  return moves.join(" ");
}

/** @param {number} number */
const plies = (number) => plural(number, "{1} ply", "{1} plies", number.toLocaleString(language, { maximumFractionDigits: 2 }));

/**
 * @param {Search} search
 * @param {number} place
 */
function told(search, place) {
  const { given, reach, nodes } = search.branches[place];
  const after = given < 1 ? t`quiescence search follows` : t`remaining depth ${plies(given)}`;
  return t`${line(search.branches, place)}: ${after}, deepest line to ply ${reach}, ${count(nodes)} nodes`;
}

/**
 * ``deepest``: plies that the drawings of all searches have room for.
 * @param {{ search: Search, deepest: number }} props
 */
function Icicle({ search, deepest }) {
  const { branches } = search;
  const { spots, whole } = placed(search);
  const roots = branches.map((_, place) => place).filter((place) => branches[place].parent < 0);
  const leaf = branches.map(() => true);
  for (const { parent } of branches) if (parent >= 0) leaf[parent] = false;
  const [chosen, setChosen] = useState(roots[0]);
  const drawing = useRef(/** @type {SVGSVGElement | null} */ (null));
  const height = Math.min(HIGHEST, TALLEST / deepest);
  /** @param {number} nodes */
  const x = (nodes) => (WIDTH * nodes) / whole;
  /** @param {number} ply */
  const y = (ply) => HEAD + height * (ply - 1);
  /** @param {number} place */
  const choose = (place) => {
    setChosen(place);
    /** @type {SVGElement | null | undefined} */ (drawing.current?.querySelector(`[data-place="${place}"]`))?.focus();
  };
  /** @param {KeyboardEvent} event */
  const keys = (event) => {
    const same = branches.map((_, place) => place).filter((place) => branches[place].parent === branches[chosen].parent);
    const at = same.indexOf(chosen);
    const inner = branches.findIndex(({ parent }) => parent === chosen);
    const next = targetOf(event, { ArrowRight: same[at + 1], ArrowLeft: same[at - 1], ArrowDown: inner, ArrowUp: branches[chosen].parent, Home: same[0], End: same.at(-1) });
    if (next != null && next >= 0) choose(next);
  };
  // the usual depth is what a move has left where nothing was made shallower
  /** @param {number} place */
  const tone = (place) => {
    const usual = search.depth - spots[place].ply;
    const { given } = branches[place];
    return given < usual - 0.01 ? "less" : given > usual + 0.01 ? "more" : "usual";
  };
  return html`
    <div class="icicle">
      <svg ref=${drawing} role="application" aria-label=${t`${search.name}: branches near the root, plies downward, nodes to the right`} viewBox=${`0 0 ${WIDTH} ${y(deepest + 1)}`} height=${y(deepest + 1)} preserveAspectRatio="none" onKeyDown=${keys}>
        ${Array.from({ length: deepest }, (_, index) => html`<line key=${index} class="rule" x1="0" x2=${WIDTH} y1=${y(index + 1)} y2=${y(index + 1)} />`)}
        ${search.depth > 0 && html`<line class="asked" x1="0" x2=${WIDTH} y1=${y(search.depth + 1)} y2=${y(search.depth + 1)} />`}
        ${branches.map(({ reach }, place) => {
          const { from, to, ply } = spots[place];
          const width = Math.max(x(to) - x(from), 0.75);
          return html`
            <g key=${place} data-place=${place} tabindex=${place === chosen ? 0 : -1} role="button" aria-label=${told(search, place)} class=${`${tone(place)} ${place === chosen ? "chosen" : ""}`} onClick=${() => choose(place)} onFocus=${() => setChosen(place)}>
              <title>${told(search, place)}</title>
              ${leaf[place] && reach > ply && html`<rect class="beyond" x=${x(from)} y=${y(ply + 1)} width=${width} height=${height * (reach - ply)} />`}
              <rect x=${x(from)} y=${y(ply)} width=${width} height=${height - 1} />
            </g>`;
        })}
      </svg>
      <div class="names" aria-hidden="true">${roots.map((place) => {
        const [left, width] = [(100 * spots[place].from) / whole, (100 * branches[place].nodes) / whole];
        return html`<span key=${place} class="ellipsis" style=${{ left: `${left}%`, width: `${width}%` }}>${width > ROOM && branches[place].move}</span>`;
      })}</div>
      <p class="small muted" aria-live="polite">${chosen == null ? t`No branch was searched.` : told(search, chosen)}</p>
    </div>
  `;
}

/** @param {{ search: Search, own: Search, deepest: number }} props */
function Searched({ search, own, deepest }) {
  const share = search.nodes / own.nodes;
  const left = search.left_out ?? 0;
  return html`
    <section class="searched">
      <h3><span class="ellipsis" title=${search.name}>${search.name}</span></h3>
      <p class="muted"><strong>${search.capped && t`over `}${large(search.nodes)}</strong> nodes${search !== own && t` (${fixed(share, share >= 10 ? 0 : 1)} times as many)`} · ${search.capped ? t`not finished` : t`${plies(search.depth)} deep`} · plays <strong>${search.move}</strong></p>
      ${search.branches.length > 0 && html`<${Icicle} search=${search} deepest=${deepest} />`}
      ${left > 0 && html`<p class="small muted">${count(left)} smaller branches are not drawn.</p>`}
    </section>
  `;
}

/**
 * ``traces`` as genome views have them; ``game``: as the API describes it.
 * @param {{ traces: Api.SearchTrace[], game: Api.GameAnswer }} props
 */
export function SearchTraces({ traces, game }) {
  const [chosen, setChosen] = useState(0);
  if (!traces.length) return null;
  const trace = traces[Math.min(chosen, traces.length - 1)];
  const searches = trace.searches.map((search) => ({ ...search, branches: search.branches ?? [] }));
  const [own] = searches;
  const deepest = Math.max(...searches.flatMap(({ branches, depth }) => [...branches.map(({ reach }) => reach), depth]));
  return html`
    <div class="search-traces">
      <${Tabs} label="Positions" tabs=${traces.map((_, place) => [place, t`Position ${place + 1}`])} current=${chosen} choose=${setChosen} />
      <div class="search-trace surface" role="tabpanel">
        <figure>
          <${Board} board=${game.board} diagram=${trace.diagram} bare />
          <figcaption class="small muted">${translated(game.seats[trace.to_move])} to move</figcaption>
        </figure>
        <div class="searches">
          ${searches.map((search) => html`<${Searched} key=${`${chosen} ${search.name}`} search=${search} own=${own} deepest=${deepest} />`)}
          <p class="small muted tones"><span class="key"><i class="usual"></i>usual depth</span><span class="key"><i class="less"></i>less deep</span><span class="key"><i class="more"></i>deeper</span><span class="key"><i class="beyond"></i>depth of the deepest line</span>Each row is a ply. The width of a branch is its share of the nodes. The dashed line is the depth of the iteration.</p>
        </div>
      </div>
    </div>
  `;
}
