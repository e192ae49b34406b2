// SPDX-License-Identifier: GPL-3.0-or-later
// Win-chance bar beside a board: the newest score of each side on a logistic scale of the game.

import { latest } from "../reports.js";
import { percent } from "../format.js";
import { html } from "../view.js";

/** The score in pawn units at which a side wins three games in four, by family of games. */
const SCALES = { chess: 1.9, checkers: 1, einstein: 1, nim: 0.4, tictactoe: 0.4 };

/**
 * The chance of the first side, from 0 to 1, by a score in its favour.
 * @param {string} game
 * @param {number} score
 */
export function chance(game, score) {
  const scale = SCALES[/** @type {keyof typeof SCALES} */ (game.split("/")[0])] ?? 1;
  return 1 / (1 + 3 ** (-score / scale));
}

/**
 * The bar: its fill is the mean of both sides' chances; a tick for each side, whose distance is their disagreement.
 * ``bottom``: the seat at the bottom of the board; ``called``: the names of both sides.
 * @param {{ game: string, moves: Api.SeenMove[], ply: number, bottom: number, called: string[] }} props
 */
export function Chances({ game, moves, ply, bottom, called }) {
  /** @param {number} seat */
  const told = (seat) => {
    const score = latest(moves, ply, seat)?.info?.score;
    return score == null ? null : chance(game, seat === bottom ? score : -score);
  };
  const sides = [told(0), told(1)];
  const known = sides.filter((each) => each != null);
  if (!known.length) return html`<div class="chances"></div>`;
  const mean = known.reduce((sum, each) => sum + each, 0) / known.length;
  const words = sides.map((each, seat) => (each == null ? "" : `${called[seat]}: ${percent(each)}`)).filter(Boolean).join(", ");
  const label = `Chance of ${called[bottom]} by the scores: ${words}`;
  return html`
    <div class="chances" role="img" aria-label=${label} title=${label}>
      <span class="fill" style=${{ height: percent(mean, 1).replace(" ", "") }}></span>
      ${sides.map((each, seat) => each != null && html`<i class=${`tick seat${seat}`} style=${{ bottom: percent(each, 1).replace(" ", "") }}></i>`)}
    </div>
  `;
}
