// SPDX-License-Identifier: GPL-3.0-or-later
// Boards of wood with lines through the middle of the squares, which are points.

import { SIZE } from "../squares.js";
import { ground, parts } from "./drawing.js";
import { rules } from "./grids.js";

/** @type {import("../styles.js").Style} */
export const lines = {
  margin: 50,
  newest: true,
  below: (area) => ground("wood", area),
  above: (board) => rules(board, SIZE / 2),
  // outside of the board: numbers at the left, letters below
  label({ board: { rows, columns }, text, places, square }) {
    // the same on screen for small and large boards, as far as two digits fit between the edge and the stones
    const font = Math.min(36, 3 * columns);
    const middle = places.middle(square);
    return parts(text, square, (part) => {
      const { x, y } = part < ":" ? { x: -25, y: middle.y } : { x: middle.x, y: rows * SIZE + 24 };
      return { "font-size": font, "text-anchor": "middle", x, y: y + 0.36 * font };
    });
  },
};
