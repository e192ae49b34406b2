// SPDX-License-Identifier: GPL-3.0-or-later
// Rendering for all pages: preact bound to htm, the page's first data, the draw function, and API requests.

import { html, render } from "./vendor/htm-preact.js";

export { html };
export { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "./vendor/preact-hooks.js";

/** The API's answer embedded in the page, so that the first paint needs no request. */
export function firstData() {
  return JSON.parse(document.getElementById("data").textContent);
}

/** Draw a page into the document's main element. */
export function show(page) {
  const main = document.querySelector("main");
  main.replaceChildren();
  render(page, main);
  // rows of tabs may be wider than the screen
  for (const current of document.querySelectorAll('[aria-current="page"]')) current.scrollIntoView({ block: "nearest", inline: "center" });
}

/** Request a path of the API; throws an Error with a readable message. */
export async function ask(path) {
  let response;
  try {
    response = await fetch(path, { headers: { accept: "application/json" } });
  } catch {
    throw new Error("The server does not answer. Check that it is running.");
  }
  const answer = await response.json().catch(() => null);
  if (!response.ok) throw new Error(answer?.error?.message ?? `The server answered with status ${response.status}.`);
  return answer;
}
