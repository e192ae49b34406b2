// SPDX-License-Identifier: GPL-3.0-or-later
// Rounds of a tournament: pairings with links to their games.

import { half, payoff } from "./format.js";
import { useHiding } from "./hiding.js";
import { Game } from "./tournament/games.js";
import { plural, t } from "./texts.js";
import { html } from "./view.js";

/**
 * The points of the first bot of a pairing, and those of the second if they are not as many points less.
 * @param {{ one: number, other: number }} props
 */
const Payoffs = ({ one, other }) =>
  one + other === 0
    ? html`<span class="small muted" title="Points of the first bot">${payoff(one)}</span>`
    : html`<span class="small muted" title="Points of both bots">${payoff(one)} – ${payoff(other)}</span>`;

/** @param {{ bout: Api.BoutView, entries: string[] }} props */
function Bout({ bout, entries }) {
  const bye = bout.second == null;
  const second = bout.second == null ? "" : entries[bout.second];
  return html`
    <tr>
      <td class="number muted">${bout.board}</td>
      <td class="name"><span class="ellipsis" title=${entries[bout.first]}><bdi>${entries[bout.first]}</bdi></span></td>
      <td class=${bye ? "result" : "result spoiler"}>${bye ? t`bye` : html`${half(bout.points[0])} – ${half(bout.points[1])}${bout.payoff != null && bout.payoff_second != null && html` <${Payoffs} one=${bout.payoff} other=${bout.payoff_second} />`}`}</td>
      <td class="name"><span class="ellipsis" title=${second}><bdi>${second}</bdi></span></td>
      <td class="games">${bout.games.map((game) => html`<${Game} key=${game.slot} game=${game} />`)}</td>
    </tr>
  `;
}

/**
 * All rounds, newest first; the newest is open, unless the page hides results: later pairings may tell them.
 * @param {{ tournament: Api.TournamentView }} props
 */
export function Rounds({ tournament }) {
  const { rounds, entries } = tournament;
  const hiding = useHiding();
  return html`${rounds.map((bouts, index) => ({ bouts, index })).toReversed().map(
    ({ bouts, index }) => html`
      <details class="round" key=${index} open=${!hiding && index === rounds.length - 1}>
        <summary>Round ${index + 1} <span class="muted">${plural(bouts.length, "{0} board", "{0} boards")}</span></summary>
        <div class="scroll surface"><table class="bouts"><tbody>${bouts.map((bout) => html`<${Bout} key=${bout.board} bout=${bout} entries=${entries} />`)}</tbody></table></div>
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
              <td class="name"><span class="ellipsis" title=${entries[one]}><bdi>${entries[one]}</bdi></span></td>
              <td class="name"><span class="ellipsis" title=${entries[other]}><bdi>${entries[other]}</bdi></span></td>
            </tr>`,
          )}</tbody></table></div>
        `,
      )}
    </details>
  `;
}
