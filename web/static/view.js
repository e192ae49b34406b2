// SPDX-License-Identifier: GPL-3.0-or-later
// Rendering for all pages: preact bound to htm, the page's first data, the draw function, and API requests.

import { PREFIX, prefixed } from "./root.js";
import { inLanguage, t } from "./texts.js";
import { html as plain, render } from "./vendor/htm-preact.js";
import { options } from "./vendor/preact.js";

/** The tag of templates; their texts appear in the language of the page. */
export const html = inLanguage(plain);
export { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "./vendor/preact-hooks.js";

const LINKS = ["href", "action", "src"]; // attributes that hold addresses

// behind a reverse proxy with a path prefix, every link that preact draws begins with it
if (PREFIX) {
  options.vnode = ({ type, props }) => {
    if (typeof type !== "string") return;
    const attributes = /** @type {Record<string, unknown>} */ (props);
    for (const name of LINKS) {
      const address = attributes[name];
      if (typeof address === "string") attributes[name] = prefixed(address);
    }
  };
}

/**
 * The element that every page has for a selector.
 * @param {string} selector
 * @returns {HTMLElement}
 */
export function element(selector) {
  const found = /** @type {HTMLElement | null} */ (document.querySelector(selector));
  if (!found) throw new Error(`The page has no ${selector}.`);
  return found;
}

/**
 * The API's answer embedded in the page, so that the first paint needs no request.
 * @returns {any} what the page declares that it is
 */
export function firstData() {
  return JSON.parse(element("#data").textContent ?? "");
}

/**
 * Draw a page into the document's main element.
 * @param {import("preact").VNode} page
 */
export function show(page) {
  const main = element("main");
  main.replaceChildren();
  render(page, main);
  // rows of tabs may be wider than the screen
  for (const current of document.querySelectorAll('[aria-current="page"]')) current.scrollIntoView({ block: "nearest", inline: "center" });
}

/**
 * Request a path of the API; throws an Error with a readable message, and with the status of an error answer.
 * @template {string} Path
 * @param {Path} path
 * @returns {Promise<Api.AnswerTo<Path>>}
 */
export async function ask(path) {
  let response;
  try {
    response = await fetch(prefixed(path), { headers: { accept: "application/json" } });
  } catch {
    throw new Error(t`The server does not answer. Check that it is running.`);
  }
  const answer = await response.json().catch(() => null);
  if (!response.ok) {
    const message = answer?.error?.message ?? t`The server answered with status ${response.status}.`;
    throw Object.assign(new Error(message), { status: response.status });
  }
  return answer;
}

/**
 * What an error says.
 * @param {unknown} error
 */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/** @param {{ text: string | null }} props */
export const Problem = ({ text }) => text && html`<p role="alert" class="loss">${text}</p>`;
