// SPDX-License-Identifier: GPL-3.0-or-later
// A table of felt without lines, for the cards of four players: North's in the first row, South's in the last one, West's
// and East's in the two columns at the left and at the right. Turned, the table rotates by a quarter: West sits at the bottom.

import { SIZE } from "../squares.js";
import { t } from "../texts.js";
import { ground, parts } from "./drawing.js";

const FONT = 40;
const SIDES = [t`North`, t`East`, t`South`, t`West`];

/**
 * The player whose hand a square belongs to, 0 for North, then clockwise; null in the middle.
 * @param {{ rows: number, columns: number }} board
 * @param {number} square
 */
function playerOf({ rows, columns }, square) {
  const [row, column] = [Math.floor(square / columns), square % columns];
  if (row === 0 || row === rows - 1) return row ? 2 : 0;
  return column < 2 ? 3 : column >= columns - 2 ? 1 : null;
}

/**
 * The square of a card: ``index`` of ``count`` cards of a hand.
 * @param {{ rows: number, columns: number }} board
 * @param {number} player
 * @param {number} index
 * @param {number} count
 */
function placeOf({ rows, columns }, player, index, count) {
  if (player % 2 === 0) return (player ? rows - 1 : 0) * columns + Math.floor((columns - count) / 2) + index;
  const tall = rows - 2;
  return (1 + (index % tall)) * columns + (player === 1 ? columns - 2 : 0) + Math.floor(index / tall);
}

/**
 * The squares of the middle that belong to a player, from the player to the middle of the table: the letter of the side,
 * and the card of the trick.
 * @param {{ rows: number, columns: number }} board
 * @param {number} player
 */
function before({ rows, columns }, player) {
  const [middle, centre] = [(rows - 1) / 2, (columns - 1) / 2];
  const [down, right] = [[-1, 0], [0, 1], [1, 0], [0, -1]][player];
  // the table is wider than high
  return (right ? [4, 2] : [3, 2]).map((far) => (middle + far * down) * columns + centre + far * right);
}

/**
 * The square on which each square of a turned table is seen. Empty squares fill what the cards leave.
 * @param {Api.BoardAnswer} board
 * @param {string} diagram
 */
function rotated(board, diagram) {
  const { rows, columns, pieces } = board;
  /** @type {number[]} */
  const seen = Array(diagram.length).fill(-1);
  const squares = Array.from(diagram, (_, square) => square);
  for (const player of [0, 1, 2, 3]) {
    const next = (player + 3) % 4;
    const own = squares.filter((square) => pieces[diagram[square]] && playerOf(board, square) === player);
    const places = own.map((_, index) => placeOf(board, player, index, own.length));
    for (const square of own) seen[square] = placeOf(board, next, places.indexOf(square), own.length);
    const [here, there] = [before(board, player), before(board, next)];
    here.forEach((square, index) => (seen[square] = there[index]));
  }
  const centre = (rows * columns - 1) / 2; // the strain
  seen[centre] = centre;
  const taken = new Set(seen);
  // the place of a card that has just been played, from which it moves
  for (const square of squares) {
    const player = playerOf(board, square);
    if (player == null || seen[square] >= 0) continue;
    const count = 1 + squares.filter((each) => pieces[diagram[each]] && playerOf(board, each) === player).length;
    const index = squares.slice(0, count).findIndex((each) => placeOf(board, player, each, count) === square);
    const place = placeOf(board, (player + 3) % 4, index, count);
    if (index < 0 || taken.has(place)) continue;
    taken.add((seen[square] = place));
  }
  const free = squares.filter((square) => !taken.has(square));
  return seen.map((place) => (place < 0 ? (free.shift() ?? 0) : place));
}

/** @type {import("../styles.js").Style} */
export const table = {
  margin: 24,
  closes: true,
  places(board, flipped, diagram) {
    if (!flipped) return {};
    const [{ columns }, seen] = [board, rotated(board, diagram)];
    const under = seen.map((_, place) => seen.indexOf(place));
    /** @param {number[]} squares @returns {(row: number, column: number) => [number, number]} */
    const by = (squares) => (row, column) => {
      const square = squares[row * columns + column];
      return [Math.floor(square / columns), square % columns];
    };
    return { seen: by(seen), under: by(under) };
  },
  below: (area) => ground("felt", area, 40),
  label: ({ text, places, square }) => {
    const { x, y } = places.corner(square);
    return parts(text, square, () => ({ "font-size": FONT, x: x + SIZE / 2, y: y + SIZE / 2 + 14, "text-anchor": "middle" }));
  },
  name(board, square) {
    const player = playerOf(board, square);
    return player == null ? t`table` : SIDES[player];
  },
};
