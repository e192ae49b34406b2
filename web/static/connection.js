// SPDX-License-Identifier: GPL-3.0-or-later
// Connection state of the page: while the server does not answer, clocks stop and a banner shows.

import { html, useEffect, useState } from "./view.js";
import { render } from "./vendor/preact.js";

const BANNERS = {
  live: "",
  lost: "The connection to the arena is lost. The page stops the clocks and reconnects automatically.",
  waiting: "The arena has restarted. This match resumes when its game is ready.",
};

/** @type {keyof typeof BANNERS} */
let now = "live";
/** @type {Set<(state: keyof typeof BANNERS) => void>} */
const listeners = new Set();

/**
 * Set the connection state: "live"; "lost"; or "waiting" (connected, but the server has not answered yet).
 * @param {keyof typeof BANNERS} state
 */
export function connection(state) {
  if (state === now) return;
  now = state;
  for (const listen of listeners) listen(state);
  let banner = document.querySelector("#connection");
  if (!banner) {
    banner = document.createElement("div");
    banner.id = "connection";
    banner.setAttribute("role", "status");
    document.body.append(banner);
  }
  render(BANNERS[state] && html`<p>${BANNERS[state]}</p>`, banner);
}

/** Whether the connection is live. */
export function useLive() {
  const [state, setState] = useState(now);
  useEffect(() => {
    listeners.add(setState);
    setState(now);
    return () => void listeners.delete(setState);
  }, []);
  return state === "live";
}
