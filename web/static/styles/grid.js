// SPDX-License-Identifier: GPL-3.0-or-later
// Boards with lines between the squares.

import { corners, rules, squareOf } from "./grids.js";

/** @type {import("../styles.js").Style} */
export const grid = { margin: 6, square: squareOf("cell"), label: corners, above: (board) => rules(board) };
