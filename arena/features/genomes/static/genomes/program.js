// SPDX-License-Identifier: GPL-3.0-or-later
// A program as a formula and as a tree: what is chosen in one is marked in the other. Arrows go through the tree.

import { targetOf } from "../drawing.js";
import { t, translated } from "../texts.js";
import { html, useRef, useState } from "../view.js";

const ROW = 28; // px from one word to the next
const STEP = 22; // px from a word to its arguments

/**
 * How deep each word lies, and where the last of its arguments stands.
 * @param {Api.ShownWord[]} program
 */
function placed(program) {
  /** @type {number[]} */
  const depths = [];
  const last = program.map((_, place) => place);
  program.forEach(({ parent }, place) => {
    depths.push(parent < 0 ? 0 : depths[parent] + 1);
    if (parent >= 0) last[parent] = place;
  });
  return { depths, last };
}

/**
 * Whether the word of one place is, or belongs to, that of another.
 * @param {Api.ShownWord[]} program
 * @param {number} place
 * @param {number} other
 */
function within(program, place, other) {
  for (let at = place; at >= 0; at = program[at].parent) if (at === other) return true;
  return false;
}

/**
 * ``formula`` and ``program`` as genome views have them; ``label``: the decision of the program.
 * @param {{ formula: string, program: Api.ShownWord[], label?: string }} props
 */
export function Program({ formula, program, label = t`Remaining depth after a move` }) {
  const [chosen, setChosen] = useState(0);
  const tree = useRef(/** @type {SVGSVGElement | null} */ (null));
  const place = Math.min(chosen, program.length - 1);
  const { depths, last } = placed(program);
  const { start, end } = program[place];
  const meaning = translated(program[place].meaning);
  /** @param {number} next */
  const choose = (next) => {
    setChosen(next);
    /** @type {NodeListOf<SVGElement> | undefined} */ (tree.current?.querySelectorAll("[role=treeitem]"))?.[next].focus();
  };
  /** @param {KeyboardEvent} event */
  const keys = (event) => {
    const inner = program.findIndex(({ parent }) => parent === place);
    const next = targetOf(event, { ArrowDown: place + 1, ArrowUp: place - 1, ArrowLeft: program[place].parent, ArrowRight: inner, Home: 0, End: program.length - 1 });
    if (next != null && next >= 0 && next < program.length) choose(next);
  };
  /** @param {number} at */
  const x = (at) => 12 + STEP * depths[at];
  /** @param {number} at */
  const y = (at) => ROW * (at + 0.5);
  return html`
    <div class="program">
      <p class="formula"><span class="muted">${label} =</span> <code>${formula.slice(0, start)}<mark>${formula.slice(start, end)}</mark>${formula.slice(end)}</code></p>
      <div class="scroll">
        <svg ref=${tree} class="words" role="tree" aria-label=${`${label}: ${formula}`} height=${ROW * program.length} onKeyDown=${keys}>
          ${program.map((_, at) => last[at] > at && html`<line key=${`l${at}`} x1=${x(at)} x2=${x(at)} y1=${y(at) + 6} y2=${y(last[at])} />`)}
          ${program.map((word, at) => html`
            <g key=${at} role="treeitem" aria-level=${depths[at] + 1} aria-selected=${at === place} aria-label=${[word.label, translated(word.meaning)].filter(Boolean).join(" ")}
              tabindex=${at === place ? 0 : -1} class=${within(program, at, place) ? "chosen" : ""} onClick=${() => choose(at)} onFocus=${() => setChosen(at)}>
              <rect x=${x(at) - 11} y=${y(at) - ROW / 2 + 1} width="100%" height=${ROW - 2} rx="4" />
              ${word.parent >= 0 && html`<line x1=${x(word.parent)} x2=${x(at) - 6} y1=${y(at)} y2=${y(at)} />`}
              <circle cx=${x(at)} cy=${y(at)} r="4" />
              <text x=${x(at) + 12} y=${y(at) + 5}>${word.label}${word.meaning && " "}<tspan class="meaning wide" dx="10">${translated(word.meaning)}</tspan></text>
            </g>`)}
        </svg>
      </div>
      <p class="small muted" aria-live="polite">${place > 0 && html`<code>${formula.slice(start, end)}</code>${meaning && " – "}`}${meaning}</p>
    </div>
  `;
}
