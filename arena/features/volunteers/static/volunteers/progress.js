// SPDX-License-Identifier: GPL-3.0-or-later
// How an island went: the scores of its best and of all, and how deep its rival looks, over generations.

import { Legend } from "../drawing.js";
import { Plot } from "../plot.js";
import { t } from "../texts.js";
import { html } from "../view.js";

const SCORES = [
  { label: t`best`, token: "--accent" },
  { label: t`mean`, token: "--muted" },
];
const LEVEL = [{ label: t`opponent's depth`, token: "--loss", steps: true }];

/**
 * ``course`` as the API has it.
 * @param {{ course: Api.IslandPointAnswer[], name: string }} props
 */
export function Progress({ course, name }) {
  const numbers = course.map(({ generation }) => generation);
  return html`
    <p class="muted small"><${Legend} lines=${[["--accent", t`best`], ["--muted", t`mean`], ["--loss", t`opponent's depth, plies`]]} /></p>
    <${Plot} data=${[numbers, course.map(({ best }) => 100 * best), course.map(({ mean }) => 100 * mean)]} series=${SCORES} label=${t`Scores of ${name} over generations, per cent`} />
    <${Plot} data=${[numbers, course.map(({ level }) => level)]} series=${LEVEL} height=${72} label=${t`Depth of the opponent of ${name} over generations`} />
  `;
}
