// SPDX-License-Identifier: GPL-3.0-or-later
// Upright boards with a hole for each square, where pieces fall to the bottom; they are never turned.

import { SIZE } from "../squares.js";
import { t } from "../texts.js";
import { html } from "../view.js";
import { ground, parts } from "./drawing.js";
import { fontOf } from "./grids.js";

const [HOLE, AROUND] = [41, 46]; // radius of a hole, and of a mark around it

/** @type {NonNullable<import("../styles.js").Style["mark"]>} */
const mark = (kind, places, square) => {
  const { x, y } = places.middle(square);
  return html`<circle key=${`${kind} ${square}`} class=${kind} cx=${x} cy=${y} r=${kind === "hole" ? HOLE : AROUND} />`;
};

/** @type {import("../styles.js").Style} */
export const holes = {
  margin: 20,
  fixed: true,
  falls: true,
  below: (area) => ground("plate", area, 28),
  square: (places, square) => mark("hole", places, square),
  mark,
  // in the frame below the hole
  label({ board, text, places, square }) {
    const { x, y } = places.corner(square);
    return parts(text, square, () => ({ "font-size": fontOf(board), x: x + SIZE / 2, y: y + SIZE + 13, "text-anchor": "middle" }));
  },
  name: ({ rows, columns }, square) => t`column ${(square % columns) + 1}, row ${rows - Math.floor(square / columns)}`,
  same: ({ columns }, one, other) => one % columns === other % columns,
};
