// SPDX-License-Identifier: GPL-3.0-or-later
// Squares, lines and coordinates that several styles draw.

import { SIZE } from "../squares.js";
import { html } from "../view.js";
import { parts } from "./drawing.js";

/**
 * A square of a kind.
 * @param {string} kind
 */
export const squareOf = (kind) => (/** @type {import("../squares.js").Places} */ places, /** @type {number} */ square) => {
  const { x, y } = places.corner(square);
  return html`<rect key=${square} class=${kind} x=${x} y=${y} width=${SIZE} height=${SIZE} />`;
};

/**
 * Lines between the squares, or through their middle.
 * @param {Api.BoardAnswer} board
 * @param {number} [first] the place of the first line
 */
export function rules({ rows, columns }, first = 0) {
  const [right, low] = [columns * SIZE - first, rows * SIZE - first];
  const lines = [];
  for (let x = first; x <= right; x += SIZE) lines.push(html`<line class="rule" x1=${x} y1=${first} x2=${x} y2=${low} />`);
  for (let y = first; y <= low; y += SIZE) lines.push(html`<line class="rule" x1=${first} y1=${y} x2=${right} y2=${y} />`);
  return lines;
}

/**
 * Font size of coordinates: the same on screen for small and large boards.
 * @param {Api.BoardAnswer} board
 */
export const fontOf = ({ columns }) => Math.min(18, 2.5 * columns);

/**
 * A letter and a number in opposite corners, where no piece covers them.
 * @param {Parameters<NonNullable<import("../styles.js").Style["label"]>>[0]} about
 * @param {string} [kind]
 */
export function corners({ board, text, places, square }, kind = "") {
  const [{ x, y }, font] = [places.corner(square), fontOf(board)];
  const high = y + 3 + 0.75 * font;
  // letters are at the nearer edge of the board
  return parts(text, square, (part) => ({ "class": kind ? `label ${kind}` : "label", "font-size": font, ...(part < ":" ? { x: x + 4, y: high } : { x: x + 96, y: y ? y + 95 : high, "text-anchor": "end" }) }));
}
