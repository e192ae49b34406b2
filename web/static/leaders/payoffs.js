// SPDX-License-Identifier: GPL-3.0-or-later
// Points a game, where wins may be worth more than one point.

import { payoff } from "../format.js";
import { t } from "../texts.js";
import { html } from "../view.js";

export const POINTS = t`Mean payoff with its 95 % interval: in some games a win counts more than one point, or both players gain points`;

/**
 * Points a game as a cell of a table, with half the length of their interval.
 * @param {{ item: Pick<Api.LeaderAnswer, "payoff" | "payoff_interval"> }} props
 */
export function Payoff({ item }) {
  const reach = item.payoff_interval && (item.payoff_interval[1] - item.payoff_interval[0]) / 2;
  return html`<td class="wide number" title=${POINTS}>${item.payoff != null && payoff(item.payoff, 2)}${reach != null && html` <span class="muted small">± ${payoff(reach, 2).slice(1)}</span>`}</td>`;
}
