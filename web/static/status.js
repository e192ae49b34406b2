// SPDX-License-Identifier: GPL-3.0-or-later
// What the arena is doing before it has anything to show, for pages that are empty: asked again and again.

import { ask, html, useEffect, useState } from "./view.js";

const EVERY = 3000;

/** The answer of /api/v1/status, while the page is seen and ``wanted``; null before the first. */
export function useStatus(wanted = true) {
  const [status, setStatus] = useState(null);
  useEffect(() => {
    if (!wanted) return undefined;
    let timer = 0;
    const look = async () => {
      if (!document.hidden) setStatus(await ask("/api/v1/status").catch(() => null));
      timer = setTimeout(look, EVERY);
    };
    look();
    return () => clearTimeout(timer);
  }, [wanted]);
  return status;
}

/** What is still being prepared; nothing when nothing is. ``status``: as the API has it, or null. */
export function Preparing({ status }) {
  if (!status?.reasons.length) return null;
  return html`
    <div role="status">
      <p>The arena is not ready yet:</p>
      <ul class="foreign">${status.reasons.map((reason) => html`<li key=${reason}>${reason}</li>`)}</ul>
    </div>
  `;
}
