// SPDX-License-Identifier: GPL-3.0-or-later
// A command ready to copy.

import { html, useRef, useState } from "./view.js";

/** Select a command, so that it is at least seen to be, and copy the selection; returns whether that was possible. */
function copiedBySelecting(line) {
  getSelection().selectAllChildren(line);
  return document.execCommand("copy");
}

/** ``text``: the command line. */
export function Command({ text }) {
  const [copied, setCopied] = useState(false);
  const line = useRef(null);
  const copy = async () => {
    // there is no clipboard where an arena is reached over plain HTTP by another name than localhost
    const done = await navigator.clipboard?.writeText(text).then(() => true, () => false);
    if (!done && !copiedBySelecting(line.current)) return;
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return html`
    <div class="command">
      <code ref=${line}>${text}</code>
      <button onClick=${copy} aria-label=${`Copy ${text}`}>${copied ? "Copied" : "Copy"}</button>
    </div>
  `;
}
