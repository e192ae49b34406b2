// SPDX-License-Identifier: GPL-3.0-or-later
// A small live board with its players, as a link to the match.

import { Board } from "./board.js";
import { decided } from "./endings.js";
import { named, score } from "./format.js";
import { PlayerLine } from "./players.js";
import { unlessSame } from "./unless_same.js";
import { html } from "./view.js";

/**
 * ``caption``: a line below the board; it is drawn again only when the match changes.
 * @type {import("preact").ComponentType<{ seen: Protocol.Seen, board: Api.BoardAnswer, caption: string }>}
 */
export const LiveBoard = unlessSame(
  /** @param {{ seen: Protocol.Seen, board: Api.BoardAnswer, caption: string }} props */
  ({ seen, board, caption }) => html`
    <a class="card surface" href=${`/matches/${seen.match}`}>
      <${PlayerLine} seen=${seen} board=${board} seat=${1 - board.bottom} />
      <div class="frame">
        <${Board} board=${board} diagram=${seen.diagram} squares=${seen.squares} aside=${seen.aside} steps=${seen.ply} bare
          title=${seen.players.map(named).join(" against ")} ...${decided(seen.ending)} />
      </div>
      <${PlayerLine} seen=${seen} board=${board} seat=${board.bottom} />
      <div class="caption"><span class="ellipsis">${caption}</span>${seen.ending ? html`<span class="spoiler">${score(seen.ending.result)}</span>` : html`<span>ply ${seen.ply}</span>`}</div>
    </a>
  `,
);
