// SPDX-License-Identifier: GPL-3.0-or-later
// Search info of both sides up to the shown position: score, depth, nodes, speed, principal variation, predictions.

import { large, named, percent, signed, took } from "./format.js";
import { inContext, t } from "./texts.js";
import { html } from "./view.js";

const DECIDED = 1000;

/**
 * A score as text; scores of 1000 pawn units or more mean a forced win.
 * @param {number | null | undefined} score
 */
export function scoreText(score) {
  if (score == null) return "–";
  if (Math.abs(score) >= DECIDED) return score > 0 ? t`wins` : t`loses`;
  return signed(score, 2);
}

/**
 * Predicted replies of a side; ``answer``: the actual next move, if it was made.
 * @param {{ expected: Api.Expected[], answer?: Api.SeenMove }} props
 */
function Expected({ expected, answer }) {
  return html`
    <table class="expected">
      <caption>Predicted reply</caption>
      <tbody>${expected.map(
        ({ move, probability }) => html`<tr key=${move} class=${answer?.move === move ? "hit" : ""}>
          <td>${move}</td>
          <td class="bar"><span style=${{ width: `${100 * probability}%` }}></span></td>
          <td class="number">${percent(probability)}</td>
        </tr>`,
      )}</tbody>
    </table>
    ${answer && html`<p class="small muted">${expected[0].move === answer.move ? t`Hit` : t`Miss`}: ${answer.text || answer.move}</p>`}
  `;
}

/**
 * Where the time of a side's newest move went: thinking; and the network and the server, which let it wait besides.
 * @param {{ move?: Api.SeenMove }} props
 */
function Spent({ move }) {
  const timed = move && !move.opening && move.instructions == null;
  const { elapsed = 0, network = 0, waited = 0 } = move ?? {};
  return html`
    <dt>${inContext("of a move", "Time")}</dt><dd title="Time of the newest move without the round trip of the network">${timed ? took(Math.max(0, elapsed - network)) : "–"}</dd>
    <dd class="spent small muted ellipsis" title="Network: round trip of messages to the player. Server: from the move before to the turn, for storage, a free processor, and the pause between moves of built-in bots.">
      ${timed ? t`network ${took(network)} · server ${took(waited)}` : ""}
    </dd>
  `;
}

/**
 * ``thinking``: the running search, which replaces that of the newest move; ``last``: the newest move, with search info or
 * without.
 * @param {{ name: string, move?: Api.SeenMove, last?: Api.SeenMove, answer?: Api.SeenMove, thinking: Protocol.LiveThinking | null, chips: (texts: string[]) => import("preact").VNode }} props
 */
function Side({ name, move, last, answer, thinking, chips }) {
  const { info, line = [] } = thinking ?? move ?? {};
  const expected = info?.expected ?? [];
  const speed = !thinking && info?.nodes && move?.elapsed ? `${large((info.nodes * 1000) / move.elapsed)}/s` : "–";
  return html`
    <div class=${thinking ? "thinking" : ""}>
      <div class="side"><h2 class="ellipsis" title=${name}>${name}</h2>${thinking && html`<span class="now small" title="The running search, before the move">thinking</span>`}</div>
      <dl>
        <dt>${inContext("of a position", "Score")}</dt><dd>${scoreText(info?.score)}</dd>
        <dt>Depth</dt><dd>${info?.depth ?? "–"}</dd>
        <dt>Nodes</dt><dd>${large(info?.nodes)}</dd>
        <dt>Speed</dt><dd>${speed}</dd>
        <${Spent} move=${last} />
        ${chips(line)}
      </dl>
      ${expected.length > 0 && html`<${Expected} expected=${expected} answer=${thinking ? undefined : answer} />`}
    </div>
  `;
}

/**
 * The newest move of a side with search info, up to ``ply``.
 * @param {Api.SeenMove[]} moves
 * @param {number} ply
 * @param {number} seat
 */
export const latest = (moves, ply, seat) => moves.findLast((move) => move.seat === seat && move.ply <= ply && move.info);

/**
 * The last search info of each side in ``moves`` up to ``ply``, and the running search of the side to move.
 * ``chips(seat, texts)`` draws a principal variation.
 * @param {{ players: { name: string }[], moves: Api.SeenMove[], ply: number, thinking: Protocol.LiveThinking | null,
 *   chips: (seat: number, texts: string[]) => import("preact").VNode }} props
 */
export function Reports({ players, moves, ply, thinking, chips }) {
  return html`
    <div class="reports surface">
      ${[0, 1].map((seat) => {
        const move = latest(moves, ply, seat);
        const last = moves.findLast((each) => each.seat === seat && each.ply <= ply);
        return html`<${Side} name=${named(players[seat])} move=${move} last=${last} answer=${move && moves[move.ply]} thinking=${thinking?.seat === seat ? thinking : null} chips=${(/** @type {string[]} */ texts) => chips(seat, texts)} />`;
      })}
    </div>
  `;
}
