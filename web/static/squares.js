// SPDX-License-Identifier: GPL-3.0-or-later
// Geometry and names of the squares of a board.

import { t, translated } from "./texts.js";

/** Side of a square, in SVG units. */
export const SIZE = 100;

/**
 * The space around the squares, in SVG units: for the lines between squares, for the frame of holes, for the coordinates
 * beside points, and for the frame of heaps with their sizes.
 * @type {Record<Api.BoardAnswer["style"], number>}
 */
const MARGINS = { checkered: 0, grid: 6, felt: 6, holes: 20, lines: 50, heaps: 80 };
const NEAREST = 0.4; // of the sides of a board of heaps: the smallest part that fills the drawing

/** @typedef {{ x: number, y: number, width: number, height: number }} Area */

/**
 * Where the squares are drawn.
 * @typedef {object} Places
 * @property {(square: number) => { x: number, y: number }} corner the top left corner
 * @property {(square: number) => { x: number, y: number }} middle
 * @property {boolean} round whether squares are holes, and their marks round
 * @property {(square: number) => boolean} drawn whether the square is drawn: of heaps only the tokens are
 */

/**
 * The sizes of the heaps in a diagram, row by row.
 * @param {Api.BoardAnswer} board
 * @param {string} diagram
 */
export const heapSizes = ({ rows, columns, pieces }, diagram) =>
  Array.from({ length: rows }, (_, row) => Array.from(diagram.slice(row * columns, (row + 1) * columns)).filter((letter) => pieces[letter]).length);

/**
 * The drawn part of a board: all of it, and of heaps the part around the tokens, with the sides of the whole.
 * @param {Api.BoardAnswer} board
 * @param {string} diagram
 * @returns {Area}
 */
export function areaOf(board, diagram) {
  const { style, rows, columns } = board;
  const [width, height] = [columns, rows].map((side) => side * SIZE + 2 * MARGINS[style]);
  const sizes = style === "heaps" ? heapSizes(board, diagram).filter(Boolean) : [];
  const part = sizes.length ? Math.min(1, Math.max(NEAREST, (Math.max(...sizes) + 2) / columns, (sizes.length + 1) / rows)) : 1;
  const [wide, high] = [Math.round(part * width), Math.round(part * height)];
  return { x: (columns * SIZE - wide) / 2, y: (rows * SIZE - high) / 2, width: wide, height: high };
}

/**
 * Whether a board is seen from the other side when it is flipped. Heaps and upright boards are not.
 * @param {Api.BoardAnswer} board
 */
export const flippable = ({ style }) => style !== "heaps" && style !== "holes";

/**
 * Where the squares of a board are drawn. Heaps are centred.
 * @param {Api.BoardAnswer} board
 * @param {boolean} flipped
 * @param {string} diagram
 * @returns {Places}
 */
export function placesOf(board, flipped, diagram) {
  const { style, rows, columns, pieces } = board;
  const heaps = style === "heaps";
  const sizes = heaps ? heapSizes(board, diagram) : [];
  const top = heaps ? (rows - sizes.filter(Boolean).length) / 2 : 0;
  /** @param {number} square */
  const corner = (square) => {
    const [row, column] = [Math.floor(square / columns), square % columns];
    if (heaps) return { x: (column + (columns - (sizes[row] || columns)) / 2) * SIZE, y: (row + top) * SIZE };
    return flipped && flippable(board)
      ? { x: (columns - 1 - column) * SIZE, y: (rows - 1 - row) * SIZE }
      : { x: column * SIZE, y: row * SIZE };
  };
  return {
    corner,
    middle: (square) => {
      const { x, y } = corner(square);
      return { x: x + SIZE / 2, y: y + SIZE / 2 };
    },
    round: style === "holes",
    drawn: (square) => !heaps || Boolean(pieces[diagram[square]]),
  };
}

/**
 * The name of a square: its coordinates ("e4"), its number, or its row and column.
 * @param {Api.BoardAnswer} board
 * @param {number} square
 */
export function squareName({ style, rows, columns, labels }, square) {
  const [row, column] = [Math.floor(square / columns), square % columns];
  if (style === "holes") return t`column ${column + 1}, row ${rows - row}`;
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
  Array.from(diagram, (letter, square) => `${squareName(board, square)}, ${translated(board.pieces[letter]?.name ?? "empty")}`);

/**
 * A position in words: each kind of piece with its squares, or the sizes of the heaps.
 * @param {Api.BoardAnswer} board
 * @param {string} diagram
 */
export function positionText(board, diagram) {
  if (board.style === "heaps") return t`Heaps: ${heapSizes(board, diagram).filter(Boolean).join(", ")}.`;
  const letters = Array.from(diagram);
  const kinds = Object.entries(board.pieces).map(([letter, piece]) => {
    const name = translated(piece.name);
    const squares = letters.flatMap((each, square) => (each === letter ? squareName(board, square) : []));
    return squares.length ? `${name[0].toUpperCase()}${name.slice(1)}: ${squares.join(", ")}.` : "";
  });
  return kinds.filter(Boolean).join(" ") || t`The board is empty.`;
}
