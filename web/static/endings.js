// SPDX-License-Identifier: GPL-3.0-or-later
// How a match ended: in words, and marked on the board.

import { half, reason } from "./format.js";
import { fill, t, translated } from "./texts.js";

/**
 * How a match ended, after "won" or "Draw", with the points of the winner if they are not 1; the same as `how` of
 * web/wording.py.
 * @param {{ termination: string, payoff?: number, decision?: Protocol.Decision | null }} ending
 */
export function how({ termination, payoff = 1, decision }) {
  const way = decision ? fill(translated(decision.words ?? ""), (decision.values ?? []).map(half)) : reason(termination);
  return [way, payoff === 1 ? "" : t`${payoff} points`].filter(Boolean).join(", ");
}

/**
 * What decided a match, as properties of the board.
 * @param {{ decision?: Protocol.Decision | null } | null | undefined} ending
 */
export function decided(ending) {
  const { won, lost, ghosts } = ending?.decision ?? {};
  return { won, lost, ghosts };
}
