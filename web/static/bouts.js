// SPDX-License-Identifier: GPL-3.0-or-later
// Rounds of a tournament: pairings with links to their games; and the bracket of a knockout.

import { half } from "./format.js";
import { html } from "./view.js";

/** @type {Record<string, string>} */
const words = { live: "live", due: "not started", unplayed: "not played" };

/**
 * A game as a small link: the score of the first player of the pairing, or the status.
 * @param {{ game: Api.GameView }} props
 */
function Game({ game }) {
  const text = game.status === "live" ? "●" : game.score == null ? "·" : half(game.score);
  const title = `Game ${game.slot}${words[game.status] ? `: ${words[game.status]}` : ""}`;
  const tone = game.status === "live" ? "live" : game.score === 1 ? "win" : game.score === 0 ? "loss" : "muted";
  return game.match ? html`<a class=${`game ${tone}`} href=${`/matches/${game.match}`} title=${title}>${text}</a>` : html`<span class="game muted" title=${title}>${text}</span>`;
}

/** @param {{ bout: Api.BoutView, entries: string[] }} props */
function Bout({ bout, entries }) {
  const bye = bout.second == null;
  const second = bout.second == null ? "" : entries[bout.second];
  return html`
    <tr>
      <td class="number muted">${bout.board}</td>
      <td class="name"><span class="ellipsis" title=${entries[bout.first]}>${entries[bout.first]}</span></td>
      <td class="result">${bye ? "bye" : `${half(bout.points[0])} – ${half(bout.points[1])}`}</td>
      <td class="name"><span class="ellipsis" title=${second}>${second}</span></td>
      <td class="games">${bout.games.map((game) => html`<${Game} key=${game.slot} game=${game} />`)}</td>
    </tr>
  `;
}

/**
 * All rounds, newest first; the newest is open.
 * @param {{ tournament: Api.TournamentView }} props
 */
export function Rounds({ tournament }) {
  const { rounds, entries } = tournament;
  return html`${rounds.map((bouts, index) => ({ bouts, index })).toReversed().map(
    ({ bouts, index }) => html`
      <details class="round" key=${index} open=${index === rounds.length - 1}>
        <summary>Round ${index + 1} <span class="muted">${bouts.length} ${bouts.length === 1 ? "board" : "boards"}</span></summary>
        <div class="scroll surface"><table><tbody>${bouts.map((bout) => html`<${Bout} key=${bout.board} bout=${bout} entries=${entries} />`)}</tbody></table></div>
      </details>
    `,
  )}`;
}

/**
 * Pairings of future rounds, where the format fixes them in advance.
 * @param {{ tournament: Api.TournamentView }} props
 */
export function Schedule({ tournament }) {
  const { schedule, rounds, entries } = tournament;
  if (!schedule.length) return null;
  return html`
    <details class="round">
      <summary>Future rounds <span class="muted">from round ${rounds.length + 1}</span></summary>
      ${schedule.map(
        (pairs, index) => html`
          <h2 class="muted small">Round ${rounds.length + index + 1}</h2>
          <div class="scroll surface"><table><tbody>${pairs.map(
            ([one, other], board) => html`<tr key=${board}>
              <td class="number muted">${board + 1}</td>
              <td class="name"><span class="ellipsis" title=${entries[one]}>${entries[one]}</span></td>
              <td class="name"><span class="ellipsis" title=${entries[other]}>${entries[other]}</span></td>
            </tr>`,
          )}</tbody></table></div>
        `,
      )}
    </details>
  `;
}

/** @type {[0, 1]} */
const SIDES = [0, 1];

/**
 * A player of a pairing; highlights the winner, or the leader while the pairing is undecided.
 * @param {{ bout: Api.BoutView, place: 0 | 1, entries: string[] }} props
 */
function Side({ bout, place, entries }) {
  const player = place ? bout.second : bout.first;
  const [own, other] = place ? [bout.points[1], bout.points[0]] : bout.points;
  const ahead = player != null && (bout.winner == null ? own > other : bout.winner === player);
  return html`
    <div class=${`side ${ahead ? "ahead" : ""}`}>
      <span class="ellipsis" title=${player == null ? "" : entries[player]}>${player == null ? "–" : entries[player]}</span>
      <span>${bout.second == null ? "" : half(bout.points[place])}</span>
    </div>
  `;
}

/**
 * Bracket of a knockout; rounds that are not paired yet are empty boxes.
 * @param {{ tournament: Api.TournamentView }} props
 */
export function Bracket({ tournament }) {
  const { rounds, entries } = tournament;
  const planned = tournament.rounds_planned ?? rounds.length;
  // a tournament that hides player names does not report all boards of the current round
  const size = tournament.anonymous ? 2 ** (planned - 1) : (rounds[0]?.length ?? 0);
  const names = ["Final", "Semifinals", "Quarterfinals"];
  return html`
    <div class="scroll">
      <div class="bracket">
        ${Array.from({ length: planned }, (_, index) => {
          const told = rounds[index] ?? [];
          const boards = Math.max(1, size >> index, ...told.map(({ board }) => board));
          const bouts = Array.from({ length: boards }, (_, place) => told.find(({ board }) => board === place + 1));
          return html`
            <section key=${index}>
              <h2 class="muted small">${names[planned - 1 - index] ?? `Round ${index + 1}`}</h2>
              <div class="boards">
                ${bouts.map(
                  (bout, board) => html`<div class="bout surface">
                    ${index === planned - 1 && board === 1 && html`<div class="muted small">Third place</div>`}
                    ${bout ? SIDES.map((place) => html`<${Side} bout=${bout} place=${place} entries=${entries} />`) : html`<div class="side muted">–</div><div class="side muted">–</div>`}
                  </div>`,
                )}
              </div>
            </section>
          `;
        })}
      </div>
    </div>
  `;
}
