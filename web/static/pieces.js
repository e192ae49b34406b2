// SPDX-License-Identifier: GPL-3.0-or-later
// Pieces by the shapes that a game's file names for them, drawn in a square of 100 by 100 around its middle.

import { SHAPES } from "./shapes.js";
import { html } from "./view.js";

/** A piece as the game's file describes it: ``{name, shape, seat, tone}``. */
export function Shape({ piece }) {
  const elements = SHAPES[piece.shape] ?? SHAPES.token;
  return html`<g class=${`piece tone-${piece.tone}`}>${elements.map(([tag, about]) => html`<${tag} ...${about} />`)}</g>`;
}

/** The piece of a seat, small, beside its player's name. */
export function SeatMark({ board, seat }) {
  const piece = Object.values(board.pieces).find((candidate) => candidate.seat === seat);
  if (!piece) return null;
  return html`<svg class="dot" viewBox="-42 -42 84 84" aria-hidden="true"><${Shape} piece=${piece} /></svg>`;
}
