// SPDX-License-Identifier: GPL-3.0-or-later
// The code that embeds a match in another site, and its pictures.

import { Command } from "../command.js";
import { ARENA } from "../root.js";
import { t } from "../texts.js";
import { html } from "../view.js";

const FRAMES = 200; // of an animation, see api.py

/** @param {Pick<import("../pages/match.js").SectionProps, "record" | "ply" | "view">} props */
export function Embedding({ record, ply, view }) {
  const position = ply == null ? "" : `?ply=${ply}`;
  // pictures show the view of the page, an embedded match shows everybody's
  const seat = view == null ? [] : [`seat=${view}`];
  const queryOf = (/** @type {string[]} */ parts) => (parts.length ? `?${parts.join("&")}` : "");
  const still = queryOf([...(ply == null ? [] : [`ply=${ply}`]), ...seat]);
  const base = `/matches/${record.id}`;
  const code = `<iframe src="${ARENA}/embed${base}${position}" width="420" height="560" title="Bot Arena, match ${record.id}"></iframe>`;
  return html`
    <p>This code shows the match on another site${ply == null ? "" : t` from ply ${ply} on`}:</p>
    <${Command} text=${code} />
    <p>
      This position: <a class="button" href=${`${base}/position.svg${still}`}>SVG</a> <a class="button" href=${`${base}/position.png${still}`}>PNG</a>
    </p>
    <p>The game${record.plies > FRAMES && t` (its last ${FRAMES} positions)`}: <a class="button" href=${`${base}/game.gif${queryOf(seat)}`}>GIF</a></p>
  `;
}
