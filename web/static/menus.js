// SPDX-License-Identifier: GPL-3.0-or-later
// Menus that open (<details class="menu">): Escape closes them, as does a press or the focus outside.

const openMenus = () => /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details.menu[open]"));

/** @param {Event} event */
function outside({ target }) {
  for (const menu of openMenus()) {
    if (target instanceof Node && !menu.contains(target)) menu.open = false;
  }
}

/** @param {KeyboardEvent} event */
function escape({ key, target }) {
  if (key !== "Escape") return;
  for (const menu of openMenus()) {
    menu.open = false;
    if (target instanceof Node && menu.contains(target)) menu.querySelector("summary")?.focus();
  }
}

/** Close menus from now on. */
export function mindMenus() {
  document.addEventListener("pointerdown", outside);
  document.addEventListener("focusin", outside);
  document.addEventListener("keydown", escape);
}
