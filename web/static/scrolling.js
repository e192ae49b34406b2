// SPDX-License-Identifier: GPL-3.0-or-later
// Tables and code that are wider than their box: the keyboard can choose and scroll them, while they are wider.

const BOXES = ".scroll, pre, .command code";
const known = new WeakSet();

function mark(box) {
  const scrolls = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;
  if (scrolls) box.tabIndex = 0;
  else box.removeAttribute("tabindex");
}

const sizes = new ResizeObserver((entries) => {
  for (const box of new Set(entries.map(({ target }) => target.closest(BOXES)))) if (box) mark(box);
});

function find(changes) {
  // text that grows within its box changes the size of nothing
  const grown = changes.filter(({ type }) => type === "characterData").map(({ target }) => target.parentElement?.closest(BOXES));
  for (const box of new Set(grown)) if (box) mark(box);
  for (const box of document.querySelectorAll(BOXES)) {
    if (known.has(box)) continue;
    known.add(box);
    sizes.observe(box);
    for (const child of box.children) sizes.observe(child);
  }
}

/** Look after the boxes of the page from now on. */
export function mindScrolling() {
  find([]);
  new MutationObserver(find).observe(document.body, { childList: true, characterData: true, subtree: true });
}
