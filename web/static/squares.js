// SPDX-License-Identifier: GPL-3.0-or-later
// Geometry and names of the squares of a board.

/** Side of a square, in SVG units. */
export const SIZE = 100;

/**
 * The top left corner of a square; boards of heaps are not flipped.
 * @param {Api.BoardAnswer} board
 * @param {boolean} flipped
 * @param {number} square
 */
export function corner({ style, rows, columns }, flipped, square) {
  const [row, column] = [Math.floor(square / columns), square % columns];
  return flipped && style !== "heaps"
    ? { x: (columns - 1 - column) * SIZE, y: (rows - 1 - row) * SIZE }
    : { x: column * SIZE, y: row * SIZE };
}

/**
 * The middle of a square.
 * @param {Api.BoardAnswer} board
 * @param {boolean} flipped
 * @param {number} square
 */
export function middle(board, flipped, square) {
  const { x, y } = corner(board, flipped, square);
  return { x: x + SIZE / 2, y: y + SIZE / 2 };
}

/**
 * The name of a square: its coordinates ("e4"), its number, or its row and column.
 * @param {Api.BoardAnswer} board
 * @param {number} square
 */
export function squareName({ rows, columns, labels }, square) {
  const [row, column] = [Math.floor(square / columns), square % columns];
  const first = (rows - 1) * columns;
  if (/^[a-z]+1$/.test(labels[first] ?? "")) {
    const letters = column ? labels[first + column] : labels[first].slice(0, -1);
    return `${letters}${rows - row}`;
  }
  return labels[square] || `row ${row + 1}, column ${column + 1}`;
}

/**
 * The accessible name of each square: "e4, white pawn".
 * @param {Api.BoardAnswer} board
 * @param {string} diagram
 */
export const squareNames = (board, diagram) =>
  Array.from(diagram, (letter, square) => `${squareName(board, square)}, ${board.pieces[letter]?.name ?? "empty"}`);
