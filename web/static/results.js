// SPDX-License-Identifier: GPL-3.0-or-later
// Table of matches: players, result, game, time control, termination, start.

import { ago, control, count, moment, named, rating, score, signed, tone, verdict } from "./format.js";
import { t, translated } from "./texts.js";
import { html } from "./view.js";

const own = { win: ["+", t`won`], loss: ["−", t`lost`], draw: ["=", t`draw`], void: ["", t`void`] };

/**
 * ``matches`` and ``games``: lists of the API; ``bot``: number of the bot whose results are marked, or nothing.
 * @param {{ matches: Api.MatchAnswer[], games: Api.GameAnswer[], bot?: number | null }} props
 */
export function MatchTable({ matches, games, bot }) {
  /** @type {Record<string, Api.GameAnswer>} */
  const byName = Object.fromEntries(games.map((game) => [game.name, game]));
  return html`
    <div class="scroll surface">
      <table class="results">
        <thead>
          <tr>
            <th>Players</th>
            <th>Result</th>
            <th class="wide">Game</th>
            <th class="spare wide">Time</th>
            <th class="spare wide">Ended by</th>
            <th class="spare wide number">Plies</th>
            <th class="number">Started</th>
          </tr>
        </thead>
        <tbody>
          ${matches.map((match) => html`<${Row} key=${match.id} match=${match} game=${byName[match.game]} bot=${bot} />`)}
        </tbody>
      </table>
    </div>
  `;
}

/** @param {{ player: Api.PlayerAnswer, won: boolean }} props */
function Side({ player, won }) {
  const change = player.rating_change;
  return html`
    <span class=${`ellipsis ${won ? "win" : ""}`} title=${named(player)}>${named(player)}</span>
    <span class="number muted">${rating(player.rating)}</span>
    <span class=${`spoiler wide number ${change == null ? "" : tone(change)}`}>${change != null && signed(change)}</span>
  `;
}

/**
 * The score, with the winner in words, or the result of the marked bot.
 * @param {{ match: Api.MatchAnswer, seats: string[], seat: number }} props
 */
function Result({ match, seats, seat }) {
  if (match.status === "live") return html`<td class="result live"><span aria-hidden="true">● </span>live</td>`;
  const first = verdict(match.result, 0);
  const kind = seat < 0 ? (first === "loss" ? "win" : first) : verdict(match.result, seat);
  const [sign, word] = own[kind];
  const told = seat < 0 && kind === "win" ? t`${translated(seats[first === "win" ? 0 : 1])} won` : word;
  return html`<td class="result spoiler">
    <span class=${seat < 0 ? "" : kind}>${score(match.result)} ${seat >= 0 && html`<span aria-hidden="true">${sign}</span>`}</span>
    ${kind !== "void" && html` <span class="word muted">${told}</span>`}
  </td>`;
}

/** @param {{ match: Api.MatchAnswer, game?: Api.GameAnswer, bot?: number | null }} props */
function Row({ match, game, bot }) {
  const seat = match.players.findIndex((player) => player.bot === bot);
  const exact = match.finished ? t`Started ${moment(match.started)}, ended ${moment(match.finished)}` : t`Started ${moment(match.started)}`;
  const [first, second] = match.players;
  return html`
    <tr>
      <td class="name outcome">
        <a class="versus" href=${`/matches/${match.id}`}>
          <${Side} player=${first} won=${verdict(match.result, 0) === "win"} />
          <span class="muted dash">–</span>
          <${Side} player=${second} won=${verdict(match.result, 1) === "win"} />
        </a>
      </td>
      <${Result} match=${match} seats=${game?.seats ?? [t`first`, t`second`]} seat=${seat} />
      <td class="wide muted">${translated(game?.title ?? match.game)}</td>
      <td class="spare wide muted">${match.time_control ? control(match.time_control) : t`none`}${!match.rated && html` <span class="small">unrated</span>`}</td>
      <td class="spoiler spare wide muted" title=${match.detail || null}>${translated(match.ended_by ?? "")}</td>
      <td class=${`${match.status === "live" ? "" : "spoiler "}spare wide number`}>${count(match.plies)}</td>
      <td class="number muted"><time datetime=${new Date(1000 * match.started).toISOString()} title=${exact}>${ago(match.started)}</time></td>
    </tr>
  `;
}
