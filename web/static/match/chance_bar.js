// SPDX-License-Identifier: GPL-3.0-or-later
// Win-chance bar beside a board: the newest score of each side. Only matches with search info load it.

import { percent } from "../format.js";
import { latest } from "../reports.js";
import { t } from "../texts.js";
import { html } from "../view.js";
import { chance } from "./chances.js";

/**
 * A share of a length, for style sheets.
 * @param {number} share
 */
const part = (share) => `${100 * share}%`;

/**
 * The bar: its fill is the mean of both sides' chances; a tick for each side, whose distance is their disagreement.
 * ``scale``: of scores; ``bottom``: the seat at the bottom of the board; ``called``: the names of both sides.
 * @param {{ scale: number, moves: Api.SeenMove[], ply: number, bottom: number, called: string[] }} props
 */
export function Chances({ scale, moves, ply, bottom, called }) {
  /** @param {number} seat */
  const told = (seat) => {
    const score = latest(moves, ply, seat)?.info?.score;
    return score == null ? null : chance(scale, seat === bottom ? score : -score);
  };
  const sides = [told(0), told(1)];
  const known = sides.filter((each) => each != null);
  if (!known.length) return html`<div class="chances"></div>`;
  const mean = known.reduce((sum, each) => sum + each, 0) / known.length;
  const words = sides.map((each, seat) => (each == null ? "" : `${called[seat]}: ${percent(each)}`)).filter(Boolean).join(", ");
  const label = t`Winning chance of ${called[bottom]}, from the scores that the players report: ${words}`;
  return html`
    <div class="chances" role="img" aria-label=${label} title=${label}>
      <span class="fill" style=${{ height: part(mean) }}></span>
      ${sides.map((each, seat) => each != null && html`<i class=${`tick seat${seat}`} style=${{ bottom: part(each) }}></i>`)}
    </div>
  `;
}
