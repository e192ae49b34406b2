// SPDX-License-Identifier: GPL-3.0-or-later
// Server status for empty pages: polls /api/v1/status and lists the reasons why the server is not ready.

import { usePolling } from "./asking.js";
import { ask, html, useState } from "./view.js";

/**
 * The answer of /api/v1/status, polled while the page is visible and ``wanted``; null before the first answer.
 * @param {boolean} [wanted]
 */
export function useStatus(wanted = true) {
  const [status, setStatus] = useState(/** @type {Api.StatusAnswer | null} */ (null));
  usePolling(async () => setStatus(await ask("/api/v1/status").catch(() => null)), { wanted, now: true });
  return status;
}

/**
 * List of reasons why the server is not ready; empty when it is. ``status``: the API's answer, or null.
 * @param {{ status: Api.StatusAnswer | null }} props
 */
export function Preparing({ status }) {
  if (!status?.reasons.length) return null;
  return html`
    <div role="status">
      <p>The server is not ready yet:</p>
      <ul class="foreign">${status.reasons.map((reason) => html`<li key=${reason}>${reason}</li>`)}</ul>
    </div>
  `;
}
