// SPDX-License-Identifier: GPL-3.0-or-later
// The banner over every page while the arena has a problem that does not pass by itself.

import { html } from "./view.js";
import { render } from "./vendor/preact.js";

const EVERY = 30_000;

async function problems() {
  try {
    const response = await fetch("/api/v1/status", { cache: "no-store" });
    return response.ok ? (await response.json()).problems : null;
  } catch {
    return null; // the server is away or busy: the page says so where it matters
  }
}

function show(found) {
  let banner = document.querySelector("#problems");
  if (!banner) {
    banner = document.createElement("div");
    banner.id = "problems";
    document.querySelector("header.top").after(banner);
  }
  const text = found.length > 0 && html`<div class="problems" role="alert">
    <strong>This arena has a problem.</strong>
    <ul>${found.map((problem) => html`<li>${problem}</li>`)}</ul>
  </div>`;
  render(text, banner);
}

async function look() {
  if (document.hidden) return;
  const found = await problems();
  if (found) show(found);
}

/** Look for problems now, again and again, and when the page is seen again. */
export function watch() {
  look();
  setInterval(look, EVERY);
  document.addEventListener("visibilitychange", look);
}
