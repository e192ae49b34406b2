// SPDX-License-Identifier: GPL-3.0-or-later
// Results as numbers and bars: wins, draws and losses of one bot.

import { count, percent, signed } from "../format.js";
import { t } from "../texts.js";
import { html } from "../view.js";

/** @typedef {{ wins: number, draws: number, losses: number }} Tally */

/** @param {Tally} tally */
export const total = ({ wins, draws, losses }) => wins + draws + losses;

/**
 * The share of the points, from 0 to 1; 0 without matches.
 * @param {Tally} tally
 */
export const share = (tally) => (tally.wins + tally.draws / 2) / Math.max(1, total(tally));

/**
 * The sum of some results.
 * @param {Tally[]} tallies
 * @returns {Tally}
 */
export const sum = (tallies) =>
  tallies.reduce((all, each) => ({ wins: all.wins + each.wins, draws: all.draws + each.draws, losses: all.losses + each.losses }), { wins: 0, draws: 0, losses: 0 });

/**
 * A bar that shows the shares of wins, draws and losses.
 * @param {{ of: Tally }} props
 */
export function TallyBar({ of }) {
  const each = 96 / Math.max(1, total(of));
  const [won, drawn] = [each * of.wins, each * of.draws];
  return html`
    <svg class="share" viewBox="0 0 96 8" preserveAspectRatio="none" role="img" aria-label=${t`${count(of.wins)} won, ${count(of.draws)} drawn, ${count(of.losses)} lost`}>
      <rect class="win" width=${won} height="8" />
      <rect class="draw" x=${won} width=${drawn} height="8" />
      <rect class="loss" x=${won + drawn} width=${each * of.losses} height="8" />
    </svg>
  `;
}

/**
 * The share of the points as text, in the colour of the better half.
 * @param {{ of: Tally }} props
 */
export function Percent({ of }) {
  const value = share(of);
  return html`<span class=${value > 0.5 ? "win" : value < 0.5 && total(of) ? "loss" : ""}>${total(of) ? percent(value, 1) : "–"}</span>`;
}

/**
 * The 95 % interval of a difference as text: "−20 to +91"; an end may be unbounded.
 * @param {[number | null, number | null]} interval
 */
export const reach = ([low, high]) => t`${low == null ? "−∞" : signed(low)} to ${high == null ? "+∞" : signed(high)}`;
