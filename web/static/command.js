// SPDX-License-Identifier: GPL-3.0-or-later
// A command line with a copy button.

import { t } from "./texts.js";
import { html, useRef, useState } from "./view.js";

/**
 * Select the command and copy the selection; returns whether the copy worked.
 * @param {Element} line
 */
function copiedBySelecting(line) {
  getSelection()?.selectAllChildren(line);
  return document.execCommand("copy");
}

/**
 * ``text``: the command line.
 * @param {{ text: string }} props
 */
export function Command({ text }) {
  const [copied, setCopied] = useState(false);
  const line = useRef(/** @type {HTMLElement | null} */ (null));
  const copy = async () => {
    // browsers offer no clipboard over plain HTTP, except on localhost
    const done = await navigator.clipboard?.writeText(text).then(() => true, () => false);
    if (!done && !(line.current && copiedBySelecting(line.current))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return html`
    <div class="command">
      <code ref=${line}>${text}</code>
      <button onClick=${copy} aria-label=${t`Copy ${text}`}>${copied ? t`Copied` : t`Copy`}</button>
    </div>
  `;
}

/** How to add a bot to the arena. */
export const AddBot = () => html`<${Command} text=${"arena bots add my-bot"} /><a class="button" href="/connect">How to connect a bot</a>`;
