// SPDX-License-Identifier: GPL-3.0-or-later
// Moves of several steps, such as those of backgammon: a person enters them step by step, in any order.

import { stepsOf } from "../marks.js";
import { styleOf } from "../styles.js";

/** @typedef {[number, number]} Step from a square to another one */

/**
 * The steps of a move that remain after those that are done; null: the move does not have them.
 * @param {Api.LegalMove} move
 * @param {Step[]} done
 */
function remaining(move, done) {
  const left = /** @type {Step[]} */ (stepsOf(move.squares));
  for (const [from, to] of done) {
    const index = left.findIndex((step) => step[0] === from && step[1] === to);
    if (index < 0) return null;
    left.splice(index, 1);
  }
  return left;
}

/**
 * The steps of ``left`` that lead one piece from a square to another one; null: there are none.
 * @param {Step[]} left
 * @param {number} from
 * @param {number} to
 * @returns {Step[] | null}
 */
function wayOf(left, from, to) {
  for (const [index, step] of left.entries()) {
    if (step[0] !== from) continue;
    if (step[1] === to) return [step];
    const further = wayOf(left.toSpliced(index, 1), step[1], to);
    if (further) return [step, ...further];
  }
  return null;
}

/**
 * The squares that the steps of ``left`` lead one piece to from a square.
 * @param {Step[]} left
 * @param {number} from
 * @returns {number[]}
 */
const endsOf = (left, from) =>
  left.flatMap((step, index) => (step[0] === from ? [step[1], ...endsOf(left.toSpliced(index, 1), step[1])] : []));

/**
 * The diagram after a step: a piece leaves its stack, and a single piece of the other seat goes to the bar.
 * @param {Api.BoardAnswer} board
 * @param {string} diagram
 * @param {Step} step
 */
function stepped(board, diagram, [from, to]) {
  const { pieces } = board;
  const letters = Array.from(diagram);
  /** @param {number} square @param {number | null | undefined} seat @param {number} more */
  const put = (square, seat, more) => {
    const now = pieces[letters[square]];
    const count = (now?.seat === seat ? now.count : 0) + more;
    letters[square] = Object.keys(pieces).find((letter) => pieces[letter].seat === seat && pieces[letter].count === count) ?? ".";
  };
  const [mover, other] = [pieces[letters[from]]?.seat, pieces[letters[to]]?.seat];
  put(from, mover, -1);
  if (other != null && other !== mover) {
    put(to, other, -1);
    put(styleOf(board).bars?.[other] ?? to, other, 1);
  }
  put(to, mover, 1);
  return letters.join("");
}

/**
 * What a person can do after the steps that are done.
 * @param {Api.BoardAnswer} board
 * @param {string} diagram before the first step
 * @param {Api.LegalMove[]} legal
 * @param {Step[]} done
 */
export function stepwise(board, diagram, legal, done) {
  const shown = done.reduce((now, step) => stepped(board, now, step), diagram);
  const ways = legal.map((move) => remaining(move, done) ?? []).filter((left) => left.length);
  const starts = new Set(ways.flatMap((left) => left.map(([from]) => from)).filter((square) => board.pieces[shown[square]]));
  return {
    shown,
    at: () => [],
    /**
     * The legal moves that a piece completes by going from one square to another. Empty unless there are several:
     * then the piece takes different ways, and hits different men.
     * @param {number} from @param {number} to
     */
    between: (from, to) => {
      const found = legal.filter((move) => {
        const left = remaining(move, done) ?? [];
        return left.length > 1 && wayOf(left, from, to)?.length === left.length;
      });
      return found.length > 1 ? found : [];
    },
    /** @param {number | null} selected */
    targets: (selected) => new Set(selected == null ? [] : ways.flatMap((left) => endsOf(left, selected))),
    starts,
    others: done.length ? [] : legal.filter((move) => move.squares.length === 0),
    /**
     * The steps that are done after one more; null: it is not legal.
     * @param {number} from @param {number} to
     */
    enter(from, to) {
      const way = ways.map((left) => wayOf(left, from, to)).find(Boolean);
      return way ? [...done, ...way] : null;
    },
    /**
     * The move that consists of these steps; undefined: more follow.
     * @param {Step[]} steps
     */
    whole: (steps) => legal.find((move) => move.squares.length > 0 && remaining(move, steps)?.length === 0),
  };
}
