// SPDX-License-Identifier: GPL-3.0-or-later
// How a match ended: in words, and marked on the board; the same as web/ending_words.py.

import { half, reason } from "./format.js";
import { t } from "./texts.js";

const WAYS = [[0, 1], [1, 0], [1, 1], [1, -1]]; // of lines, as rows down and columns to the right

/** @typedef {{ game: string, board: Api.BoardAnswer, ending: Protocol.Ending, diagram: string,
 *   aside?: Api.Aside | null }} End ``diagram``, ``aside``: of the last position */

/**
 * The name of a game without its variant.
 * @param {string} game
 */
export const family = (game) => game.split("/")[0];

/**
 * The seat that won; -1: none.
 * @param {string} result
 */
export const winnerOf = (result) => ["1-0", "0-1"].indexOf(result);

/**
 * Whether chess is drawn by insufficient material: kings with at most one minor piece, or with bishops on squares of one
 * colour.
 * @param {Api.BoardAnswer} board
 * @param {string} diagram
 */
function dead({ columns }, diagram) {
  if (/[pqr]/i.test(diagram)) return false;
  const minor = Array.from(diagram).flatMap((letter, square) =>
    /[bn]/i.test(letter) ? `${letter.toLowerCase()}${(Math.floor(square / columns) + (square % columns)) % 2}` : []);
  return minor.length < 2 || (minor[0][0] === "b" && new Set(minor).size === 1);
}

/**
 * How a match ended, after "won" or "Draw", with the points if there are more than one.
 * @param {End} end
 */
export function how(end) {
  const { payoff = 1 } = end.ending;
  const points = payoff === 1 ? "" : t`${payoff} points`;
  return [way(end), points].filter(Boolean).join(", ");
}

/** @param {End} end */
function way({ game, board, ending, diagram, aside }) {
  if (ending.termination !== "decided") return reason(ending.termination);
  const winner = winnerOf(ending.result);
  const seats = Array.from(diagram, (letter) => board.pieces[letter]?.seat);
  const left = winner >= 0 && seats.includes(1 - winner);
  if (board.line) return winner >= 0 ? t`with ${board.line} in a row` : t`on a full board`;
  switch (family(game)) {
    case "chess":
      return winner >= 0 ? t`by checkmate` : dead(board, diagram) ? t`by insufficient material` : t`by stalemate`;
    case "checkers":
      return winner < 0 ? "" : left ? t`because the opponent has no legal move` : t`by capturing every piece`;
    case "einstein":
      return winner < 0 ? "" : left ? t`by reaching the opposite corner` : t`by capturing every stone`;
    case "nim":
      return t`because the opponent has no legal move`;
    case "othello":
      return discs(seats);
    case "go": {
      const [one, other] = aside?.counts ?? [0, 0];
      return one === other ? "" : t`by ${half(Math.abs(one - other))} points`;
    }
  }
  return "";
}

/**
 * The number of discs of both sides, with the empty squares if there are some: tournaments give them to the winner.
 * @param {(number | null | undefined)[]} seats
 */
function discs(seats) {
  const sides = [0, 1].map((seat) => seats.filter((each) => each === seat).length);
  const [more, fewer] = [Math.max(...sides), Math.min(...sides)];
  if (fewer === more || fewer + more === seats.length) return t`with ${more} discs to ${fewer}`;
  return t`with ${more} discs to ${fewer} (${seats.length - fewer} to ${fewer} with the empty squares)`;
}

/**
 * The squares of all lines that win, in the order of the diagram.
 * @param {Api.BoardAnswer} board
 * @param {boolean[]} owned whether the winner's piece is on a square
 */
function lines({ rows, columns, line }, owned) {
  /** @type {Set<number>} */
  const found = new Set();
  for (const square of owned.keys()) {
    const [row, column] = [Math.floor(square / columns), square % columns];
    for (const [down, right] of WAYS) {
      const [last, end] = [row + (line - 1) * down, column + (line - 1) * right];
      const each = Array.from({ length: line }, (_, step) => square + step * (down * columns + right));
      if (last < rows && end >= 0 && end < columns && each.every((at) => owned[at])) each.forEach((at) => found.add(at));
    }
  }
  return Array.from(found).sort((a, b) => a - b);
}

/**
 * What decided a match, as properties of the board: the lines that win, the king without a legal move, the pieces
 * captured by the last move or without a legal move, the last square. ``squares``: of the last move; ``before``: the
 * diagram before it, if known.
 * @param {Omit<End, "ending"> & { ending?: Protocol.Ending | null, squares?: number[], before?: string }} end
 * @returns {{ won?: number[], lost?: number[], ghosts?: import("./marks.js").Ghost[] }}
 */
export function deciding({ game, board, ending, diagram, squares = [], before = "" }) {
  if (ending?.termination !== "decided") return {};
  const winner = winnerOf(ending.result);
  const seats = Array.from(diagram, (letter) => board.pieces[letter]?.seat);
  const every = Array.from(diagram, (_, square) => square);
  if (board.line) return winner < 0 ? {} : { won: lines(board, seats.map((seat) => seat === winner)) };
  switch (family(game)) {
    case "chess": {
      if (!squares.length || (winner < 0 && dead(board, diagram))) return {};
      // the king of the side that did not make the last move
      const mover = seats[squares[squares.length - 1]];
      return { lost: every.filter((square) => /k/i.test(diagram[square]) && seats[square] !== mover) };
    }
    case "checkers": {
      if (winner < 0) return {};
      const taken = every.filter((square) => board.pieces[before[square]]?.seat === 1 - winner && seats[square] == null);
      const left = every.filter((square) => seats[square] === 1 - winner);
      return { lost: [...taken, ...left], ghosts: taken.map((square) => ({ square, letter: before[square] })) };
    }
    case "einstein":
      return winner < 0 ? {} : { won: squares.slice(-1) };
  }
  return {};
}
