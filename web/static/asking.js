// SPDX-License-Identifier: GPL-3.0-or-later
// Requests of a page: one answer, polling while the page is visible, or a module.

import { ask, useEffect, useRef, useState } from "./view.js";

const EVERY = 3000; // ms between two polls

/**
 * The answer to a GET request, repeated when its address or ``occasion`` changes; null before the first answer, and
 * without an address.
 * @template {string} Path
 * @param {Path | null} path
 * @param {unknown} [occasion]
 * @returns {[Api.AnswerTo<Path> | null, string | null]} the answer, and the error message
 */
export function useAnswer(path, occasion) {
  const [answer, setAnswer] = useState(/** @type {Api.AnswerTo<Path> | null} */ (null));
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  useEffect(() => {
    if (path == null) return undefined;
    let stale = false; // whether the address has changed since
    ask(path).then(
      (found) => {
        if (stale) return;
        setAnswer(found);
        setProblem(null);
      },
      (error) => stale || setProblem(error.message),
    );
    return () => void (stale = true);
  }, [path, occasion]);
  return [answer, problem];
}

/**
 * Call ``look`` in regular intervals while the page is visible and ``wanted``; failures are ignored.
 * @param {() => Promise<void>} look
 * @param {{ every?: () => number, wanted?: boolean, now?: boolean }} [options] ``every``: the milliseconds to the next
 *   call; ``now``: whether the first call is due at once
 */
export function usePolling(look, { every = () => EVERY, wanted = true, now = false } = {}) {
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

/**
 * A module, once it is wanted and loaded; null before.
 * @template Module
 * @param {boolean} wanted
 * @param {() => Promise<Module>} load
 */
export function useModule(wanted, load) {
  const [module, setModule] = useState(/** @type {Module | null} */ (null));
  useEffect(() => {
    if (wanted && !module) load().then((loaded) => setModule(() => loaded));
  }, [wanted]);
  return module;
}
