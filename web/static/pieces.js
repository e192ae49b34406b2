// SPDX-License-Identifier: GPL-3.0-or-later
// The shapes that a game's file may name for its pieces, drawn in a square of 100 by 100 around its middle.

import { html } from "./view.js";

const disc = () => html`
  <circle class="body" r="38" />
  <circle class="groove" r="28" />
  <circle class="groove" r="17" />
`;

const CROWN = "M-24 15 L-27 -13 L-12 1 L0 -20 L12 1 L27 -13 L24 15 Z";

const shapes = {
  disc,
  "crowned disc": () => html`
    <circle class="body" r="38" />
    <circle class="groove" r="33" />
    <path class="crown" d=${CROWN} />
  `,
  nought: () => html`<circle class="stroke" r="27" />`,
  cross: () => html`<path class="stroke" d="M-25 -25 L25 25 M25 -25 L-25 25" />`,
  token: () => html`<circle class="body" r="30" />`,
};

/** A piece as the game's file describes it: ``{name, shape, seat}``. */
export function Shape({ piece }) {
  const draw = shapes[piece.shape] ?? shapes.token;
  return html`<g class=${`piece ${piece.seat == null ? "neutral" : `seat${piece.seat}`}`}>${draw()}</g>`;
}

/** The piece of a seat, small, beside its player's name. */
export function SeatMark({ board, seat }) {
  const piece = Object.values(board.pieces).find((candidate) => candidate.seat === seat);
  if (!piece) return null;
  return html`<svg class="dot" viewBox="-50 -50 100 100" aria-hidden="true"><${Shape} piece=${piece} /></svg>`;
}
