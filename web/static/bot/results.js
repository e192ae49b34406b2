// SPDX-License-Identifier: GPL-3.0-or-later
// Results of a bot in a game: by opponent, by time class and side, and how its matches end.

import { useAnswer } from "../asking.js";
import { count, percent } from "../format.js";
import { Results } from "../parts.js";
import { useSorted } from "../sorting.js";
import { t, translated } from "../texts.js";
import { html, Problem } from "../view.js";
import { Endings } from "./endings.js";
import { Percent, reach, share, sum, total } from "./tally.js";

const ELO = t`Elo difference, 95 % interval`;
const LOS = t`Likelihood of superiority: the probability that this bot is stronger than the opponent`;

/** @typedef {import("../sorting.js").SortColumn<Api.OpponentAnswer>} OpponentColumn */
/** @type {OpponentColumn[]} */
const COLUMNS = [
  { title: t`Against`, by: (row) => row.bot.name },
  { title: t`Games`, by: (row) => row.games, kind: "number" },
  { title: t`Score`, by: (row) => row.score, kind: "number" },
  { title: t`W / D / L`, by: (row) => row.wins, kind: "wide number", about: t`Won, drawn, lost; sorted by wins` },
  { title: t`Elo`, by: (row) => row.elo ?? (row.score > 0.5 ? Infinity : -Infinity), kind: "wide number", about: ELO },
  { title: t`LOS`, by: (row) => row.superiority, kind: "number", about: LOS },
];

/**
 * Results by opponent; each row leads to the matches of both.
 * @param {{ bot: number, standing: Api.StandingAnswer }} props
 */
export function Opponents({ bot, standing: { game, time_class } }) {
  const [answer, problem] = useAnswer(`/api/v1/bots/${bot}/opponents?${new URLSearchParams({ game, time_class })}`);
  const { shown, head } = useSorted(answer?.items ?? [], COLUMNS);
  if (problem) return html`<${Problem} text=${problem} />`;
  return html`
    <div class="scroll surface">
      <table class="opponents">
        <thead><tr>${head}</tr></thead>
        <tbody>${shown.map((row) => html`<tr key=${row.bot.id}>
          <td class="name"><a href=${`/bots/${bot}/versus/${row.bot.id}?${new URLSearchParams({ game, time_class })}`} title=${t`Head to head with ${row.bot.name}`}>${row.bot.name}</a></td>
          <td class="number">${count(row.games)}</td>
          <td class=${`number ${row.score > 0.5 ? "win" : row.score < 0.5 ? "loss" : ""}`}>${percent(row.score, 1)}</td>
          <td class="wide number muted"><${Results} of=${row} /></td>
          <td class="wide number muted">${reach(row.interval)}</td>
          <td class="number muted">${percent(row.superiority)}</td>
        </tr>`)}</tbody>
      </table>
    </div>
  `;
}

/**
 * Wins, draws and losses of counted results.
 * @param {Api.ResultAnswer[]} items
 */
export function tallyOf(items) {
  /** @param {string} outcome */
  const of = (outcome) => items.reduce((all, item) => all + (item.outcome === outcome ? item.matches : 0), 0);
  return { wins: of("win"), draws: of("draw"), losses: of("loss") };
}

/** @typedef {{ time_class: string, seats: import("./tally.js").Tally[], all: import("./tally.js").Tally }} ClassRow */
/** @type {import("../sorting.js").SortColumn<ClassRow>[]} */
const CLASS_COLUMNS = [
  { title: t`Time class`, by: (row) => row.time_class },
  { title: t`Matches`, by: (row) => total(row.all), kind: "number" },
  { title: t`Score`, by: (row) => share(row.all), kind: "number" },
  { title: t`W / D / L`, by: (row) => row.all.wins, kind: "wide number", about: t`Won, drawn, lost; sorted by wins` },
  { title: t`Moving first`, by: (row) => share(row.seats[0]), kind: "number" },
  { title: t`Moving second`, by: (row) => share(row.seats[1]), kind: "number" },
];

/** @param {{ items: Api.ResultAnswer[] }} props */
function TimeClasses({ items }) {
  const rows = [...new Set(items.map(({ time_class }) => time_class))].map((time_class) => {
    const of = items.filter((item) => item.time_class === time_class);
    const seats = [0, 1].map((seat) => tallyOf(of.filter((item) => item.seat === seat)));
    return { time_class, seats, all: sum(seats) };
  });
  const { shown, head } = useSorted(rows, CLASS_COLUMNS);
  return html`
    <div class="scroll surface">
      <table class="classes">
        <thead><tr>${head}</tr></thead>
        <tbody>${shown.map((row) => html`<tr key=${row.time_class}>
          <td>${translated(row.time_class)}</td>
          <td class="number">${count(total(row.all))}</td>
          <td class="number"><${Percent} of=${row.all} /></td>
          <td class="wide number muted"><${Results} of=${row.all} /></td>
          ${row.seats.map((seat) => html`<td class="number"><${Percent} of=${seat} /></td>`)}
        </tr>`)}</tbody>
      </table>
    </div>
  `;
}

/**
 * Results of all finished matches of a game, rated or not: by time class, and by ending.
 * @param {{ bot: number, game: string, title: string }} props
 */
export function GameResults({ bot, game, title }) {
  const [answer, problem] = useAnswer(`/api/v1/bots/${bot}/results?${new URLSearchParams({ game })}`);
  const items = answer?.items.filter(({ outcome }) => outcome !== "void") ?? [];
  return html`
    <section>
      <h2>All matches of ${title} by time class</h2>
      <${Problem} text=${problem} />
      <${TimeClasses} items=${items} />
    </section>
    <section>
      <h2>How matches of ${title} end</h2>
      <${Endings} items=${items} />
    </section>
  `;
}
