// SPDX-License-Identifier: GPL-3.0-or-later
// From squares that a person picks to legal moves, for every game.

import { styleOf } from "../styles.js";
import { stepwise } from "./steps.js";

/** @typedef {Api.LegalMove} Move */

/** @param {Move} move */
const from = (move) => move.squares[0];
/** @param {Move} move */
const to = (move) => move.squares[move.squares.length - 1];

/**
 * The legal moves that squares of the board mean, if the style of the board does not say it: moves of one square by this
 * square or one that means the same; other moves by their first and their last square, or by their steps, of which some
 * are ``done``.
 * @param {Api.BoardAnswer} board
 * @param {string} diagram
 * @param {Move[]} legal
 * @param {import("./steps.js").Step[]} done
 */
export function choices(board, diagram, legal, done) {
  const { choices: own, pairs: stepped, same } = styleOf(board);
  if (own) return own(board, diagram, legal);
  if (stepped) return stepwise(board, diagram, legal, done);
  const single = legal.filter((move) => move.squares.length === 1);
  const pairs = legal.filter((move) => move.squares.length > 1);
  return {
    /** @param {number} square */
    at: (square) => single.filter((move) => from(move) === square || same?.(board, from(move), square)),
    /** @param {number} start @param {number} end */
    between: (start, end) => pairs.filter((move) => from(move) === start && to(move) === end),
    /** @param {number | null} selected */
    targets: (selected) => new Set(selected == null ? single.map(from) : pairs.filter((move) => from(move) === selected).map(to)),
    starts: new Set(pairs.map(from)),
    others: legal.filter((move) => move.squares.length === 0),
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
