// SPDX-License-Identifier: GPL-3.0-or-later
// Marks on a board: arrows of moves, ghosts of pieces, legal targets, the selected square.

import { SIZE } from "./squares.js";
import { html } from "./view.js";

/** @typedef {{ squares: number[], kind: "first" | "second" | "hint", pale?: boolean }} Arrow */
/** @typedef {import("./squares.js").Places} Places */
/** @typedef {"selected" | "last" | "won" | "lost" | "hole"} Mark a colour of a square; or a hole */
/** @typedef {{ square: number, letter: string }} Ghost a piece that is not on the board, by its letter in diagrams */

const [HEAD, HALF] = [34, 20]; // length and half width of an arrowhead
const RING = 40;

/**
 * A move as an arrow through its squares; as a ring where it touches one square only, or rings on all of them.
 * @param {{ rings?: boolean, places: Places, kind: string, squares: number[] }} props
 */
function ArrowMark({ rings, places, kind, squares }) {
  const points = squares.filter(places.drawn).map(places.middle);
  if (rings || points.length < 2) {
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

/**
 * Moves as arrows or rings; each step of a style of pairs has an arrow of its own.
 * @param {{ style: import("./styles.js").Style, places: Places, arrows: Arrow[] }} props
 */
export const Arrows = ({ style: { rings, pairs }, places, arrows }) =>
  html`<g class="arrows">${arrows.flatMap(({ squares, kind, pale }, index) =>
    (pairs ? stepsOf(squares) : [squares]).map((each) => html`<${ArrowMark} key=${`${index} ${each}`} rings=${rings} places=${places}
      kind=${`arrow ${kind}${pale ? " pale" : ""}`} squares=${each} />`))}</g>`;

/**
 * The steps of a move whose squares are pairs: from, to.
 * @param {number[]} squares
 */
export const stepsOf = (squares) => Array.from({ length: Math.ceil(squares.length / 2) }, (_, step) => squares.slice(2 * step, 2 * step + 2));

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
 * A coloured square.
 * @type {NonNullable<import("./styles.js").Style["mark"]>}
 */
export function markOf(kind, places, square) {
  const { x, y } = places.corner(square);
  return html`<rect key=${`${kind} ${square}`} class=${kind} x=${x} y=${y} width=${SIZE} height=${SIZE} />`;
}
