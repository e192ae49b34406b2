// SPDX-License-Identifier: GPL-3.0-or-later
// The stream of a live match; pages of finished matches do not load it.

import { follow } from "../feed.js";
import { misses } from "../game_record.js";
import { wholeRecord } from "../moves.js";
import { t } from "../texts.js";

const SPREAD = 2000; // ms: pages request the search info that the end of a match releases after a random delay up to this

/**
 * Follow a live match; returns a function that stops. ``now()``: the state of the page.
 * @param {Api.MatchDetailAnswer} record
 * @param {() => import("./state.js").State} now
 * @param {(action: import("./state.js").Action) => void} act
 */
export function followed(record, now, act) {
  let stopped = false;
  /** @returns {Promise<boolean>} whether the match is over, or the arena does not have it any more */
  const renew = async () => {
    /** @type {Api.MatchDetailAnswer} */
    let whole;
    try {
      whole = await wholeRecord(record.id);
    } catch (error) {
      if (/** @type {{ status?: number }} */ (error).status !== 404) throw error;
      act({ type: "trouble", text: t`The arena does not have this match any more. The page shows the last moves that it received.` });
      return true;
    }
    const over = whole.status === "finished";
    if (!stopped && (over || whole.moves.length > now().match.moves.length)) act({ type: "record", record: whole });
    return over;
  };
  const release = () => renew().catch(() => setTimeout(release, SPREAD));
  /**
   * @param {Protocol.WatchMessage} message
   * @param {() => void} again
   * @returns {Promise<void>}
   */
  const take = async (message, again) => {
    if (message.type === "refused") {
      // the match ended while the page was not connected, or the server does not show it yet
      if (await renew().catch(() => false)) stop();
      else again();
      return;
    }
    if (misses(now().match, message)) return again();
    act({ type: "message", message });
    const { seen, moves } = now().match;
    if (!seen.ending || moves.length < seen.ply) return;
    stop();
    if (record.info_release === "end") setTimeout(release, SPREAD * Math.random());
  };
  const stop = follow(() => [{ type: "follow", match: record.id, after: now().match.moves.length, thinking: true }], take);
  return () => {
    stopped = true;
    stop();
  };
}
