// SPDX-License-Identifier: GPL-3.0-or-later
// Shell of every page: theme, keyboard shortcuts and their list.

import { html } from "./view.js";
import { watch } from "./health.js";
import { mindMenus } from "./menus.js";
import { mindScrolling } from "./scrolling.js";
import { render } from "./vendor/preact.js";

const stored = "arena-theme"; // which theme.js reads

function dark() {
  return (localStorage.getItem(stored) ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
}

function switchTheme() {
  const chosen = dark() ? "light" : "dark";
  localStorage.setItem(stored, chosen);
  document.documentElement.dataset.theme = chosen;
  dispatchEvent(new Event("themechange"));
}

const everywhere = [
  ["/", "Search bots, tournaments and matches"],
  ["t", "Switch between light and dark theme"],
  ["?", "Show keyboard shortcuts"],
];

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

function showKeys() {
  const dialog = /** @type {HTMLDialogElement | null} */ (document.querySelector("dialog.keys")) ?? document.createElement("dialog");
  if (!dialog.isConnected) {
    dialog.className = "keys";
    dialog.addEventListener("click", () => dialog.close());
    document.body.append(dialog);
  }
  /** @type {Record<string, string>} */
  const named = { ArrowLeft: "←", ArrowRight: "→", " ": "space" };
  const rows = [...Object.entries(current).map(([key, [text]]) => [named[key] ?? key, text]), ...everywhere];
  render(
    html`<h2>Keyboard shortcuts</h2>
      <dl>${rows.map(([key, text]) => html`<dt><kbd>${key}</kbd></dt><dd>${text}</dd>`)}</dl>
      <button autofocus>Close</button>`,
    dialog,
  );
  dialog.showModal();
}

async function search() {
  const { open } = await import("./search.js");
  if (!document.querySelector("dialog[open]")) open();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target) || pressing(event)) return;
  const action = current[event.key]?.[1] ?? { "/": search, t: switchTheme, "?": showKeys }[event.key];
  if (!action || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  action();
});

document.querySelector("#theme")?.addEventListener("click", switchTheme);
document.querySelector("#search")?.addEventListener("click", search);
document.querySelector("#keys")?.addEventListener("click", showKeys);
watch();
mindMenus();
mindScrolling();
