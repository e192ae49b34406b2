// SPDX-License-Identifier: GPL-3.0-or-later
// The log of a validation, which follows its newest line.

import { html, useLayoutEffect, useRef } from "../view.js";

/** @param {{ lines: string[], label: string, empty: string }} props */
export function Log({ lines, label, empty }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const follows = useRef(true); // until the reader scrolls up
  useLayoutEffect(() => {
    if (box.current && follows.current) box.current.scrollTop = box.current.scrollHeight;
  }, [lines.length]);
  const scrolled = () => {
    const { current } = box;
    if (current) follows.current = current.scrollTop + current.clientHeight > current.scrollHeight - 8;
  };
  return html`<pre class="log" ref=${box} role="log" aria-label=${label} onScroll=${scrolled}>${lines.length > 0 ? lines.join("\n") : html`<span class="muted">${empty}</span>`}</pre>`;
}
