// SPDX-License-Identifier: GPL-3.0-or-later
// Linked graphs of a match: scores, depth, speed, time and clock of both sides. Their library is loaded when one is shown.

import { useModule } from "../asking.js";
import { count, percent } from "../format.js";
import { t, withTexts } from "../texts.js";
import { html, useMemo, useState } from "../view.js";
import { agreement } from "./chances.js";

const CAP = 20;
const HEIGHT = 104; // pixels
const SERIES = [
  { label: t`first`, token: "--accent" },
  { label: t`second`, token: "--loss" },
];
const SYNC = "match";

/** @typedef {import("../plot.js").Columns} Columns */
/** @typedef {(move: Api.SeenMove) => number | null | undefined} Value of a move, in the unit of its graph */

/** @param {number} points */
const capped = (points) => Math.max(-CAP, Math.min(CAP, points));

/** @type {Value} */
const score = ({ info, seat }) => (info?.score == null ? null : capped(seat ? -info.score : info.score));

/**
 * The values of both sides, by ply.
 * @param {Api.SeenMove[]} moves
 * @param {Value} value
 * @returns {Columns}
 */
export const columnsOf = (moves, value) => [moves.map(({ ply }) => ply), ...[0, 1].map((seat) => moves.map((move) => (move.seat === seat ? (value(move) ?? null) : null)))];

/** @param {Columns} columns */
export const filled = ([, ...sides]) => sides.some((side) => side.some((value) => value != null));

/**
 * Whether a move has a value besides its score.
 * @param {Api.SeenMove} move
 */
const measured = ({ info, elapsed, clock }) => info?.depth != null || elapsed != null || clock != null;

const plotting = () => withTexts("plot.js", () => import("../plot.js"));
const drawingMore = () => withTexts("match/more_graphs.js", () => import("./more_graphs.js"));

/**
 * How far both sides' scores agree, over the moves up to the shown one.
 * @param {{ scale: number, moves: Api.SeenMove[], ply: number }} props
 */
function Agreement({ scale, moves, ply }) {
  const found = useMemo(() => agreement(scale, moves, ply), [moves, ply]);
  if (!found) return null;
  const told = t`Both sides' scores as winning chances: 100 % minus their mean difference, over ${count(found.pairs)} pairs of moves`;
  return html`<p class="agreement small muted" title=${told}>${t`Agreement of the scores: ${percent(found.mean)} on average, ${percent(found.now)} at this move`}</p>`;
}

/**
 * ``called``: the names of both sides; ``go(ply)``: a click; ``point(ply)``: the pointer is over a move, or has left.
 * @param {{ scale: number, moves: Api.SeenMove[], ply: number, go: (ply: number) => void, point: (ply: number | null) => void, called: string[] }} props
 */
export function Graphs({ scale, moves, ply, go, point, called }) {
  const [open, setOpen] = useState(false);
  const scores = useMemo(() => columnsOf(moves, score), [moves]);
  const scored = filled(scores);
  const Plot = useModule(scored || open, plotting)?.Plot;
  const more = useModule(open, drawingMore);
  /** @param {Columns} data @param {number} height @param {string} label */
  const drawn = (data, height, label) =>
    Plot ? html`<${Plot} data=${data} scores=${data === scores} series=${SERIES} height=${height} mark=${ply} pick=${go} point=${point} sync=${SYNC} label=${label} />` : html`<div class="loading"></div>`;
  const legend = html`<p class="legend small muted">
    ${[0, 1].map((seat) => html`<span class=${`key seat${seat} ellipsis`} title=${called[seat]}>${called[seat]}</span>`)}
    ${scored && html`<span class="as ellipsis" title=${t`from the point of view of ${called[0]}`}>from the point of view of ${called[0]}</span>`}
  </p>`;
  return html`
    <div class="plot surface">
      ${scored
        ? html`${drawn(scores, HEIGHT, t`Scores that both sides reported, from the point of view of the first player`)}${legend}<${Agreement} scale=${scale} moves=${moves} ply=${ply} />`
        : html`<p class="muted small foreign">Scores that the bots report, from the point of view of ${called[0]}.</p>`}
      ${moves.some(measured) &&
      html`<details class="more-graphs" onToggle=${(/** @type {Event & { currentTarget: HTMLDetailsElement }} */ event) => setOpen(event.currentTarget.open)}>
        <summary class="small">Depth, speed, time and clock</summary>
        ${open && more && html`${!scored && legend}<${more.MoreGraphs} moves=${moves} drawn=${drawn} />`}
      </details>`}
    </div>
  `;
}
