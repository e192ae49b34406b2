// SPDX-License-Identifier: GPL-3.0-or-later
// A table with cards: a row of cards of seat 1, one in the middle and one of seat 0. The cards of a row are side by side
// in its middle.

import { SIZE } from "../squares.js";
import { t } from "../texts.js";
import { html } from "../view.js";
import { ground } from "./drawing.js";

/** The height of a row. */
const HEIGHT = 112;
/** The table has room for so many cards side by side, or for the columns of the board. */
const COLUMNS = 5;
/** The space around the cards, and for the moves of the hand below them. */
const [MARGIN, LINE] = [30, 24];
/** From the middle of the table to the chips of a seat. */
const CHIPS = 170;
const CHIP = 0.6;

/** @type {import("../styles.js").Style} */
export const cards = {
  margin: MARGIN,
  still: true,
  closes: true,
  area({ rows, columns: own }) {
    const columns = Math.max(own, COLUMNS);
    return { x: ((own - columns) * SIZE) / 2 - MARGIN, y: -MARGIN, width: columns * SIZE + 2 * MARGIN, height: rows * HEIGHT + 2 * MARGIN + LINE };
  },
  places({ rows, columns, pieces }, flipped, diagram) {
    /** @param {number} row @param {number} column @returns {[number, number]} */
    const seen = (row, column) => [flipped ? rows - 1 - row : row, column];
    /** @param {number} square */
    const corner = (square) => {
      const [row, column] = [Math.floor(square / columns), square % columns];
      const size = Array.from(diagram.slice(row * columns, (row + 1) * columns)).filter((letter) => pieces[letter]).length;
      return { x: Math.floor(((columns - size) * SIZE) / 2) + column * SIZE, y: seen(row, column)[0] * HEIGHT };
    };
    return {
      seen,
      corner,
      height: HEIGHT,
      drawn: (square) => Boolean(pieces[diagram[square]]),
      middle: (square) => {
        const { x, y } = corner(square);
        return { x: x + SIZE / 2, y: y + HEIGHT / 2 };
      },
    };
  },
  below: (area) => ground("felt", area, 24),
  mark(kind, places, square) {
    const { x, y } = places.corner(square);
    return html`<rect key=${`${kind} ${square}`} class=${kind} x=${x + 4} y=${y + 3} width=${SIZE - 8} height=${HEIGHT - 6} rx="14" />`;
  },
  aside({ bets, history }, { rows, columns }, bottom, piece) {
    const middle = (columns * SIZE) / 2;
    return [
      bets?.map((chips, seat) => {
        const y = (seat === bottom ? rows - 1 : 0) * HEIGHT + HEIGHT / 2;
        return html`
          <g transform=${`translate(${middle + CHIPS - 50} ${y}) scale(${CHIP})`}>${piece({ shape: "counter", tone: "yellow" })}</g>
          <text class="bet" font-size="36" x=${middle + CHIPS - 18} y=${y + 13}>${chips}</text>
        `;
      }),
      history && html`<text class="label" font-size="24" text-anchor="middle" x=${middle} y=${rows * HEIGHT + LINE}>${history}</text>`,
    ];
  },
  name: ({ columns }, square) => t`row ${Math.floor(square / columns) + 1}, card ${(square % columns) + 1}`,
};
