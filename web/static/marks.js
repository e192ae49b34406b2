// SPDX-License-Identifier: GPL-3.0-or-later
// Marks on a board: arrows of moves, ghosts of pieces, legal targets, the selected square.

import { SIZE } from "./squares.js";
import { html } from "./view.js";

/** @typedef {{ squares: number[], kind: "first" | "second" | "hint", pale?: boolean }} Arrow */
/** @typedef {import("./squares.js").Places} Places */
/** @typedef {{ square: number, letter: string }} Ghost a piece that is not on the board, by its letter in diagrams */

const [HEAD, HALF] = [34, 20]; // length and half width of an arrowhead
const RING = 40;
const [HOLE, AROUND] = [41, 46]; // radius of a hole, and of a mark around it

/**
 * A move as an arrow through its squares; as a ring where it touches one square only, and on each token of heaps.
 * @param {{ heaps: boolean, places: Places, arrow: Arrow }} props
 */
function ArrowMark({ heaps, places, arrow }) {
  const kind = `arrow ${arrow.kind}${arrow.pale ? " pale" : ""}`;
  const points = arrow.squares.filter(places.drawn).map(places.middle);
  if (heaps || points.length < 2) {
    return html`<g class=${kind}>${points.map(({ x, y }) => html`<circle cx=${x} cy=${y} r=${RING} />`)}</g>`;
  }
  const [before, end] = [points[points.length - 2], points[points.length - 1]];
  const length = Math.hypot(end.x - before.x, end.y - before.y) || 1;
  const [dx, dy] = [(end.x - before.x) / length, (end.y - before.y) / length];
  const base = { x: end.x - HEAD * dx, y: end.y - HEAD * dy };
  const path = [...points.slice(0, -1), base].map(({ x, y }) => `${x} ${y}`).join(" L");
  const head = [end, { x: base.x - HALF * dy, y: base.y + HALF * dx }, { x: base.x + HALF * dy, y: base.y - HALF * dx }];
  return html`<g class=${kind}><path d=${`M${path}`} /><polygon points=${head.map(({ x, y }) => `${x},${y}`).join(" ")} /></g>`;
}

/** @param {{ heaps: boolean, places: Places, arrows: Arrow[] }} props */
export const Arrows = ({ heaps, places, arrows }) =>
  html`<g class="arrows">${arrows.map((arrow, index) => html`<${ArrowMark} key=${`${index} ${arrow.squares}`} heaps=${heaps} places=${places} arrow=${arrow} />`)}</g>`;

/**
 * Legal targets: a dot on an empty square, a ring around a piece.
 * @param {{ places: Places, targets: Set<number>, taken: (square: number) => boolean }} props
 */
export const Targets = ({ places, targets, taken }) =>
  html`<g class="targets">${[...targets].map((square) => {
    const { x, y } = places.middle(square);
    return taken(square) ? html`<circle class="taken" cx=${x} cy=${y} r="44" />` : html`<circle cx=${x} cy=${y} r="15" />`;
  })}</g>`;

/**
 * A coloured square: "selected", "last", or "won" or "lost" at the end of a match; or a hole.
 * @param {{ kind: "selected" | "last" | "won" | "lost" | "hole", places: Places, square: number }} props
 */
export function Tinted({ kind, places, square }) {
  const { x, y } = places.corner(square);
  if (places.round) return html`<circle class=${kind} cx=${x + SIZE / 2} cy=${y + SIZE / 2} r=${kind === "hole" ? HOLE : AROUND} />`;
  return html`<rect class=${kind} x=${x} y=${y} width=${SIZE} height=${SIZE} />`;
}
