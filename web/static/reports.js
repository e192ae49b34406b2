// SPDX-License-Identifier: GPL-3.0-or-later
// Search info of both sides up to the shown position: score, depth, nodes, speed, principal variation, predictions.

import { useModule } from "./asking.js";
import { useLive } from "./feed.js";
import { large, named, signed, took } from "./format.js";
import { inContext, t, withTexts } from "./texts.js";
import { every, serverTime } from "./time.js";
import { html, useEffect, useState } from "./view.js";

const DECIDED = 1000;
const PACE = 100; // ms between two changes of the running time


/**
 * A score as text; scores of 1000 pawn units or more mean a forced win.
 * @param {number | null | undefined} score
 */
export function scoreText(score) {
  if (score == null) return "–";
  if (Math.abs(score) >= DECIDED) return score > 0 ? t`wins` : t`loses`;
  return signed(score, 2);
}

const trying = () => withTexts("match/candidates.js", () => import("./match/candidates.js"));
const predicting = () => withTexts("match/expected.js", () => import("./match/expected.js"));

/**
 * The time since ``since`` (Unix milliseconds of the server), while the connection lasts.
 * @param {{ since: number }} props
 */
function Running({ since }) {
  const [now, setNow] = useState(serverTime);
  const live = useLive();
  useEffect(() => (live ? every(PACE, () => setNow(serverTime())) : undefined), [live]);
  return took(Math.max(0, now - since));
}

/**
 * The time of the running search; or where the time of a side's newest move went: thinking; and the network and the
 * server, which let it wait besides. ``since``: when the running search began.
 * @param {{ move?: Api.SeenMove, since: number | null }} props
 */
function Spent({ move, since }) {
  const timed = move && !move.opening && move.instructions == null;
  const { elapsed = 0, network = 0, waited = 0 } = move ?? {};
  const thought = took(Math.max(0, elapsed - network));
  return html`
    <dt>${inContext("of a move", "Time")}</dt>
    ${since == null
      ? html`<dd title="Time of the newest move without the round trip of the network">${timed ? thought : "–"}</dd>`
      : html`<dd class="running" title="Time of the running search"><${Running} since=${since} /></dd>`}
    <dd class="spent small muted ellipsis" title="Network: round trip of messages to the player. Server: time from the opponent's move to this turn: storing the move, waiting for a free processor, and the pause between moves of built-in bots.">
      ${!timed ? "" : since == null ? t`network ${took(network)} · server ${took(waited)}` : t`previous move: ${thought}`}
    </dd>
  `;
}

/**
 * ``thinking``: the running search, which replaces that of the newest move; ``since``: when the side's turn began, if it
 * is to move; ``last``: the newest move, with search info or without.
 * @param {{ name: string, move?: Api.SeenMove, last?: Api.SeenMove, answer?: Api.SeenMove, thinking: Protocol.LiveThinking | null,
 *   since: number | null, chips: (texts: string[]) => import("preact").VNode }} props
 */
function Side({ name, move, last, answer, thinking, since, chips }) {
  const { info, line = [] } = thinking ?? move ?? {};
  const elapsed = (thinking ?? move)?.elapsed;
  const expected = info?.expected ?? [];
  const speed = info?.nodes && elapsed ? `${large((info.nodes * 1000) / elapsed)}/s` : "–";
  const candidates = info?.candidates ?? [];
  const predicted = useModule(expected.length > 0, predicting);
  const tried = useModule(candidates.length > 0, trying);
  return html`
    <div class=${thinking ? "thinking" : ""}>
      <div class="side"><h2 class="ellipsis" title=${name}>${name}</h2>${thinking && html`<span class="now small" title="The running search, before the move">thinking</span>`}</div>
      <dl>
        <dt>${inContext("of a position", "Score")}</dt><dd>${scoreText(info?.score)}</dd>
        <dt>Depth</dt><dd>${info?.depth ?? "–"}</dd>
        <dt>Nodes</dt><dd>${large(info?.nodes)}</dd>
        <dt>Speed</dt><dd>${speed}</dd>
        <${Spent} move=${last} since=${since} />
        ${chips(line)}
      </dl>
      ${tried && candidates.length > 0 && html`<${tried.Candidates} candidates=${candidates} played=${thinking ? undefined : move?.move} />`}
      ${predicted && expected.length > 0 && html`<${predicted.Expected} expected=${expected} answer=${thinking ? undefined : answer} />`}
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
 * ``turn``: the side to move at the newest position, and when its turn began; ``chips(seat, texts)`` draws a principal
 * variation.
 * @param {{ players: { name: string }[], moves: Api.SeenMove[], ply: number, thinking: Protocol.LiveThinking | null,
 *   turn: { seat: number, since: number } | null, chips: (seat: number, texts: string[]) => import("preact").VNode }} props
 */
export function Reports({ players, moves, ply, thinking, turn, chips }) {
  return html`
    <div class="reports surface">
      ${[0, 1].map((seat) => {
        const move = latest(moves, ply, seat);
        const last = moves.findLast((each) => each.seat === seat && each.ply <= ply);
        const now = thinking?.seat === seat ? thinking : null;
        const since = turn?.seat === seat ? turn.since : null;
        return html`<${Side} name=${named(players[seat])} move=${move} last=${last} answer=${move && moves[move.ply]} thinking=${now} since=${since} chips=${(/** @type {string[]} */ texts) => chips(seat, texts)} />`;
      })}
    </div>
  `;
}
