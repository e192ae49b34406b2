// SPDX-License-Identifier: GPL-3.0-or-later
// How a match ended: in words, and marked on the board.

import { half, reason } from "./format.js";
import { fill, t, translated } from "./texts.js";

/**
 * How a match ended, after "won" or "Draw", with the points of the winner if they are not 1, or of both players, the
 * winner's first, if the game is not zero-sum; without them if the decision tells them first. The
 * same as `how` of web/wording.py.
 * @param {{ result: string, termination: string, payoff?: number, points?: [number, number] | null, decision?: Protocol.Decision | null }} ending
 */
export function how({ result, termination, payoff = 1, points, decision }) {
  const way = decision ? fill(translated(decision.words ?? ""), (decision.values ?? []).map(half)) : reason(termination);
  const [first, second] = result === "0-1" ? [points?.[1], points?.[0]] : [points?.[0], points?.[1]];
  const told = decision?.values?.[0] === (points ? first : payoff);
  const won = told ? "" : points ? t`${first} to ${second} points` : payoff === 1 ? "" : t`${payoff} points`;
  return [way, won].filter(Boolean).join(", ");
}

/**
 * What decided a match, as properties of the board.
 * @param {{ decision?: Protocol.Decision | null } | null | undefined} ending
 */
export function decided(ending) {
  const { won, lost, ghosts } = ending?.decision ?? {};
  return { won, lost, ghosts };
}
