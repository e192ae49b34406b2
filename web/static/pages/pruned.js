// SPDX-License-Identifier: GPL-3.0-or-later
// A match whose moves were deleted because of their age: players, ratings and result.

import { fromRecord } from "../game_record.js";
import { Ending } from "../match/ending.js";
import { Heading } from "../match/heading.js";
import { Ago } from "../parts.js";
import { PlayerLine } from "../players.js";
import "../shell.js";
import { firstData, html, show } from "../view.js";

/** @type {Api.MatchDetailAnswer & { title: string, board: Api.BoardAnswer, event: string | null }} */
const record = firstData();
const { seen } = fromRecord(record);
const { bottom } = record.board;

function Pruned() {
  return html`
    <div class="pruned">
      <${Heading} record=${record} seen=${seen} trouble="" plies=${0} />
      <div class="surface">
        <${PlayerLine} seen=${seen} board=${record.board} seat=${1 - bottom} link />
        <${PlayerLine} seen=${seen} board=${record.board} seat=${bottom} link />
      </div>
      ${seen.ending && html`<${Ending} seen=${seen} board=${record.board} ending=${seen.ending} />`}
      <div class="empty">
        <h2>No moves to show</h2>
        <p class="muted">The arena has deleted the moves of this match because of their age. The result and the ratings remain.</p>
        ${record.finished != null && html`<p class="muted">Ended <${Ago} time=${record.finished} /></p>`}
        <a class="button" href=${`/matches?${new URLSearchParams({ game: record.game })}`}>All matches</a>
      </div>
    </div>
  `;
}

show(html`<${Pruned} />`);
