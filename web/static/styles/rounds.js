// SPDX-License-Identifier: GPL-3.0-or-later
// Strips of rounds: a column for each round, with the action of the second seat above that of the first, or below it on
// a flipped board.

import { SIZE } from "../squares.js";
import { t } from "../texts.js";
import { parts } from "./drawing.js";
import { squareOf } from "./grids.js";

/** The space between two strips, and the size of their numbers. */
const [GAP, FONT] = [56, 36];

/** From the top of a strip to that of the next one. */
const STRIP = 2 * SIZE + GAP;

/** @param {number} row */
const topOf = (row) => Math.floor(row / 2) * STRIP + (row % 2) * SIZE;

/** @type {import("../styles.js").Style} */
export const rounds = {
  margin: 20,
  still: true,
  area: ({ rows, columns }) => ({ x: -20, y: -20, width: columns * SIZE + 40, height: topOf(rows - 1) + SIZE + GAP + 20 }),
  places({ columns }, flipped) {
    /** @param {number} row @param {number} column @returns {[number, number]} */
    const seen = (row, column) => [flipped ? row ^ 1 : row, column];
    return { seen, corner: (square) => ({ x: (square % columns) * SIZE, y: topOf(seen(Math.floor(square / columns), 0)[0]) }) };
  },
  square: squareOf("cell"),
  // in the space below the strip
  label({ text, places, square }) {
    const { x, y } = places.corner(square);
    return parts(text, square, () => ({ "font-size": FONT, x: x + SIZE / 2, y: Math.floor(y / STRIP) * STRIP + 2 * SIZE + 40, "text-anchor": "middle" }));
  },
  name: ({ columns }, square) => t`round ${Math.floor(square / (2 * columns)) * columns + (square % columns) + 1}`,
};
