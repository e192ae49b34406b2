// SPDX-License-Identifier: GPL-3.0-or-later
// A player's line beside a board: colour, name, rating, and clock or points.

import { Dice, SeatMark } from "./board.js";
import { useLive } from "./feed.js";
import { clock, count, half, initialClock, large, LOW, named, points, rating, signed, tone, verdict } from "./format.js";
import { t, translated } from "./texts.js";
import { atLeast, every, serverTime } from "./time.js";
import { html, useEffect, useState } from "./view.js";

const BOTH = -2; // to_move where both seats choose at the same time
const TENTHS = 20_000; // ms: below, clocks show tenths of a second
const [SLOW, FAST] = [1000, 100]; // ms between two changes of a clock

/**
 * A chess clock with ``left`` milliseconds at ``since`` (Unix seconds). It counts down when ``running``, and stops while
 * the connection is lost.
 * @param {{ left: number | null | undefined, since: number, running: boolean, base: number | null }} props
 */
export function Clock({ left, since, running, base }) {
  const [now, setNow] = useState(serverTime);
  const live = useLive();
  const counts = running && live && left != null;
  const rest = left == null ? 0 : running ? left - Math.max(0, now - since * 1000) : left;
  const fast = rest < TENTHS;
  useEffect(() => atLeast(since), [since]);
  useEffect(() => (counts ? every(fast ? FAST : SLOW, () => setNow(serverTime())) : undefined), [counts, fast]);
  if (left == null) return null;
  const kind = `clock${running && live ? " running" : ""}${running && base != null && rest < LOW * base ? " low" : ""}`;
  return html`<span class=${kind} role="timer">${clock(rest)}</span>`;
}

/**
 * ``seen``: a match of the stream; ``aside``: of the shown position; ``link``: whether the name links to the bot's page; ``used``: the instructions of the
 * newest move, which take the place of the clock in a match by instructions; ``waits``: whether the turn has not begun yet.
 * @param {{ seen: Protocol.Seen, board: Api.BoardAnswer, seat: number, clocks?: (number | null)[] | null, aside?: Api.Aside | null, used?: number | null, waits?: boolean, link?: boolean }} props
 */
export function PlayerLine({ seen, board, seat, clocks = seen.clocks, aside = seen.aside, used, waits, link }) {
  const player = seen.players[seat];
  const ending = seen.ending;
  const change = ending?.ratings?.[seat];
  return html`
    <div class="player">
      <${SeatMark} board=${board} seat=${seat} />
      <span class="name ellipsis" title=${named(player)}>
        ${link && player.bot ? html`<a href=${`/bots/${player.bot}`}>${player.name}</a>` : named(player)}
      </span>
      <span class=${change ? "spoiler muted" : "muted"}>${rating(change?.after ?? player.rating)}</span>
      ${change && html`<span class=${`spoiler news ${tone(change.after - change.before)}`}>${signed(change.after - change.before)}</span>`}
      <${Dice} board=${board} seat=${seat} aside=${aside} />
      ${aside?.counts && html`<span class="tally muted small">${half(aside.counts[seat])} ${translated(Math.abs(aside.counts[seat]) === 1 ? board.counted_one : board.counted)}</span>`}
      ${ending
        ? html`<span class=${`spoiler clock ${verdict(ending.result, seat)}`}>${points(ending.result, seat)}</span>`
        : used != null
        ? html`<span class="clock" title=${t`${count(used)} instructions for the newest move`}>${large(used)}</span>`
        : html`<${Clock} left=${clocks?.[seat]} since=${seen.clocks_at} running=${(seen.to_move === seat || seen.to_move === BOTH) && !waits} base=${initialClock(seen.time_control, seat)} />`}
    </div>
  `;
}
