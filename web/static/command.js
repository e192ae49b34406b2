// SPDX-License-Identifier: GPL-3.0-or-later
// A command ready to copy.

import { html, useState } from "./view.js";

/** ``text``: the command line. */
export function Command({ text }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return html`
    <div class="command">
      <code>${text}</code>
      <button onClick=${copy} aria-label=${`Copy ${text}`}>${copied ? "Copied" : "Copy"}</button>
    </div>
  `;
}
