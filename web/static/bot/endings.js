// SPDX-License-Identifier: GPL-3.0-or-later
// How the matches of a bot end, in words, from counts of results and terminations.

import { count, percent } from "../format.js";
import { t, translated } from "../texts.js";
import { html } from "../view.js";

/** @type {Record<string, string>} with the bot that failed before it */
const FAILURES = {
  time: t`ran out of time`,
  resignation: t`resigned`,
  "illegal move": t`made an illegal move`,
  "bad message": t`sent invalid messages`,
  crash: t`crashed`,
  disconnect: t`disconnected`,
};

/**
 * How a match ended, in words.
 * @param {{ outcome: string, termination: string, ended_by: string }} ending
 */
export function inWords({ outcome, termination, ended_by }) {
  if (outcome !== "draw" && FAILURES[termination]) return `${outcome === "win" ? t`the opponent` : t`this bot`} ${FAILURES[termination]}`;
  return translated(ended_by);
}

/**
 * The endings of an outcome in words with their numbers, the most frequent first.
 * @param {Api.ResultAnswer[]} items
 * @param {string} outcome
 */
export function endingsOf(items, outcome) {
  /** @type {Map<string, number>} */
  const sums = new Map();
  for (const item of items.filter((each) => each.outcome === outcome)) {
    const words = inWords(item);
    sums.set(words, (sums.get(words) ?? 0) + item.matches);
  }
  return [...sums].toSorted(([, one], [, other]) => other - one);
}

/** @type {[string, string][]} */
export const OUTCOMES = [["win", t`Wins`], ["draw", t`Draws`], ["loss", t`Losses`]];

/**
 * The endings of each outcome with their shares, the most frequent first.
 * @param {{ items: Api.ResultAnswer[] }} props
 */
export function Endings({ items }) {
  return html`
    <div class="endings">
      ${OUTCOMES.map(([outcome, title]) => {
        const rows = endingsOf(items, outcome);
        const all = rows.reduce((sum, [, matches]) => sum + matches, 0);
        return html`
          <div class="surface" key=${outcome}>
            <h3 class=${outcome}>${title}: ${count(all)}</h3>
            <ul>${rows.map(([words, matches]) => html`
              <li key=${words}>
                <span>${words}</span><span class="number">${count(matches)} <span class="muted">${percent(matches / all)}</span></span>
                <span class=${`part ${outcome}`} style=${{ "--part": `${(100 * matches) / all}%` }}></span>
              </li>`)}</ul>
          </div>
        `;
      })}
    </div>
  `;
}
