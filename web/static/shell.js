// SPDX-License-Identifier: GPL-3.0-or-later
// What every page has besides its content: the theme, the keys, and the list of them.

import { html } from "./view.js";
import { watch } from "./health.js";
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
  ["/", "Search"],
  ["t", "Light or dark"],
  ["?", "This list"],
];

/** Listen for keys. ``keys`` maps a key to ``[what it does, action]``; returns a function that stops listening. */
export function listen(keys) {
  current = keys;
  return () => {
    current = {};
  };
}

let current = {};

function typing(target) {
  return target.closest?.("input:not([type=range]), textarea, select, [contenteditable]");
}

/** Space presses the button that the keyboard has chosen, whatever else it would do on the page. */
function pressing({ key, target }) {
  return key === " " && target.matches?.("button:focus-visible, summary:focus-visible");
}

function showKeys() {
  let dialog = document.querySelector("dialog.keys");
  if (!dialog) {
    dialog = document.createElement("dialog");
    dialog.className = "keys";
    dialog.addEventListener("click", () => dialog.close());
    document.body.append(dialog);
  }
  const named = { ArrowLeft: "←", ArrowRight: "→", " ": "space" };
  const rows = [...Object.entries(current).map(([key, [text]]) => [named[key] ?? key, text]), ...everywhere];
  render(
    html`<h2>Keys</h2>
      <dl>${rows.map(([key, text]) => html`<dt><kbd>${key}</kbd></dt><dd>${text}</dd>`)}</dl>
      <button autofocus>Close</button>`,
    dialog,
  );
  dialog.showModal();
}

function search() {
  const box = document.querySelector("input[type=search]");
  if (box) box.focus();
  else location.href = "/bots#search";
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target) || pressing(event)) return;
  const action = current[event.key]?.[1] ?? { "/": search, t: switchTheme, "?": showKeys }[event.key];
  if (!action || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  action();
});

document.querySelector("#theme")?.addEventListener("click", switchTheme);
document.querySelector("#keys")?.addEventListener("click", showKeys);
watch();
mindScrolling();
