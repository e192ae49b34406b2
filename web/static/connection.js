// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the arena answers this page: clocks stand and a banner shows while it does not.

import { html, useEffect, useState } from "./view.js";
import { render } from "./vendor/preact.js";

const TOLD = {
  live: "",
  lost: "The connection to the arena is lost. Clocks stand; the page tries again.",
  waiting: "The arena has restarted. This match goes on when its game is ready.",
};

let now = "live";
const listeners = new Set();

/** Note how the connection is: "live"; "lost"; or "waiting" while the arena is there but has not answered yet. */
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
  render(TOLD[state] && html`<p>${TOLD[state]}</p>`, banner);
}

/** Whether the page shows what is going on now. */
export function useLive() {
  const [state, setState] = useState(now);
  useEffect(() => {
    listeners.add(setState);
    setState(now);
    return () => listeners.delete(setState);
  }, []);
  return state === "live";
}
