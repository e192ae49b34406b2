// SPDX-License-Identifier: GPL-3.0-or-later
// Server status for empty pages: polls /api/v1/status and lists the reasons why the server is not ready.

import { ask, html, useEffect, useState } from "./view.js";

const EVERY = 3000;

/** The answer of /api/v1/status, polled while the page is visible and ``wanted``; null before the first answer. */
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

/** List of reasons why the server is not ready; empty when it is. ``status``: the API's answer, or null. */
export function Preparing({ status }) {
  if (!status?.reasons.length) return null;
  return html`
    <div role="status">
      <p>The server is not ready yet:</p>
      <ul class="foreign">${status.reasons.map((reason) => html`<li key=${reason}>${reason}</li>`)}</ul>
    </div>
  `;
}
