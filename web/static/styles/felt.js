// SPDX-License-Identifier: GPL-3.0-or-later
// Boards of felt, with lines between the squares, and with four dots if they are large.

import { SIZE } from "../squares.js";
import { html } from "../view.js";
import { corners, rules, squareOf } from "./grids.js";

/** The least rows and columns of a board with dots. */
const DOTTED = 8;

/**
 * The four dots, two squares from the edges.
 * @param {Api.BoardAnswer} board
 */
function dots({ rows, columns }) {
  if (Math.min(rows, columns) < DOTTED) return null;
  return [2, rows - 2].flatMap((row) => [2, columns - 2].map((column) => html`<circle class="dots" cx=${column * SIZE} cy=${row * SIZE} r="8" />`));
}

/** @type {import("../styles.js").Style} */
export const felt = { margin: 6, square: squareOf("felt"), label: corners, above: (board) => [rules(board), dots(board)] };
