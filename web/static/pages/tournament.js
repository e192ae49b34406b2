// SPDX-License-Identifier: GPL-3.0-or-later
// A tournament: standings, crosstable or bracket, rounds. The page reloads the data when the server reports a change.

import { Bracket, Rounds, Schedule } from "../bouts.js";
import { Command } from "../command.js";
import { Crosstable } from "../crosstable.js";
import { follow } from "../feed.js";
import { count, half, percent, signed } from "../format.js";
import { Downloads, Results } from "../parts.js";
import "../shell.js";
import { Tabs } from "../tabs.js";
import { ask, firstData, html, messageOf, show, useEffect, useState } from "../view.js";

/** @type {{ title: string, exports: string[], bots: (number | null)[], tournament: Api.TournamentView }} */
const { title, exports, bots, tournament: first } = firstData();

const PAUSE = 250;
const WIDEST = 32;

/**
 * Elo difference and likelihood of superiority of the first bot of a two-player test.
 * @param {{ test: Api.TestView }} props
 */
function Difference({ test }) {
  /** @param {number | null} value */
  const points = (value) => (value == null ? "unbounded" : signed(value));
  const [low, high] = test.interval.map(points);
  const elo = `Elo difference ${points(test.elo)}, 95 % interval ${low} to ${high}`;
  const normalised = test.normalised && `normalised Elo ${signed(test.normalised[0], 1)} ± ${test.normalised[1].toFixed(1)}`;
  const sure = `likelihood of superiority ${percent(test.superiority, 1)}`;
  return html`<p class="muted small">${[elo, normalised, sure].filter(Boolean).join(" · ")}</p>`;
}

/**
 * Progress of a tournament: rounds where their number is known, else the measure of the format.
 * @param {{ tournament: Api.TournamentView }} props
 */
function Progress({ tournament }) {
  const { rounds, rounds_planned: planned, due, over, test, wrong, anonymous } = tournament;
  if (test) {
    const [low, high] = test.bounds;
    const share = Math.min(1, Math.max(0, (test.ratio - low) / (high - low)));
    return html`<p class="progress"><span title="Log-likelihood ratio; the test ends at one of the two bounds">LLR ${signed(test.ratio, 2)}</span><progress max="1" value=${share}></progress><span class="muted">${signed(low, 2)} to ${signed(high, 2)}</span></p>
      <p class="muted small">Pairs of games with 0, ½, 1, 1½ and 2 points: ${test.pentanomial.join(", ")}</p>
      <${Difference} test=${test} />`;
  }
  if (wrong != null) return html`<p class="progress"><span>${percent(wrong, 1)}</span><span class="muted">expected share of misordered pairs of bots</span></p>`;
  if (!planned) return null;
  const told = rounds.at(-1)?.flatMap(({ games }) => games).length ?? 0;
  const boards = anonymous && !over ? told + due : told;
  const done = over ? planned : Math.max(0, rounds.length - 1) + (boards ? (boards - due) / boards : 0);
  return html`<p class="progress"><span>Round ${rounds.length} of ${planned}</span><progress max=${planned} value=${done}></progress><span class="muted">${count(tournament.played)} games</span></p>`;
}

/** @param {{ line: Api.StandingView, tournament: Api.TournamentView }} props */
function Standing({ line, tournament }) {
  const gone = line.annulled ? "withdrawn, games do not count" : "withdrawn";
  return html`
    <tr class=${line.withdrawn == null ? "" : "muted"}>
      <td class="number muted">${line.rank}</td>
      <td class="name"><a href=${bots[line.entry] && `/bots/${bots[line.entry]}`} title=${line.withdrawn == null ? line.name : `${line.name}: ${line.withdrawn}`}>${line.name}${line.withdrawn != null && html` <span class="small">${gone}</span>`}</a></td>
      <td class="number"><strong>${half(line.points)}</strong></td>
      <td class="number">${count(line.games)}</td>
      <td class="wide number muted"><${Results} of=${line} /></td>
      ${tournament.tiebreaks.map((name, place) => html`<td class="wide number muted">${name === "rating" ? count(line.tiebreaks[place]) : half(line.tiebreaks[place])}</td>`)}
    </tr>
  `;
}

