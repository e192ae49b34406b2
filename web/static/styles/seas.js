// SPDX-License-Identifier: GPL-3.0-or-later
// Two seas side by side, with an empty column between them. Seen from the other side, they change places.

import { SIZE } from "../squares.js";
import { t } from "../texts.js";
import { parts } from "./drawing.js";
import { squareOf } from "./grids.js";

const FONT = 44;

/** The columns of a sea, without the empty one. @param {number} columns */
const widthOf = (columns) => (columns - 1) / 2;

/** @type {import("../styles.js").Style} */
export const seas = {
  margin: 60,
  still: true,
  rings: true,
  places({ columns }, flipped) {
    const wide = widthOf(columns);
    return {
      drawn: (square) => square % columns !== wide,
      seen: (row, column) => [row, flipped && column !== wide ? (column + wide + 1) % (columns + 1) : column],
    };
  },
  square: (places, square) => places.drawn(square) && squareOf("sea")(places, square),
  // outside of the sea: numbers at the left, letters above
  label({ text, places, square }) {
    const { x, y } = places.corner(square);
    return parts(text, square, (part) => ({
      "font-size": FONT, ...(part < ":" ? { x: x - 10, y: y + SIZE / 2 + 16, "text-anchor": "end" } : { x: x + SIZE / 2, y: -14, "text-anchor": "middle" }),
    }));
  },
  name({ columns }, square) {
    const [row, column, wide] = [Math.floor(square / columns), square % columns, widthOf(columns)];
    const name = `${String.fromCharCode(65 + (column % (wide + 1)))}${row + 1}`;
    return column < wide ? t`first sea, ${name}` : t`second sea, ${name}`;
  },
};
