// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of tables: arrow keys between their links, and rows that slide to new places.

import { targetOf } from "./drawing.js";
import { useLayoutEffect, useRef } from "./view.js";

/** @type {KeyframeAnimationOptions} */
const SLIDE = { duration: 160, easing: "ease-out" };
const still = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * A handler of keys for a table: the up and down arrow keys, Home and End move the focus between the links of its rows.
 * @param {string} selector of the links
 */
export const betweenLinks = (selector) =>
  /** @param {KeyboardEvent & { currentTarget: HTMLElement, target: HTMLElement }} event */
  (event) => {
    const links = /** @type {HTMLElement[]} */ ([...event.currentTarget.querySelectorAll(selector)]);
    const at = links.findIndex((link) => link.contains(event.target));
    if (at < 0) return;
    const to = targetOf(event, { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: links.length - 1 });
    if (to !== undefined) links[Math.min(links.length - 1, Math.max(0, to))].focus();
  };

/**
 * Let the rows of a table, which have the attribute ``data-row``, slide when ``items`` changes their order.
 * @param {unknown} items
 */
export function useSliding(items) {
  const table = useRef(/** @type {HTMLTableElement | null} */ (null));
  const before = useRef(/** @type {Map<string | undefined, number>} */ (new Map()));
  useLayoutEffect(() => {
    const now = new Map();
    for (const row of /** @type {NodeListOf<HTMLElement>} */ (table.current?.querySelectorAll("[data-row]") ?? [])) {
      const [top, was] = [row.offsetTop, before.current.get(row.dataset.row)];
      now.set(row.dataset.row, top);
      if (was !== undefined && was !== top && !still.matches) row.animate([{ transform: `translateY(${was - top}px)` }, { transform: "none" }], SLIDE);
    }
    before.current = now;
  }, [items]);
  return table;
}
