// SPDX-License-Identifier: GPL-3.0-or-later
// Boards with squares in two colours.

import { corners, squareOf } from "./grids.js";

const [light, dark] = [squareOf("light"), squareOf("dark")];

/** @type {import("../styles.js").Style} */
export const checkered = {
  margin: 0,
  square: (places, square, row, column) => ((row + column) % 2 ? dark : light)(places, square),
  label: (about) => corners(about, (Math.floor(about.square / about.board.columns) + about.square % about.board.columns) % 2 ? "on-dark" : ""),
};
