// SPDX-License-Identifier: GPL-3.0-or-later
// A sequential test: its hypotheses in words, the walk of the log-likelihood ratio between its bounds, and the pairs of
// games by score.

import { count, fixed, percent, signed } from "../format.js";
import { plural, t } from "../texts.js";
import { html } from "../view.js";

const PAIR_SCORES = ["0", "½", "1", "1½", "2"];
const MARGIN = 0.08; // of the height, above the upper bound and below the lower one

/**
 * A difference between two players in words.
 * @param {{ elo: number, model: string, names: string[] }} props
 */
function Hypothesis({ elo, model, names: [one, other] }) {
  if (elo === 0) return html`<bdi>${one}</bdi> and <bdi>${other}</bdi> are equally strong`;
  const [better, worse] = elo > 0 ? [one, other] : [other, one];
  return html`<bdi>${better}</bdi> is stronger than <bdi>${worse}</bdi> by ${Math.abs(elo)} ${model === "normalized" ? t`normalised Elo` : t`Elo`}`;
}

/**
 * What the test has decided, in words.
 * @param {Api.TestView} test
 */
function decision({ accepted, ratio, bounds: [low, high] }) {
  if (accepted) return t`${accepted} is accepted: the log-likelihood ratio (LLR) is ${signed(ratio, 2)}.`;
  return t`Not decided: the log-likelihood ratio (LLR) is ${signed(ratio, 2)}, between ${signed(low, 2)} (H0 is accepted) and ${signed(high, 2)} (H1 is accepted).`;
}

/**
 * The log-likelihood ratio by games, between the two bounds.
 * @param {{ walk: Api.Walk }} props
 */
function Graph({ walk: { points, bounds: [low, high], accepted } }) {
  const ratios = points.map(({ ratio }) => ratio);
  const [least, most] = [Math.min(low, ...ratios), Math.max(high, ...ratios)];
  const margin = MARGIN * (most - least);
  const last = points[points.length - 1];
  const pairs = Math.max(1, last.pairs);
  /** @param {number} ratio share of the height from the top */
  const down = (ratio) => (most + margin - ratio) / (most - least + 2 * margin);
  /** @param {number} along */
  const across = (along) => along / pairs;
  const line = points.map(({ pairs: along, ratio }) => `${1000 * across(along)},${1000 * down(ratio)}`).join(" ");
  const games = 2 * last.pairs;
  const told = plural(last.pairs, "Log-likelihood ratio after {0} pair of matches: now {1}; the bounds are {2} and {3}", "Log-likelihood ratio after each of {0} pairs of matches: now {1}; the bounds are {2} and {3}", signed(last.ratio, 2), signed(low, 2), signed(high, 2));
  const label = accepted ? `${told}; ${t`${accepted} is accepted`}` : told;
  /** @type {[string, number, string][]} */
  const levels = [["win", high, `${signed(high, 2)}: H1`], ["muted", 0, "LLR 0"], ["loss", low, `${signed(low, 2)}: H0`]];
  return html`
    <figure class="walk">
      <div class="area" role="img" aria-label=${label}>
        <svg viewBox="0 0 1000 1000" preserveAspectRatio="none" aria-hidden="true">
          ${levels.map(([tone, ratio]) => html`<line key=${tone} class=${`level ${tone}`} x1="0" x2="1000" y1=${1000 * down(ratio)} y2=${1000 * down(ratio)} />`)}
          <polyline points=${line} />
        </svg>
        ${levels.map(([tone, ratio, text]) => html`<span key=${tone} class=${`level small ${tone}`} style=${{ top: `${100 * down(ratio)}%` }}>${text}</span>`)}
        <i class=${`end ${accepted === "H1" ? "win" : accepted === "H0" ? "loss" : ""}`} style=${{ top: `${100 * down(last.ratio)}%`, left: `${100 * across(last.pairs)}%` }}></i>
      </div>
      <figcaption class="muted small"><span>0</span><span>${accepted ? plural(games, "{1} accepted after {0} match", "{1} accepted after {0} matches", accepted) : plural(games, "{0} match", "{0} matches")}</span></figcaption>
    </figure>
  `;
}

/**
 * The pairs of games by the first player's score, as bars.
 * @param {{ counts: number[], name: string }} props
 */
function Histogram({ counts, name }) {
  const most = Math.max(1, ...counts);
  const label = t`Pairs of matches by score: ${counts.map((number, place) => `${PAIR_SCORES[place]}: ${count(number)}`).join(", ")}`;
  return html`
    <figure class="histogram">
      <div class="bars" role="img" aria-label=${label}>${counts.map(
        (number, place) => html`<div key=${place}><span class="small">${count(number)}</span><i style=${{ height: `${(100 * number) / most}%` }}></i><span class="small muted">${PAIR_SCORES[place]}</span></div>`,
      )}</div>
      <figcaption class="muted small">Pairs of matches by the points of <bdi>${name}</bdi></figcaption>
    </figure>
  `;
}

/**
 * Elo difference and likelihood of superiority of the first player.
 * @param {{ test: Api.TestView }} props
 */
function Difference({ test }) {
  /** @param {number | null} value */
  const points = (value) => (value == null ? t`unbounded` : signed(value));
  const [low, high] = test.interval.map(points);
  const elo = t`Elo difference ${points(test.elo)}, 95 % interval ${low} to ${high}`;
  const normalised = test.normalised && t`normalised Elo ${signed(test.normalised[0], 1)} ± ${fixed(test.normalised[1], 1)}`;
  const sure = t`likelihood of superiority ${percent(test.superiority, 1)}`;
  return html`<p class="muted small">${[elo, normalised, sure].filter(Boolean).join(" · ")}</p>`;
}

/**
 * The test of a tournament. ``walk``: null until it is loaded.
 * @param {{ test: Api.TestView, format: Api.TournamentView["format"], names: string[], walk: Api.Walk | null }} props
 */
export function Test({ test, format, names, walk }) {
  return html`
    <section class="test" aria-label="Sequential test">
      <p>${decision(test)}</p>
      ${format.kind === "sprt" && html`<dl class="hypotheses">
        <dt class="win">H1</dt><dd><${Hypothesis} elo=${format.elo1} model=${format.model ?? "normalized"} names=${names} /></dd>
        <dt class="loss">H0</dt><dd><${Hypothesis} elo=${format.elo0} model=${format.model ?? "normalized"} names=${names} /></dd>
      </dl>`}
      <div class="figures">${walk && html`<${Graph} walk=${walk} />`}<${Histogram} counts=${test.pentanomial} name=${names[0]} /></div>
      <${Difference} test=${test} />
    </section>
  `;
}
