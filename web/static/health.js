// SPDX-License-Identifier: GPL-3.0-or-later
// Banner on every page while the server reports a problem that needs an operator.

import { prefixed } from "./root.js";
import { told } from "./time.js";
import { element, html } from "./view.js";
import { render } from "./vendor/preact.js";

const EVERY = 30_000;

/** @returns {Promise<string[] | null>} */
async function problems() {
  try {
    const response = await fetch(prefixed("/api/v1/status"), { cache: "no-store" });
    told(response.headers.get("date"));
    return response.ok ? (await response.json()).problems : null;
  } catch {
    return null; // the server is down or busy; the parts of the page that need it show that
  }
}

/** @param {string[]} found */
function show(found) {
  let banner = document.querySelector("#problems");
  if (!banner) {
    banner = document.createElement("div");
    banner.id = "problems";
    element("header.top").after(banner);
  }
  const text = found.length > 0 && html`<div class="problems" role="alert">
    <strong>The server reports a problem.</strong>
    <ul>${found.map((problem) => html`<li>${problem}</li>`)}</ul>
  </div>`;
  render(text, banner);
}

async function look() {
  if (document.hidden) return;
  const found = await problems();
  if (found) show(found);
}

/** Poll for problems: now, in regular intervals, and when the page becomes visible. */
export function watch() {
  look();
  setInterval(look, EVERY);
  document.addEventListener("visibilitychange", look);
}
