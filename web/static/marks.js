// SPDX-License-Identifier: GPL-3.0-or-later
// Marks on a board: arrows of moves, ghosts of pieces, legal targets, the selected square.

import { corner, middle, SIZE } from "./squares.js";
import { html } from "./view.js";

/** @typedef {{ squares: number[], kind: "first" | "second" | "hint" }} Arrow */
/** @typedef {{ square: number, letter: string }} Ghost a piece that is not on the board, by its letter in diagrams */

const [HEAD, HALF] = [34, 20]; // length and half width of an arrowhead
const RING = 40;

/**
 * A move as an arrow through its squares; as a ring where it touches one square only, and on each square of heaps.
 * @param {{ board: Api.BoardAnswer, flipped: boolean, arrow: Arrow }} props
 */
function ArrowMark({ board, flipped, arrow }) {
  const kind = `arrow ${arrow.kind}`;
  const points = arrow.squares.map((square) => middle(board, flipped, square));
  if (board.style === "heaps" || points.length < 2) {
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

/** @param {{ board: Api.BoardAnswer, flipped: boolean, arrows: Arrow[] }} props */
export const Arrows = ({ board, flipped, arrows }) =>
  html`<g class="arrows">${arrows.map((arrow) => html`<${ArrowMark} key=${`${arrow.kind} ${arrow.squares}`} board=${board} flipped=${flipped} arrow=${arrow} />`)}</g>`;

/**
 * Legal targets: a dot on an empty square, a ring around a piece.
 * @param {{ board: Api.BoardAnswer, flipped: boolean, diagram: string, targets: Set<number> }} props
 */
export const Targets = ({ board, flipped, diagram, targets }) =>
  html`<g class="targets">${[...targets].map((square) => {
    const { x, y } = middle(board, flipped, square);
    return board.pieces[diagram[square]] ? html`<circle class="taken" cx=${x} cy=${y} r="44" />` : html`<circle cx=${x} cy=${y} r="15" />`;
  })}</g>`;

/**
 * A coloured square: "selected", or "won" for one that decided the match.
 * @param {{ kind: "selected" | "won", board: Api.BoardAnswer, flipped: boolean, square: number }} props
 */
export function Tinted({ kind, board, flipped, square }) {
  const { x, y } = corner(board, flipped, square);
  return html`<rect class=${kind} x=${x} y=${y} width=${SIZE} height=${SIZE} />`;
}
