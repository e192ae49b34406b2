// SPDX-License-Identifier: GPL-3.0-or-later
// Boards of heaps: each row is a heap of tokens, without squares. The drawing shows the heaps that there are.

import { SIZE } from "../squares.js";
import { t } from "../texts.js";
import { html } from "../view.js";
import { ground } from "./drawing.js";

/** The smallest part of the sides of a board that fills the drawing. */
const NEAREST = 0.4;
/** For the frame, and for the sizes of the heaps. */
const MARGIN = 80;

/**
 * The sizes of the heaps in a diagram, row by row.
 * @param {Api.BoardAnswer} board
 * @param {string} diagram
 */
const sizesOf = ({ rows, columns, pieces }, diagram) =>
  Array.from({ length: rows }, (_, row) => Array.from(diagram.slice(row * columns, (row + 1) * columns)).filter((letter) => pieces[letter]).length);

/** @type {import("../styles.js").Style} */
export const heaps = {
  margin: MARGIN,
  fixed: true,
  still: true,
  rings: true,
  below: (area) => ground("tray", area, 24, 4),
  // the part around the tokens, with the sides of the whole
  area(board, diagram) {
    const { rows, columns } = board;
    const [width, height] = [columns, rows].map((side) => side * SIZE + 2 * MARGIN);
    const sizes = sizesOf(board, diagram).filter(Boolean);
    const part = sizes.length ? Math.min(1, Math.max(NEAREST, (Math.max(...sizes) + 2) / columns, (sizes.length + 1) / rows)) : 1;
    const [wide, high] = [Math.round(part * width), Math.round(part * height)];
    return { x: (columns * SIZE - wide) / 2, y: (rows * SIZE - high) / 2, width: wide, height: high };
  },
  // tokens; heaps are centred
  places(board, _flipped, diagram) {
    const { rows, columns, pieces } = board;
    const sizes = sizesOf(board, diagram);
    const top = (rows - sizes.filter(Boolean).length) / 2;
    return {
      corner: (square) => {
        const [row, column] = [Math.floor(square / columns), square % columns];
        return { x: (column + (columns - (sizes[row] || columns)) / 2) * SIZE, y: (row + top) * SIZE };
      },
      drawn: (square) => Boolean(pieces[diagram[square]]),
    };
  },
  // the sizes of the heaps, beside them
  above(board, diagram, places, bare) {
    if (bare) return null;
    return sizesOf(board, diagram).map((size, row) => {
      const { x, y } = places.corner(row * board.columns);
      return size > 0 && html`<text key=${`s${row}`} class="label count" font-size="48" text-anchor="end" x=${x - 12} y=${y + 67}>${size}</text>`;
    });
  },
  text: (board, diagram) => t`Heaps: ${sizesOf(board, diagram).filter(Boolean).join(", ")}.`,
  // a token stands for the split after it. Moves are written WHOLE=PART+PART, smaller part first
  choices({ columns, pieces }, diagram, legal) {
    const known = new Map(legal.map((move) => [move.move, move]));
    /** @type {Map<number, Api.LegalMove>} */
    const splits = new Map();
    const names = Array.from(diagram, () => t`no token`);
    for (let start = 0; start < diagram.length; start += columns) {
      const row = Array.from(diagram.slice(start, start + columns));
      const size = row.filter((letter) => pieces[letter]).length;
      for (let index = 0; index < size; index++) {
        const parts = [index + 1, size - index - 1];
        const move = known.get(`${size}=${Math.min(...parts)}+${Math.max(...parts)}`);
        if (move) splits.set(start + index, move);
        names[start + index] = `heap ${start / columns + 1}, token ${index + 1} of ${size}${move ? t`: split into ${parts[0]} and ${parts[1]}` : ""}`;
      }
    }
    return {
      at: (square) => [splits.get(square)].flatMap((move) => (move ? [move] : [])),
      between: () => [],
      targets: () => new Set(splits.keys()),
      starts: new Set(),
      others: [],
      names,
    };
  },
};
