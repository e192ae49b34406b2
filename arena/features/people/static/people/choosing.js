// SPDX-License-Identifier: GPL-3.0-or-later
// From squares that a person picks to legal moves, for every game.

import { t } from "../texts.js";

/** @typedef {Api.LegalMove} Move */

/** @param {Move} move */
const from = (move) => move.squares[0];
/** @param {Move} move */
const to = (move) => move.squares[move.squares.length - 1];

/**
 * The legal moves that squares of the board mean. Boards of heaps: a token stands for the split after it. Other boards:
 * moves of one square by this square, of an upright board by any square of its column; other moves by their first and
 * their last square.
 * @param {Api.BoardAnswer} board
 * @param {string} diagram
 * @param {Move[]} legal
 */
export function choices(board, diagram, legal) {
  if (board.style === "heaps") return heaps(board, diagram, legal);
  const single = legal.filter((move) => move.squares.length === 1);
  /** @param {number} square */
  const column = (square) => square % board.columns;
  const pairs = legal.filter((move) => move.squares.length > 1);
  return {
    /** @param {number} square */
    at: (square) => single.filter((move) => (board.style === "holes" ? column(from(move)) === column(square) : from(move) === square)),
    /** @param {number} start @param {number} end */
    between: (start, end) => pairs.filter((move) => from(move) === start && to(move) === end),
    /** @param {number | null} selected */
    targets: (selected) => new Set(selected == null ? single.map(from) : pairs.filter((move) => from(move) === selected).map(to)),
    starts: new Set(pairs.map(from)),
    others: legal.filter((move) => move.squares.length === 0),
    names: undefined,
  };
}

/**
 * Moves of heaps are written WHOLE=PART+PART, smaller part first.
 * @param {Api.BoardAnswer} board
 * @param {string} diagram
 * @param {Move[]} legal
 */
function heaps({ columns, pieces }, diagram, legal) {
  const known = new Map(legal.map((move) => [move.move, move]));
  /** @type {Map<number, Move>} */
  const splits = new Map();
  const names = Array.from(diagram, () => t`no token`);
  for (let start = 0; start < diagram.length; start += columns) {
    const row = Array.from(diagram.slice(start, start + columns));
    const size = row.filter((letter) => pieces[letter]).length;
    for (let index = 0; index < size; index++) {
      const parts = [index + 1, size - index - 1];
      const move = known.get(`${size}=${Math.min(...parts)}+${Math.max(...parts)}`);
      if (move) splits.set(start + index, move);
      names[start + index] = `heap ${start / columns + 1}, token ${index + 1} of ${size}${move ? t`: split into ${parts[0]} and ${parts[1]}` : ""}`;
    }
  }
  return {
    /** @param {number} square */
    at: (square) => [splits.get(square)].flatMap((move) => (move ? [move] : [])),
    between: () => /** @type {Move[]} */ ([]),
    targets: () => new Set(splits.keys()),
    starts: /** @type {Set<number>} */ (new Set()),
    others: /** @type {Move[]} */ ([]),
    names,
  };
}

/**
 * The legal move that a typed text means: as bots write it, or in the usual notation.
 * @param {Move[]} legal
 * @param {string} text
 */
export function typed(legal, text) {
  /** @param {string} value */
  const plain = (value) => value.replace(/[\s+#=-]/g, "");
  const wanted = text.trim();
  return (
    legal.find((move) => move.move === wanted || move.said === wanted) ??
    legal.find((move) => plain(move.move) === plain(wanted) || plain(move.said) === plain(wanted)) ??
    null
  );
}
