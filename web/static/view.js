// SPDX-License-Identifier: GPL-3.0-or-later
// What every page is made with: preact bound to htm, the page's first data, and the one place where it is drawn.

import { html, render } from "./vendor/htm-preact.js";

export { html };
export { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "./vendor/preact-hooks.js";

/** The API's answer that came with the page, so that it is drawn without a request. */
export function firstData() {
  return JSON.parse(document.getElementById("data").textContent);
}

/** Draw a page into the document's main element. */
export function show(page) {
  const main = document.querySelector("main");
  main.replaceChildren();
  render(page, main);
  // rows of links may be wider than the screen
  for (const current of document.querySelectorAll('[aria-current="page"]')) current.scrollIntoView({ block: "nearest", inline: "center" });
}

/** Ask the API; throws an Error that says what went wrong, in words for people. */
export async function ask(path) {
  let response;
  try {
    response = await fetch(path, { headers: { accept: "application/json" } });
  } catch {
    throw new Error("The arena does not answer. Is it running?");
  }
  const answer = await response.json().catch(() => null);
  if (!response.ok) throw new Error(answer?.error?.message ?? `The arena answered ${response.status}.`);
  return answer;
}
