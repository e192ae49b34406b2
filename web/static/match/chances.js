// SPDX-License-Identifier: GPL-3.0-or-later
// Win-chance bar beside a board: the newest score of each side on a logistic scale of the game.

import { latest } from "../reports.js";
import { percent } from "../format.js";
import { t } from "../texts.js";
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
 * How far both sides' scores agree, up to ``ply``: 1 minus the difference of the chances that they mean, for each pair of
 * moves that follow each other. Null without such a pair.
 * @param {string} game
 * @param {Api.SeenMove[]} moves
 * @param {number} ply
 */
export function agreement(game, moves, ply) {
  /** @param {Api.SeenMove} move */
  const of = ({ info, seat }) => (info?.score == null || seat < 0 ? null : chance(game, seat ? -info.score : info.score));
  const played = moves.filter((move) => move.ply <= ply && move.seat >= 0);
  const pairs = played.flatMap((move, index) => {
    const [before, after] = [index ? of(played[index - 1]) : null, of(move)];
    return before == null || after == null || played[index - 1].seat === move.seat ? [] : 1 - Math.abs(after - before);
  });
  const sum = pairs.reduce((total, each) => total + each, 0);
  return pairs.length ? { mean: sum / pairs.length, now: pairs[pairs.length - 1], pairs: pairs.length } : null;
}

/**
 * A share of a length, for style sheets.
 * @param {number} share
 */
const part = (share) => `${100 * share}%`;

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
  const label = t`Chance of ${called[bottom]} by the scores: ${words}`;
  return html`
    <div class="chances" role="img" aria-label=${label} title=${label}>
      <span class="fill" style=${{ height: part(mean) }}></span>
      ${sides.map((each, seat) => each != null && html`<i class=${`tick seat${seat}`} style=${{ bottom: part(each) }}></i>`)}
    </div>
  `;
}
