// SPDX-License-Identifier: GPL-3.0-or-later
// SVG pieces in a square of 100 by 100 around the origin.

import { SHAPES } from "./shapes.js";
import { html } from "./view.js";

/**
 * A piece of a game: ``{name, shape, seat, tone}``.
 * @param {{ piece: Api.PieceAnswer }} props
 */
export function Shape({ piece }) {
  const elements = SHAPES[piece.shape] ?? SHAPES.token;
  return html`<g class=${`piece tone-${piece.tone}`}>${elements.map(([tag, about]) => html`<${tag} ...${about} />`)}</g>`;
}

/**
 * A small piece of a seat, beside the player's name.
 * @param {{ board: Api.BoardAnswer, seat: number }} props
 */
export function SeatMark({ board, seat }) {
  const piece = Object.values(board.pieces).find((candidate) => candidate.seat === seat);
  if (!piece) return null;
  return html`<svg class="dot" viewBox="-42 -42 84 84" aria-hidden="true"><${Shape} piece=${piece} /></svg>`;
}
