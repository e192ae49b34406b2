// SPDX-License-Identifier: GPL-3.0-or-later
// The board of backgammon: two rows of 12 points with the bar between them and a tray at the right, stacks of men, dice
// and the doubling cube.

import { dieOf } from "../dice.js";
import { SIZE } from "../squares.js";
import { t } from "../texts.js";
import { html } from "../view.js";
import { ground, parts } from "./drawing.js";

const [COLUMNS, BAR, TRAY] = [14, 6, 13];
/** Of a square, of a triangle, and the width of a half of the board. */
const [HEIGHT, TIP, HALF] = [560, 450, 6 * SIZE];
/** From one man of a stack to the next, to the middle of the first; of men in a tray. */
const [PITCH, FIRST, SLAB] = [90, 46, 34];
/** The largest stack that is drawn whole. */
const MOST = 5;

/** @param {number} square */
const columnOf = (square) => square % COLUMNS;

/**
 * The way from one man of a stack to the next: down from the upper edge, up from the lower edge, and from the middle on
 * the bar.
 * @param {number} row on the screen
 * @param {number} column
 */
const wayOf = (row, column) => ((column === BAR) === (row === 0) ? -1 : 1);

/**
 * Where a man of a stack is.
 * @param {number} row on the screen
 * @param {number} column
 * @param {number} index from 0 for the first one
 */
function heightOf(row, column, index) {
  const way = wayOf(row, column);
  if (column === BAR) return HEIGHT + way * (FIRST + 70 + PITCH * index);
  const edge = row ? 2 * HEIGHT : 0;
  return edge + way * (column === TRAY ? 24 + SLAB * index : FIRST + PITCH * index);
}

/**
 * A triangle for a point, or a rectangle for the bar and for a tray.
 * @param {string} kind
 * @param {import("../squares.js").Places} places
 * @param {number} square
 * @param {string} key
 */
function field(kind, places, square, key) {
  const { x, y } = places.corner(square);
  if (columnOf(square) === BAR || columnOf(square) === TRAY) return html`<rect key=${key} class=${kind} x=${x + 6} y=${y + 6} width=${SIZE - 12} height=${HEIGHT - 12} rx="8" />`;
  const [edge, tip] = y ? [2 * HEIGHT, 2 * HEIGHT - TIP] : [0, TIP];
  return html`<polygon key=${key} class=${kind} points=${`${x + 2},${edge} ${x + SIZE / 2},${tip} ${x + SIZE - 2},${edge}`} />`;
}

/**
 * The number on a man or on the cube.
 * @param {number} number
 */
const numbered = (number) => html`<text class="pip number" font-size="44" text-anchor="middle" y="15">${number}</text>`;

/** @type {import("../styles.js").Style} */
export const points = {
  margin: 56,
  pairs: true,
  area: () => ({ x: -56, y: -56, width: COLUMNS * SIZE + 112, height: 2 * HEIGHT + 112 }),
  places({ pieces }, flipped, diagram) {
    /** @param {number} row @param {number} column @returns {[number, number]} */
    const seen = (row, column) => [flipped ? 1 - row : row, column];
    /** @param {number} square */
    const at = (square) => seen(Math.floor(square / COLUMNS), columnOf(square));
    return {
      seen,
      height: HEIGHT,
      corner: (square) => {
        const [row, column] = at(square);
        return { x: column * SIZE, y: row * HEIGHT };
      },
      middle: (square) => {
        const [row, column] = at(square);
        const count = pieces[diagram[square]]?.count ?? 1;
        return { x: column * SIZE + SIZE / 2, y: heightOf(row, column, (column === TRAY ? count : Math.min(count, MOST)) - 1) };
      },
    };
  },
  below: (area) => [ground("rail", area, 16), [0, BAR + 1].map((column) => html`<rect class="field" x=${column * SIZE} y="0" width=${HALF} height=${2 * HEIGHT} />`)],
  square(places, square, row, column) {
    if (column === BAR) return null;
    const kind = column === TRAY ? "slot" : (row + column + Number(column > BAR)) % 2 ? "point" : "pale-point";
    return field(kind, places, square, `${square}`);
  },
  mark: (kind, places, square) => field(kind, places, square, `${kind} ${square}`),
  // the frame has the numbers of the lower seat's view: a point of the row above has the number of the one below
  label({ text, square }) {
    const low = square >= COLUMNS;
    return parts(text, square, () => ({ "font-size": 36, "text-anchor": "middle", x: columnOf(square) * SIZE + SIZE / 2, y: low ? 2 * HEIGHT + 41 : -16 }));
  },
  stack({ tone, count }, places, square, shape) {
    const [row, column] = [Number(places.corner(square).y > 0), columnOf(square)];
    const back = -wayOf(row, column);
    if (column === TRAY) {
      return html`<g class=${`piece tone-${tone}`}>${Array.from({ length: count }, (_, index) => html`<rect class="body" x="-36" y=${back * SLAB * index - 15} width="72" height="30" rx="6" />`)}</g>`;
    }
    const below = Math.min(count, MOST) - 1;
    return [
      Array.from({ length: below }, (_, index) => html`<g transform=${`translate(0 ${back * PITCH * (below - index)})`}>${shape}</g>`),
      shape,
      count > MOST && html`<g class=${`tone-${tone}`}>${numbered(count)}</g>`,
    ];
  },
  aside({ dice = [], roller = 0, cube = 0, owner }, _board, bottom, piece) {
    const half = roller === bottom ? BAR + 1 : 0;
    const held = owner == null ? HEIGHT : owner === bottom ? 2 * HEIGHT - 50 : 50;
    return [
      dice.map((face, index) => html`<g class="die" transform=${`translate(${half * SIZE + HALF / 2 + 92 * (index - (dice.length - 1) / 2)} ${HEIGHT})`}>${piece(dieOf(face, roller))}</g>`),
      cube > 0 && html`<g class="cube tone-light" transform=${`translate(${BAR * SIZE + SIZE / 2} ${held})`}><rect class="body" x="-38" y="-38" width="76" height="76" rx="10" />${numbered(cube === 1 ? 64 : cube)}</g>`,
    ];
  },
  bars: [BAR, COLUMNS + BAR],
  name({ labels }, square) {
    if (columnOf(square) === BAR) return t`bar`;
    return columnOf(square) === TRAY ? t`tray` : t`point ${labels[square]}`;
  },
};
