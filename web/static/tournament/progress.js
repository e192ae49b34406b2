// SPDX-License-Identifier: GPL-3.0-or-later
// The progress of a tournament, and the reasons of a wait in words.

import { count, moment, percent } from "../format.js";
import { translatedSentence } from "../sentences.js";
import { locale, plural, t } from "../texts.js";
import { html } from "../view.js";

const NAMED = 3; // absent bots that are named

const clockTime = new Intl.DateTimeFormat(locale, { timeStyle: "medium" });
const hour = new Intl.DateTimeFormat(locale, { timeStyle: "short" });
const day = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });

/**
 * The time of day of a Unix time, with the date if that is not today.
 * @param {number} time
 */
function soon(time) {
  const date = new Date(1000 * time);
  return (date.toDateString() === new Date().toDateString() ? hour : day).format(date);
}

/** @param {{ absent: Api.AbsentView }} props */
function Absent({ absent: { name, since, until, reason } }) {
  const at = (/** @type {number} */ time) => html`<time title=${moment(time)}>${clockTime.format(new Date(1000 * time))}</time>`;
  return html`<li><bdi>${name}</bdi> ${reason ? html`cannot play (<bdi>${translatedSentence(reason)}</bdi>) and is withdrawn at ${at(until)}.` : html`has been absent since ${at(since)}. Without a connection it is withdrawn at ${at(until)}.`}</li>`;
}

/**
 * The number of games of the current round that are played now, and of those that are yet to start.
 * @param {Api.TournamentView} tournament
 */
function open({ rounds, due }) {
  const live = rounds.at(-1)?.flatMap(({ games }) => games).filter(({ status }) => status === "live").length ?? 0;
  return { live, rest: due - live };
}

/**
 * What the next step of a running tournament is.
 * @param {Api.TournamentView} tournament
 */
function nextStep({ rounds, rounds_planned: planned, due, over }) {
  if (over || !due) return null;
  const games = plural(due, "the last match has ended", "its {0} matches without a result have ended");
  if (planned && rounds.length >= planned) return t`Round ${rounds.length} is the last one; the tournament ends when ${games}.`;
  return t`The next round begins after round ${rounds.length}, when ${games}.`;
}

/**
 * The reasons why a tournament waits.
 * @param {{ tournament: Api.TournamentView }} props
 */
export function Waits({ tournament }) {
  const { status, waiting, concurrency, anonymous } = tournament;
  const absent = tournament.absent ?? [];
  if (status === "paused") return html`<p>Paused: matches that have begun go on, and no other match starts.</p>`;
  if (status !== "running") return null;
  const { live, rest } = open(tournament);
  const bounded = concurrency > 0 && live >= concurrency;
  const step = nextStep(tournament);
  return html`
    <ul class="waits">
      ${waiting && html`<li>No match can start yet: ${translatedSentence(waiting)}.</li>`}
      ${absent.slice(0, NAMED).map((each) => html`<${Absent} key=${each.entry} absent=${each} />`)}
      ${absent.length > NAMED && html`<li>${plural(absent.length - NAMED, "{0} more bot absent.", "{0} more bots absent.")}</li>`}
      ${!anonymous && rest > 0 && live > 0 && html`<li>${plural(rest, "{0} match of this round will start {1}.", "{0} matches of this round will start {1}.", bounded ? t`when a match ends, as at most ${concurrency} are played at the same time` : t`when both bots are free`)}</li>`}
      ${step && html`<li>${step}</li>`}
    </ul>
  `;
}

/**
 * The share of a tournament that is played, from 0 to 1; null if its length depends on its results.
 * @param {Api.TournamentView} tournament
 */
function share({ played, games_planned: planned, over, test, misordered }) {
  if (test || misordered != null || !planned) return null;
  return over ? 1 : Math.min(1, played / planned);
}

/**
 * Progress of a tournament: rounds, games, the games left and the expected end.
 * @param {{ tournament: Api.TournamentView }} props
 */
export function Progress({ tournament }) {
  const { rounds, rounds_planned: roundsPlanned, played, games_planned: planned, over, overview, test, misordered, expected_end: end } = tournament;
  const done = share(tournament);
  const limited = test || misordered != null;
  const all = over || planned == null ? null : limited ? t`at most ${count(planned)}` : overview === "bracket" ? t`about ${count(planned)}` : count(planned);
  const left = over || limited || planned == null ? 0 : Math.max(0, planned - played);
  return html`
    <p class="progress">
      ${roundsPlanned && rounds.length > 0 && html`<span>Round ${rounds.length} of ${roundsPlanned}</span>`}
      ${done != null && html`<progress aria-label="Played matches" max="1" value=${done}></progress>`}
      <span>${all == null ? plural(played, "{0} match", "{0} matches") : plural(planned ?? played, "{1} of {2} match", "{1} of {2} matches", count(played), all)}</span>
      ${left > 0 && html`<span class="muted">${count(left)} left</span>`}
      ${end != null && html`<span class="muted" title=${t`Expected from the pace of the latest matches: ${moment(end)}`}>ends about ${soon(end)}</span>`}
      ${misordered != null && html`<span class="muted">${percent(misordered, 1)} of the pairs of bots are expected to be in the wrong order</span>`}
    </p>
  `;
}
