// SPDX-License-Identifier: GPL-3.0-or-later
// Strips of rounds: a column for each round, with the action of the second seat above that of the first.

import { SIZE } from "../squares.js";
import { t } from "../texts.js";
import { parts } from "./drawing.js";
import { squareOf } from "./grids.js";

/** The space between two strips, and the size of their numbers. */
const [GAP, FONT] = [56, 36];

/** @param {number} row */
const topOf = (row) => row * SIZE + Math.floor(row / 2) * GAP;

/** @type {import("../styles.js").Style} */
export const rounds = {
  margin: 20,
  fixed: true,
  still: true,
  area: ({ rows, columns }) => ({ x: -20, y: -20, width: columns * SIZE + 40, height: topOf(rows - 1) + SIZE + GAP + 20 }),
  places: ({ columns }) => ({ corner: (square) => ({ x: (square % columns) * SIZE, y: topOf(Math.floor(square / columns)) }) }),
  square: squareOf("cell"),
  // in the space below the strip
  label({ text, places, square }) {
    const { x, y } = places.corner(square);
    return parts(text, square, () => ({ "font-size": FONT, x: x + SIZE / 2, y: y + SIZE + 40, "text-anchor": "middle" }));
  },
  name: ({ columns }, square) => t`round ${Math.floor(square / (2 * columns)) * columns + (square % columns) + 1}`,
};
