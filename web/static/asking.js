// SPDX-License-Identifier: GPL-3.0-or-later
// Asking the API while a page is seen: once, again and again, or for more of a list.

import { ask, html, useEffect, useRef, useState } from "./view.js";

const EVERY = 3000; // ms from one look to the next

/** @param {{ text: string | null }} props */
export const Problem = ({ text }) => text && html`<p role="alert" class="loss">${text}</p>`;

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

/**
 * A list that grows by a page at a time.
 * @template Item
 * @param {{ items: Item[], next?: string | null }} first
 * @param {(after: string) => Promise<{ items: Item[], next?: string | null }>} page asks for the page after another
 */
export function useList(first, page) {
  const [items, setItems] = useState(first.items);
  const [next, setNext] = useState(first.next ?? null);
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  const more = async () => {
    if (next == null) return;
    try {
      const found = await page(next);
      setItems([...items, ...found.items]);
      setNext(found.next ?? null);
      setProblem(null);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return { items, setItems, more: next && more, problem };
}

/**
 * The button that lengthens a list, where there is more of it.
 * @param {{ list: { more: (() => void) | "" | null, problem: string | null } }} props
 */
export const More = ({ list: { more, problem } }) => html`${more && html`<button onClick=${more}>Show more</button>`} <${Problem} text=${problem} />`;

/**
 * What an error says.
 * @param {unknown} error
 */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));
