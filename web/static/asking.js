// SPDX-License-Identifier: GPL-3.0-or-later
// Requests of a page that is seen: one answer, or one again and again.

import { ask, useEffect, useRef, useState } from "./view.js";

const EVERY = 3000; // ms from one look to the next

/**
 * The answer to a request, which is sent when its address changes; null before the first, and while there is no address.
 * @template {string} Path
 * @param {Path | null} path
 * @returns {[Api.AnswerTo<Path> | null, string | null]} the answer, and what went wrong
 */
export function useAnswer(path) {
  const [answer, setAnswer] = useState(/** @type {Api.AnswerTo<Path> | null} */ (null));
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  useEffect(() => {
    if (path == null) return undefined;
    let stale = false; // another answer is wanted by now
    ask(path).then(
      (found) => {
        if (stale) return;
        setAnswer(found);
        setProblem(null);
      },
      (error) => stale || setProblem(error.message),
    );
    return () => void (stale = true);
  }, [path]);
  return [answer, problem];
}

/**
 * Call ``look`` again and again while the page is seen and ``wanted``; when it fails, the next look may do better.
 * @param {() => Promise<void>} look
 * @param {{ every?: () => number, wanted?: boolean, now?: boolean }} [options] ``every``: the milliseconds to the next
 *   look; ``now``: whether the first is due at once
 */
export function useLooks(look, { every = () => EVERY, wanted = true, now = false } = {}) {
  const latest = useRef({ look, every });
  latest.current = { look, every };
  useEffect(() => {
    if (!wanted) return undefined;
    let timer = 0;
    let ended = false;
    const wait = () => void (timer = setTimeout(again, latest.current.every()));
    const again = async () => {
      if (!document.hidden) await latest.current.look().catch(() => {});
      if (!ended) wait();
    };
    if (now) again();
    else wait();
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }, [wanted]);
}
