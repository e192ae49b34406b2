// SPDX-License-Identifier: GPL-3.0-or-later
// Chances by scores, on a logistic scale of the game.

/**
 * The chance of the first side, from 0 to 1, by a score in its favour.
 * @param {number} scale the score in pawn units at which a side wins three games in four
 * @param {number} score
 */
export const chance = (scale, score) => 1 / (1 + 3 ** (-score / scale));

/**
 * How far both sides' scores agree, up to ``ply``: 1 minus the difference of the chances that they mean, for each pair of
 * moves that follow each other. Null without such a pair.
 * @param {number} scale as for ``chance``
 * @param {Api.SeenMove[]} moves
 * @param {number} ply
 */
export function agreement(scale, moves, ply) {
  /** @param {Api.SeenMove} move */
  const of = ({ info, seat }) => (info?.score == null || seat < 0 ? null : chance(scale, seat ? -info.score : info.score));
  const played = moves.filter((move) => move.ply <= ply && move.seat >= 0);
  const pairs = played.flatMap((move, index) => {
    const [before, after] = [index ? of(played[index - 1]) : null, of(move)];
    return before == null || after == null || played[index - 1].seat === move.seat ? [] : 1 - Math.abs(after - before);
  });
  const sum = pairs.reduce((total, each) => total + each, 0);
  return pairs.length ? { mean: sum / pairs.length, now: pairs[pairs.length - 1], pairs: pairs.length } : null;
}
