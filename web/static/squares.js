// SPDX-License-Identifier: GPL-3.0-or-later
// Geometry of the squares of a board.

import { styleOf } from "./styles.js";

/** Side of a square, in SVG units. */
export const SIZE = 100;

/** @typedef {{ x: number, y: number, width: number, height: number }} Area */

/**
 * Where the squares are drawn.
 * @typedef {object} Places
 * @property {(square: number) => { x: number, y: number }} corner the top left corner
 * @property {(square: number) => { x: number, y: number }} middle where a piece is, or the uppermost one of a stack
 * @property {(square: number) => boolean} drawn whether the square is drawn: of heaps only the tokens are
 * @property {number} height of a square
 * @property {(row: number, column: number) => [number, number]} seen the row and the column on the screen, of those in
 *   the diagram
 * @property {(row: number, column: number) => [number, number]} under the other way round
 */

/**
 * The drawn part of a board.
 * @param {Api.BoardAnswer} board
 * @param {string} diagram
 * @returns {Area}
 */
export function areaOf(board, diagram) {
  const { margin, area } = styleOf(board);
  return area?.(board, diagram) ?? { x: -margin, y: -margin, width: board.columns * SIZE + 2 * margin, height: board.rows * SIZE + 2 * margin };
}

/**
 * Where the squares of a board are drawn.
 * @param {Api.BoardAnswer} board
 * @param {boolean} flipped
 * @param {string} diagram
 * @returns {Places}
 */
export function placesOf(board, flipped, diagram) {
  const { rows, columns } = board;
  const { fixed, places } = styleOf(board);
  const turned = flipped && !fixed;
  /** @type {Places} */
  const found = {
    corner: (square) => {
      const [row, column] = found.seen(Math.floor(square / columns), square % columns);
      return { x: column * SIZE, y: row * SIZE };
    },
    middle: (square) => {
      const { x, y } = found.corner(square);
      return { x: x + SIZE / 2, y: y + SIZE / 2 };
    },
    drawn: () => true,
    height: SIZE,
    seen: (row, column) => (turned ? [rows - 1 - row, columns - 1 - column] : [row, column]),
    under: (row, column) => found.seen(row, column),
    ...places?.(board, flipped, diagram),
  };
  return found;
}
