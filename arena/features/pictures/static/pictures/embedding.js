// SPDX-License-Identifier: GPL-3.0-or-later
// The code that embeds a match in another site, and its pictures.

import { Command } from "../command.js";
import { ARENA } from "../root.js";
import { t } from "../texts.js";
import { html } from "../view.js";

const FRAMES = 200; // of an animation, see api.py

/** @param {Pick<import("../pages/match.js").SectionProps, "record" | "ply">} props */
export function Embedding({ record, ply }) {
  const position = ply == null ? "" : `?ply=${ply}`;
  const base = `/matches/${record.id}`;
  const code = `<iframe src="${ARENA}/embed${base}${position}" width="420" height="560" title="Bot Arena, match ${record.id}"></iframe>`;
  return html`
    <p>This code shows the match on another site${ply == null ? "" : t` from ply ${ply} on`}:</p>
    <${Command} text=${code} />
    <p>
      This position: <a class="button" href=${`${base}/position.svg${position}`}>SVG</a> <a class="button" href=${`${base}/position.png${position}`}>PNG</a>
    </p>
    <p>The game${record.plies > FRAMES && t` (its last ${FRAMES} positions)`}: <a class="button" href=${`${base}/game.gif`}>GIF</a></p>
  `;
}
