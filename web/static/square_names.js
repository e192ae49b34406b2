// SPDX-License-Identifier: GPL-3.0-or-later
// Names of the squares of a board, and positions in words; pages load it when somebody wants them.

import { styleOf } from "./styles.js";
import { t, translated } from "./texts.js";

/**
 * The name of a square: its coordinates ("e4"), its number, or its row and column.
 * @param {Api.BoardAnswer} board
 * @param {number} square
 */
export function squareName(board, square) {
  const { rows, columns, labels } = board;
  const named = styleOf(board).name?.(board, square);
  if (named) return named;
  const [row, column] = [Math.floor(square / columns), square % columns];
  const first = (rows - 1) * columns;
  if (/^[a-z]+1$/i.test(labels[0] ?? "")) {
    const letters = column ? labels[column] : labels[0].slice(0, -1);
    return `${letters}${row + 1}`;
  }
  if (/^[a-z]+1$/i.test(labels[first] ?? "")) {
    const letters = column ? labels[first + column] : labels[first].slice(0, -1);
    return `${letters}${rows - row}`;
  }
  return labels[square] || t`row ${row + 1}, column ${column + 1}`;
}

/**
 * The accessible name of each square: "e4, white pawn".
 * @param {Api.BoardAnswer} board
 * @param {string} diagram
 */
export const squareNames = (board, diagram) =>
  Array.from(diagram, (letter, square) => {
    const { name = "empty", count = 1 } = board.pieces[letter] ?? {};
    return `${squareName(board, square)}, ${count > 1 ? `${count} × ` : ""}${translated(name)}`;
  });

/**
 * A position in words: each kind of piece with its squares, or what the style says.
 * @param {Api.BoardAnswer} board
 * @param {string} diagram
 */
export function positionText(board, diagram) {
  const own = styleOf(board).text?.(board, diagram);
  if (own) return own;
  /** @type {Map<string, string[]>} */
  const kinds = new Map(Object.values(board.pieces).map(({ name }) => [name, []]));
  for (const [square, letter] of Array.from(diagram).entries()) {
    const { name = "", count = 1 } = board.pieces[letter] ?? {};
    kinds.get(name)?.push(`${squareName(board, square)}${count > 1 ? ` (${count})` : ""}`);
  }
  const sentences = Array.from(kinds, ([source, squares]) => {
    const name = translated(source);
    return squares.length ? `${name[0].toUpperCase()}${name.slice(1)}: ${squares.join(", ")}.` : "";
  });
  return sentences.filter(Boolean).join(" ") || t`The board is empty.`;
}