/** @param {{ tournament: Api.TournamentView }} props */
function Standings({ tournament }) {
  return html`
    <div class="scroll surface">
      <table>
        <thead><tr>
          <th class="number">#</th><th>Bot</th><th class="number">Points</th><th class="number">Games</th><th class="wide number">W / D / L</th>
          ${tournament.tiebreaks.map((name) => html`<th class="wide number">${name[0].toUpperCase() + name.slice(1)}</th>`)}
        </tr></thead>
        <tbody>${tournament.standings.map((line) => html`<${Standing} key=${line.entry} line=${line} tournament=${tournament} />`)}</tbody>
      </table>
    </div>
  `;
}

/**
 * Return a function that reloads the tournament; several changes in a row cause one request.
 * @param {(tournament: Api.TournamentView) => void} setTournament
 * @param {(problem: string | null) => void} setProblem
 */
function renewal(setTournament, setProblem) {
  let due = false;
  let asking = false;
  return async () => {
    due = true;
    if (asking) return;
    asking = true;
    while (due) {
      due = false;
      try {
        setTournament(await ask(`/api/v1/tournaments/${first.id}`));
        setProblem(null);
      } catch (error) {
        setProblem(messageOf(error));
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
    asking = false;
  };
}

/** @param {string} format */
const download = (format) => `/api/v1/matches/export?tournament=${first.id}&format=${format}`;

function Tournament() {
  const [tournament, setTournament] = useState(first);
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  const [part, setPart] = useState("standings");
  const ended = ["finished", "cancelled"].includes(tournament.status);
  useEffect(() => {
    if (ended) return undefined;
    return follow(() => [{ type: "follow-tournament", tournament: first.id }], renewal(setTournament, setProblem));
  }, [ended]);
  const parts = [["standings", "Standings"], ["rounds", "Rounds"]];
  const terms = [
    `${title}, ${tournament.description}`,
    `${count(tournament.entries.length)} bots`,
    `${tournament.games} ${tournament.games === 1 ? "game" : "games"} per pairing`,
    tournament.time_control ?? "default time control",
    tournament.rated ? "rated" : "unrated",
  ];
  if (tournament.overview === "bracket") parts.splice(1, 0, ["bracket", "Bracket"]);
  if (tournament.overview === "crosstable" && tournament.entries.length <= WIDEST) parts.splice(1, 0, ["crosstable", "Crosstable"]);
  return html`
    <div class="head">
      <h1 class="ellipsis" title=${tournament.name}><bdi>${tournament.name}</bdi></h1>
      <p class="muted" role="status">${problem ?? `${tournament.status}${tournament.over ? `: ${tournament.over}` : ""}`}</p>
      <${Tabs} label="View" tabs=${parts} current=${part} choose=${setPart} kind="tabs aside" />
    </div>
    <p class="muted">${terms.join(" · ")}</p>
    ${tournament.waiting && html`<p class="notice" role="status">No game can start yet: ${tournament.waiting}.</p>`}
    ${tournament.anonymous && !tournament.over && html`<p class="muted">Player names are hidden until a game ends. <a href=${`/matches?tournament=${tournament.id}&status=live`}>Live games</a> and games still to play: ${count(tournament.due)}.</p>`}
    <${Progress} tournament=${tournament} />
    ${part === "standings" && html`<${Standings} tournament=${tournament} />`}
    ${part === "crosstable" && html`<${Crosstable} tournament=${tournament} />`}
    ${part === "bracket" && html`<${Bracket} tournament=${tournament} />`}
    ${part === "rounds" && html`<${Schedule} tournament=${tournament} />`}
    ${part === "rounds" && (tournament.rounds.length ? html`<${Rounds} tournament=${tournament} />` : html`<p class="muted">The server pairs the first round when the tournament starts.</p>`)}
    ${tournament.played > 0 && html`<p class="small muted files"><a class="button" href=${`/matches?tournament=${tournament.id}`}>All matches</a> <${Downloads} formats=${exports} address=${download} /></p>`}
    ${tournament.status === "created" && html`<div class="empty"><h2>Not started</h2><p class="muted">An operator starts the tournament:</p><${Command} text=${`arena tournament start ${tournament.id}`} /></div>`}
  `;
}

show(html`<${Tournament} />`);
