// SPDX-License-Identifier: GPL-3.0-or-later
// Lists that a button lengthens.

import { html, messageOf, Problem, useState } from "./view.js";

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
  /** @param {{ items: Item[], next?: string | null }} found the list as it is now */
  const replace = (found) => {
    setItems(found.items);
    setNext(found.next ?? null);
  };
  return { items, setItems, replace, more: next && more, problem };
}

/**
 * The button that lengthens a list, where there is more of it.
 * @param {{ list: { more: (() => void) | "" | null, problem: string | null } }} props
 */
export const More = ({ list: { more, problem } }) => html`${more && html`<button onClick=${more}>Show more</button>`} <${Problem} text=${problem} />`;
