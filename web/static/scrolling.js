// SPDX-License-Identifier: GPL-3.0-or-later
// Keyboard scrolling of boxes with overflow: tables and code get a tab stop while they are wider than their box.

const BOXES = ".scroll, pre, .command code";
const known = new WeakSet();

/** @param {HTMLElement} box */
function mark(box) {
  const scrolls = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;
  if (scrolls) box.tabIndex = 0;
  else box.removeAttribute("tabindex");
}

/**
 * The box that an element belongs to.
 * @param {Element | null} element
 * @returns {HTMLElement | null | undefined}
 */
const boxOf = (element) => element?.closest(BOXES);

const sizes = new ResizeObserver((entries) => {
  for (const box of new Set(entries.map(({ target }) => boxOf(target)))) if (box) mark(box);
});

/** @param {MutationRecord[]} changes */
function find(changes) {
  // a resize observer does not report text that grows inside its box
  const grown = changes.filter(({ type }) => type === "characterData").map(({ target }) => boxOf(target.parentElement));
  for (const box of new Set(grown)) if (box) mark(box);
  for (const box of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(BOXES))) {
    if (known.has(box)) continue;
    known.add(box);
    sizes.observe(box);
    for (const child of box.children) sizes.observe(child);
  }
}

/** Watch all boxes of the page. */
export function mindScrolling() {
  find([]);
  new MutationObserver(find).observe(document.body, { childList: true, characterData: true, subtree: true });
}
