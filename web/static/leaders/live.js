// SPDX-License-Identifier: GPL-3.0-or-later
// Live updates of a leaderboard: the server reports new ratings on the spectators' stream, and the page reads them once.

import { follow } from "../feed.js";
import { useEffect, useRef } from "../view.js";

const SPREAD = 500; // ms: the pages of many viewers do not ask at the same moment

/**
 * Call ``renew`` when the server has newer ratings than those from ``matches`` rated matches; a hidden page waits until it
 * is visible.
 * @param {{ game: string, time_class: Protocol.FollowLeaderboard["time_class"] }} board
 * @param {number} matches
 * @param {() => Promise<void>} renew
 */
export function useNewRatings(board, matches, renew) {
  const state = useRef({ matches, renew, newest: 0, timer: 0, asking: false });
  state.current.matches = matches;
  state.current.renew = renew;
  useEffect(() => {
    const now = state.current;
    const ask = async () => {
      now.timer = 0;
      if (document.hidden || now.asking || now.newest <= now.matches) return;
      const wanted = now.newest;
      now.asking = true;
      await now.renew().catch(() => {}); // the next message is the next attempt
      now.asking = false;
      if (now.newest > wanted) plan();
    };
    const plan = () => {
      if (!now.timer && now.newest > now.matches) now.timer = setTimeout(ask, Math.random() * SPREAD);
    };
    document.addEventListener("visibilitychange", plan);
    const end = follow(
      () => [{ type: "follow-leaderboard", ...board }],
      (message) => {
        if (message.type !== "leaderboard-changed") return;
        now.newest = message.matches ?? now.newest;
        plan();
      },
    );
    return () => {
      end();
      clearTimeout(now.timer);
      document.removeEventListener("visibilitychange", plan);
    };
  }, []);
}
