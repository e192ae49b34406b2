// SPDX-License-Identifier: GPL-3.0-or-later
// Shell of every page: theme, settings, keyboard shortcuts.

import { watch } from "./health.js";
import { mindMenus } from "./menus.js";
import { mindScrolling } from "./scrolling.js";
import { isWanted, reveal, want } from "./spoilers.js";
import { withTexts } from "./texts.js";

const stored = "arena-theme"; // which theme.js reads
const system = matchMedia("(prefers-color-scheme: dark)");
const tell = () => dispatchEvent(new Event("themechange"));
system.addEventListener("change", tell);

function dark() {
  return (localStorage.getItem(stored) ?? (system.matches ? "dark" : "light")) === "dark";
}

function switchTheme() {
  const chosen = dark() ? "light" : "dark";
  localStorage.setItem(stored, chosen);
  document.documentElement.dataset.theme = chosen;
  tell();
}

const switchResults = () => want(!isWanted());

/** @typedef {Record<string, [string, () => void]>} Keys */

/**
 * Add keyboard shortcuts. ``keys`` maps a key to ``[description, action]``; returns a function that removes them.
 * @param {Keys} keys
 */
export function listen(keys) {
  current = keys;
  return () => {
    current = {};
  };
}

/** @type {Keys} */
let current = {};

/** @param {EventTarget | null} target */
function typing(target) {
  return target instanceof Element && target.closest("input:not([type=range]), textarea, select, [contenteditable]");
}

/**
 * Whether a key is Space on a focused button, which presses the button and is no shortcut.
 * @param {KeyboardEvent} event
 */
function pressing({ key, target }) {
  return key === " " && target instanceof Element && target.matches("button:focus-visible, summary:focus-visible");
}

async function showSettings() {
  const { open } = await withTexts("settings.js", () => import("./settings.js"));
  if (!document.querySelector("dialog[open]")) open(current);
}

async function search() {
  const { open } = await withTexts("search.js", () => import("./search.js"));
  if (!document.querySelector("dialog[open]")) open();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target) || pressing(event)) return;
  const action = current[event.key]?.[1] ?? { "/": search, t: switchTheme, h: switchResults, "?": showSettings }[event.key];
  if (!action || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  action();
});

document.querySelector("#theme")?.addEventListener("click", switchTheme);
document.querySelector("#search")?.addEventListener("click", search);
document.querySelector("#settings")?.addEventListener("click", showSettings);
document.querySelector("#reveal")?.addEventListener("click", reveal);
watch();
mindMenus();
mindScrolling();
